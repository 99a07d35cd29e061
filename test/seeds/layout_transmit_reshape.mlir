// RUN: npu-opt %s --layout-transmit --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-transmit --layout-transmit --split-input-file | filecheck %s

/// Seed layout-transmit, 示例: the reshape cannot be inferred against the direction of data and is skipped, the lowest path gets the default; in the direction of data the reshape gets what its user needs.
// CHECK-LABEL: func.func @example(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>, %low: tensor<1x8x24xf32, #npu.layout<Tensor>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x24xf32, #npu.layout<Tensor>>) {
// CHECK-NEXT:    %a = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %reshape = npu.reshape %a : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %b = npu.relu %low : tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %c = npu.add %reshape, %b : tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %a, %c : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @example(%x: tensor<1x8x4x6xf32>, %w: tensor<8x8x1x1xf32>, %low: tensor<1x8x24xf32>) -> (tensor<1x8x4x6xf32>, tensor<1x8x24xf32>) {
  %a = npu.conv2d %x, %w data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %reshape = npu.reshape %a : (tensor<1x8x4x6xf32>) -> tensor<1x8x24xf32>
  %b = npu.relu %low : tensor<1x8x24xf32>
  %c = npu.add %reshape, %b : tensor<1x8x24xf32>
  return %a, %c : tensor<1x8x4x6xf32>, tensor<1x8x24xf32>
}

// -----

/// Seed layout-transmit, 正向遍历的时候往前看: Conv(NHWC)-->(NHWC)Reshape(NTensor)-->Gemm(NTensor). A relabel in front of the reshape makes it one of the stored bytes.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %m: tensor<1x8x5xf32, #npu.layout<NTensor>>) -> tensor<1x24x5xf32, #npu.layout<NTensor>> {
// CHECK-NEXT:    %conv = npu.conv2d %x, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %0 = npu.relabel %conv : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %reshape = npu.reshape %0 : (tensor<1x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<1x24x8xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %gemm = npu.gemm %reshape, %m : (tensor<1x24x8xf32, #npu.layout<NTensor>>, tensor<1x8x5xf32, #npu.layout<NTensor>>) -> tensor<1x24x5xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    func.return %gemm : tensor<1x24x5xf32, #npu.layout<NTensor>>
// CHECK-NEXT:  }
func.func @forward(%x: tensor<1x4x6x8xf32>, %w: tensor<1x1x8x8xf32>, %m: tensor<1x8x5xf32>) -> tensor<1x24x5xf32> {
  %conv = npu.conv2d %x, %w data_layout = <NHWC> kernel_layout = <HWOI> : (tensor<1x4x6x8xf32>, tensor<1x1x8x8xf32>) -> tensor<1x4x6x8xf32>
  %reshape = npu.reshape %conv : (tensor<1x4x6x8xf32>) -> tensor<1x24x8xf32>
  %gemm = npu.gemm %reshape, %m : (tensor<1x24x8xf32>, tensor<1x8x5xf32>) -> tensor<1x24x5xf32>
  return %gemm : tensor<1x24x5xf32>
}

// -----

/// Seed layout-transmit, 正向遍历的时候往前看: Conv(NHWC)<--(?)Reshape(NTensor)<--Gemm(NTensor). The value between Conv and Reshape gets nothing from Gemm and follows from Conv.
// CHECK-LABEL: func.func @backward(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %m: tensor<1x8x5xf32, #npu.layout<NTensor>>) -> tensor<1x24x5xf32, #npu.layout<NTensor>> {
// CHECK-NEXT:    %conv = npu.conv2d %x, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %between = npu.relu %conv : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %0 = npu.relabel %between : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %reshape = npu.reshape %0 : (tensor<1x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<1x24x8xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %gemm = npu.gemm %reshape, %m : (tensor<1x24x8xf32, #npu.layout<NTensor>>, tensor<1x8x5xf32, #npu.layout<NTensor>>) -> tensor<1x24x5xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    func.return %gemm : tensor<1x24x5xf32, #npu.layout<NTensor>>
// CHECK-NEXT:  }
func.func @backward(%x: tensor<1x4x6x8xf32>, %w: tensor<1x1x8x8xf32>, %m: tensor<1x8x5xf32>) -> tensor<1x24x5xf32> {
  %conv = npu.conv2d %x, %w data_layout = <NHWC> kernel_layout = <HWOI> : (tensor<1x4x6x8xf32>, tensor<1x1x8x8xf32>) -> tensor<1x4x6x8xf32>
  %between = npu.relu %conv : tensor<1x4x6x8xf32>
  %reshape = npu.reshape %between : (tensor<1x4x6x8xf32>) -> tensor<1x24x8xf32>
  %gemm = npu.gemm %reshape, %m : (tensor<1x24x8xf32>, tensor<1x8x5xf32>) -> tensor<1x24x5xf32>
  return %gemm : tensor<1x24x5xf32>
}

// -----

/// Seed layout-transmit, 完整版: the two ops the other way round, Gemm(NTensor)-->Reshape-->Conv(NHWC).
// CHECK-LABEL: func.func @reversed(
// CHECK-SAME:    %x: tensor<1x24x8xf32, #npu.layout<NTensor>>, %m: tensor<1x8x8xf32, #npu.layout<NTensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %gemm = npu.gemm %x, %m : (tensor<1x24x8xf32, #npu.layout<NTensor>>, tensor<1x8x8xf32, #npu.layout<NTensor>>) -> tensor<1x24x8xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %reshape = npu.reshape %gemm : (tensor<1x24x8xf32, #npu.layout<NTensor>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %0 = npu.relabel %reshape : (tensor<1x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %0, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %conv : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  }
func.func @reversed(%x: tensor<1x24x8xf32>, %m: tensor<1x8x8xf32>, %w: tensor<1x1x8x8xf32>) -> tensor<1x4x6x8xf32> {
  %gemm = npu.gemm %x, %m : (tensor<1x24x8xf32>, tensor<1x8x8xf32>) -> tensor<1x24x8xf32>
  %reshape = npu.reshape %gemm : (tensor<1x24x8xf32>) -> tensor<1x4x6x8xf32>
  %conv = npu.conv2d %reshape, %w data_layout = <NHWC> kernel_layout = <HWOI> : (tensor<1x4x6x8xf32>, tensor<1x1x8x8xf32>) -> tensor<1x4x6x8xf32>
  return %conv : tensor<1x4x6x8xf32>
}

// -----

/// Seed layout-transmit, 完整版: NTensor is for ranks 3 to 6, so Gemm of rank 2 reads and gives Tensor.
// CHECK-LABEL: func.func @ranks(
// CHECK-SAME:    %x: tensor<24x8xf32, #npu.layout<Tensor>>, %m: tensor<8x5xf32, #npu.layout<Tensor>>) -> tensor<24x5xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %gemm = npu.gemm %x, %m : (tensor<24x8xf32, #npu.layout<Tensor>>, tensor<8x5xf32, #npu.layout<Tensor>>) -> tensor<24x5xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %gemm : tensor<24x5xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @ranks(%x: tensor<24x8xf32>, %m: tensor<8x5xf32>) -> tensor<24x5xf32> {
  %gemm = npu.gemm %x, %m : (tensor<24x8xf32>, tensor<8x5xf32>) -> tensor<24x5xf32>
  return %gemm : tensor<24x5xf32>
}
