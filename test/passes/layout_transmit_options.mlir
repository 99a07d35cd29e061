// RUN: npu-opt %s --layout-transmit="default=NHWC" --split-input-file | filecheck %s --check-prefix NHWC
// RUN: npu-opt %s --layout-transmit="default=NTensor" --split-input-file | filecheck %s --check-prefix NTENSOR
// RUN: not npu-opt %s --layout-transmit="default=NHCX" --split-input-file 2>&1 | filecheck %s --check-prefix LETTERS
// RUN: not npu-opt %s "--layout-transmit=default=\"Tensor, [1, 0]\"" --split-input-file 2>&1 | filecheck %s --check-prefix ORDER
// RUN: not npu-opt %s --layout-transmit="resolve=down" 2>&1 | filecheck %s --check-prefix RESOLVE

// LETTERS: npu-opt: error: argument --layout-transmit: pass 'layout-transmit': option default: 'NHCX' is not a layout: expected a permutation of NCW, NCHW, NCDHW, OIW, OIHW or OIDHW, or Tensor or NTensor
// ORDER: npu-opt: error: argument --layout-transmit: pass 'layout-transmit': option default: expected a layout that is not re-ordered, found Tensor, [1, 0]
// RESOLVE: npu-opt: error: argument --layout-transmit: pass 'layout-transmit': option resolve: expected forward, next, previous or nearest, found 'down'

/// Arguments and constants that nothing is known about get the default where their rank has it, else Tensor.
// NHWC-LABEL: func.func @sources(
// NHWC-SAME:    %image: tensor<1x4x6x8xf32, #npu.layout<NHWC>>, %vector: tensor<8xf32, #npu.layout<Tensor>>, %scalar: tensor<f32, #npu.layout<Tensor>>) -> (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<8xf32, #npu.layout<Tensor>>) {
// NHWC-NEXT:    %c = npu.constant dense<1.000000e+00> : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// NHWC-NEXT:    %a = npu.add %image, %c : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// NHWC-NEXT:    %b = npu.mul %vector, %scalar : (tensor<8xf32, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>) -> tensor<8xf32, #npu.layout<Tensor>>
// NHWC-NEXT:    func.return %a, %b : tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<8xf32, #npu.layout<Tensor>>
// NHWC-NEXT:  }
// NTENSOR-LABEL: func.func @sources(
// NTENSOR-SAME:    %image: tensor<1x4x6x8xf32, #npu.layout<NTensor>>, %vector: tensor<8xf32, #npu.layout<Tensor>>, %scalar: tensor<f32, #npu.layout<Tensor>>) -> (tensor<1x4x6x8xf32, #npu.layout<NTensor>>, tensor<8xf32, #npu.layout<Tensor>>) {
// NTENSOR-NEXT:    %c = npu.constant dense<1.000000e+00> : tensor<1x4x6x8xf32, #npu.layout<NTensor>>
// NTENSOR-NEXT:    %a = npu.add %image, %c : tensor<1x4x6x8xf32, #npu.layout<NTensor>>
// NTENSOR-NEXT:    %b = npu.mul %vector, %scalar : (tensor<8xf32, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>) -> tensor<8xf32, #npu.layout<Tensor>>
// NTENSOR-NEXT:    func.return %a, %b : tensor<1x4x6x8xf32, #npu.layout<NTensor>>, tensor<8xf32, #npu.layout<Tensor>>
// NTENSOR-NEXT:  }
func.func @sources(%image: tensor<1x4x6x8xf32>, %vector: tensor<8xf32>, %scalar: tensor<f32>) -> (tensor<1x4x6x8xf32>, tensor<8xf32>) {
  %c = npu.constant dense<1.0> : tensor<1x4x6x8xf32>
  %a = npu.add %image, %c : tensor<1x4x6x8xf32>
  %b = npu.mul %vector, %scalar : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %a, %b : tensor<1x4x6x8xf32>, tensor<8xf32>
}

// -----

/// Known layouts are kept, and so are those inferred from siblings.
// NHWC-LABEL: func.func @known(
// NHWC-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NCHW>>, %y: tensor<1x4x6x8xf32, #npu.layout<NCHW>>, %z: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> (tensor<1x4x6x8xf32, #npu.layout<NCHW>>, tensor<1x4x6x8xf32, #npu.layout<NHWC>>) {
// NHWC-NEXT:    %p = npu.max_pool %x window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NCHW>>
// NHWC-NEXT:    %a = npu.add %p, %y : tensor<1x4x6x8xf32, #npu.layout<NCHW>>
// NHWC-NEXT:    %b = npu.relu %z : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// NHWC-NEXT:    func.return %a, %b : tensor<1x4x6x8xf32, #npu.layout<NCHW>>, tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// NHWC-NEXT:  }
// NTENSOR-LABEL: func.func @known(
// NTENSOR-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NCHW>>, %y: tensor<1x4x6x8xf32, #npu.layout<NCHW>>, %z: tensor<1x4x6x8xf32, #npu.layout<NTensor>>) -> (tensor<1x4x6x8xf32, #npu.layout<NCHW>>, tensor<1x4x6x8xf32, #npu.layout<NTensor>>) {
// NTENSOR-NEXT:    %p = npu.max_pool %x window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NCHW>>
// NTENSOR-NEXT:    %a = npu.add %p, %y : tensor<1x4x6x8xf32, #npu.layout<NCHW>>
// NTENSOR-NEXT:    %b = npu.relu %z : tensor<1x4x6x8xf32, #npu.layout<NTensor>>
// NTENSOR-NEXT:    func.return %a, %b : tensor<1x4x6x8xf32, #npu.layout<NCHW>>, tensor<1x4x6x8xf32, #npu.layout<NTensor>>
// NTENSOR-NEXT:  }
func.func @known(%x: tensor<1x4x6x8xf32>, %y: tensor<1x4x6x8xf32>, %z: tensor<1x4x6x8xf32>) -> (tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>) {
  %p = npu.max_pool %x window = [1, 1] data_layout = <NCHW> : tensor<1x4x6x8xf32>
  %a = npu.add %p, %y : tensor<1x4x6x8xf32>
  %b = npu.relu %z : tensor<1x4x6x8xf32>
  return %a, %b : tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>
}
