// RUN: npu-opt %s --layout-transmit="resolve=forward" --split-input-file | filecheck %s --check-prefix FORWARD
// RUN: npu-opt %s --layout-transmit="resolve=next" --split-input-file | filecheck %s --check-prefix FOLLOWING
// RUN: npu-opt %s --layout-transmit="resolve=previous" --split-input-file | filecheck %s --check-prefix PREVIOUS
// RUN: npu-opt %s --layout-transmit="resolve=nearest" --split-input-file | filecheck %s --check-prefix NEAREST
// RUN: npu-opt %s --layout-transmit="resolve=nearest" --layout-transmit="resolve=nearest" --split-input-file | filecheck %s --check-prefix NEAREST

/// Seed layout-transmit, 多个连续无法推断节点的处理: Conv, Reshape, x, x, Reshape, Gemm. Gemm does not determine the layout before its reshape.
// FORWARD-LABEL: func.func @chain(
// FORWARD-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>, %m: tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>> {
// FORWARD-NEXT:    %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// FORWARD-NEXT:    %a = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x8x6xf32, #npu.layout<Tensor>>
// FORWARD-NEXT:    %b = npu.relu %a : tensor<1x4x8x6xf32, #npu.layout<Tensor>>
// FORWARD-NEXT:    %c = npu.abs %b : tensor<1x4x8x6xf32, #npu.layout<Tensor>>
// FORWARD-NEXT:    %d = npu.reshape %c : (tensor<1x4x8x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// FORWARD-NEXT:    %gemm = npu.gemm %d, %m : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>, tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// FORWARD-NEXT:    func.return %gemm : tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// FORWARD-NEXT:  }
// FOLLOWING-LABEL: func.func @chain(
// FOLLOWING-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>, %m: tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>> {
// FOLLOWING-NEXT:    %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// FOLLOWING-NEXT:    %a = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x8x6xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:    %b = npu.relu %a : tensor<1x4x8x6xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:    %c = npu.abs %b : tensor<1x4x8x6xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:    %d = npu.reshape %c : (tensor<1x4x8x6xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:    %gemm = npu.gemm %d, %m : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>, tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:    func.return %gemm : tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:  }
// PREVIOUS-LABEL: func.func @chain(
// PREVIOUS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>, %m: tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>> {
// PREVIOUS-NEXT:    %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PREVIOUS-NEXT:    %a = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x8x6xf32, #npu.layout<NCHW>>
// PREVIOUS-NEXT:    %b = npu.relu %a : tensor<1x4x8x6xf32, #npu.layout<NCHW>>
// PREVIOUS-NEXT:    %c = npu.abs %b : tensor<1x4x8x6xf32, #npu.layout<NCHW>>
// PREVIOUS-NEXT:    %d = npu.reshape %c : (tensor<1x4x8x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// PREVIOUS-NEXT:    %gemm = npu.gemm %d, %m : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>, tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// PREVIOUS-NEXT:    func.return %gemm : tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// PREVIOUS-NEXT:  }
// NEAREST-LABEL: func.func @chain(
// NEAREST-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>, %m: tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>> {
// NEAREST-NEXT:    %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// NEAREST-NEXT:    %a = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x8x6xf32, #npu.layout<NTensor>>
// NEAREST-NEXT:    %b = npu.relu %a : tensor<1x4x8x6xf32, #npu.layout<NTensor>>
// NEAREST-NEXT:    %c = npu.abs %b : tensor<1x4x8x6xf32, #npu.layout<NTensor>>
// NEAREST-NEXT:    %d = npu.reshape %c : (tensor<1x4x8x6xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// NEAREST-NEXT:    %gemm = npu.gemm %d, %m : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>, tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// NEAREST-NEXT:    func.return %gemm : tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// NEAREST-NEXT:  }
func.func @chain(%x: tensor<1x8x4x6xf32>, %w: tensor<8x8x1x1xf32>, %m: tensor<1x8x6x5xf32>) -> tensor<1x8x4x5xf32> {
  %conv = npu.conv2d %x, %w data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %a = npu.reshape %conv : (tensor<1x8x4x6xf32>) -> tensor<1x4x8x6xf32>
  %b = npu.relu %a : tensor<1x4x8x6xf32>
  %c = npu.abs %b : tensor<1x4x8x6xf32>
  %d = npu.reshape %c : (tensor<1x4x8x6xf32>) -> tensor<1x8x4x6xf32>
  %gemm = npu.gemm %d, %m : (tensor<1x8x4x6xf32>, tensor<1x8x6x5xf32>) -> tensor<1x8x4x5xf32>
  return %gemm : tensor<1x8x4x5xf32>
}
