// RUN: npu-opt %s --layout-preset="target=plover" --split-input-file | filecheck %s --check-prefix PLOVER
// RUN: npu-opt %s --layout-preset --split-input-file | filecheck %s --check-prefix OPU

/// Of choices without transposes, the one that changes nothing is taken: the order that the target prefers for %x would
/// only move unit axes.
func.func @unchanged(%x: tensor<1x1x4xf32, #npu.layout<WOI>>, %k: tensor<1x1x1x4xf32>) -> tensor<2x1x2x3xf32> {
  %s = npu.reshape %x : (tensor<1x1x4xf32, #npu.layout<WOI>>) -> tensor<1x1x4xf32>
  %p = npu.pad %s low = [0, 0, 2] high = [1, 0, 0] : (tensor<1x1x4xf32>) -> tensor<2x1x6xf32>
  %t = npu.reshape %p : (tensor<2x1x6xf32>) -> tensor<2x1x2x3xf32>
  %y = npu.conv2d %t, %k pads = [0, 0, 0, 3] data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<2x1x2x3xf32>, tensor<1x1x1x4xf32>) -> tensor<2x1x2x3xf32>
  return %y : tensor<2x1x2x3xf32>
}

// PLOVER-LABEL:  func.func @unchanged(%x: tensor<1x1x4xf32, #npu.layout<WOI>>, %k: tensor<1x1x1x4xf32, #npu.layout<OIHW>>) -> tensor<2x1x2x3xf32, #npu.layout<NCHW>> {
// PLOVER-NEXT:     %0 = npu.relabel %x : (tensor<1x1x4xf32, #npu.layout<WOI>>) -> tensor<1x1x4xf32, #npu.layout<Tensor>>
// PLOVER-NEXT:     %s = npu.reshape %0 : tensor<1x1x4xf32, #npu.layout<Tensor>>
// PLOVER-NEXT:     %p = npu.pad %s low = [0, 0, 2] high = [1, 0, 0] : (tensor<1x1x4xf32, #npu.layout<Tensor>>) -> tensor<2x1x6xf32, #npu.layout<Tensor>>
// PLOVER-NEXT:     %t = npu.reshape %p : (tensor<2x1x6xf32, #npu.layout<Tensor>>) -> tensor<2x1x2x3xf32, #npu.layout<NCHW>>
// PLOVER-NEXT:     %y = npu.conv2d %t, %k pads = [0, 0, 0, 3] : (tensor<2x1x2x3xf32, #npu.layout<NCHW>>, tensor<1x1x1x4xf32, #npu.layout<OIHW>>) -> tensor<2x1x2x3xf32, #npu.layout<NCHW>>
// PLOVER-NEXT:     func.return %y : tensor<2x1x2x3xf32, #npu.layout<NCHW>>

// -----

/// Of choices that move the same bytes, the one with fewer transposes is taken: %a is converted rather than both of its
/// halves. The other region joins, which moves less.
func.func @fewer_transposes(%x: tensor<1x8x4x6xf32>, %w: tensor<8x8x1x1xf32>) -> (tensor<1x8x12xf32>, tensor<1x8x12xf32>, tensor<1x8x4x6xf32>) {
  %a = npu.conv2d %x, %w data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %s = npu.reshape %a : (tensor<1x8x4x6xf32>) -> tensor<1x8x24xf32>
  %p, %q = npu.split %s axis = 2 sizes = [12, 12] : (tensor<1x8x24xf32>) -> (tensor<1x8x12xf32>, tensor<1x8x12xf32>)
  %b = npu.conv2d %x, %w strides = [1, 1] data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %r = npu.reshape %b : (tensor<1x8x4x6xf32>) -> tensor<1x8x24xf32>
  %t = npu.relu %r : tensor<1x8x24xf32>
  %u = npu.reshape %t : (tensor<1x8x24xf32>) -> tensor<1x8x4x6xf32>
  %c = npu.conv2d %u, %w data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  return %p, %q, %c : tensor<1x8x12xf32>, tensor<1x8x12xf32>, tensor<1x8x4x6xf32>
}

// OPU-LABEL:  func.func @fewer_transposes(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> (tensor<1x8x12xf32, #npu.layout<Tensor>>, tensor<1x8x12xf32, #npu.layout<Tensor>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
// OPU-NEXT:     %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// OPU-NEXT:     %w_1 = npu.reshape %w : (tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x1x8x8xf32, #npu.layout<HWOI>>
// OPU-NEXT:     %a = npu.conv2d %x_1, %w_1 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// OPU-NEXT:     %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// OPU-NEXT:     %s = npu.reshape %a_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// OPU-NEXT:     %p, %q = npu.split %s axis = 2 sizes = [12, 12] : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> (tensor<1x8x12xf32, #npu.layout<Tensor>>, tensor<1x8x12xf32, #npu.layout<Tensor>>)
// OPU-NEXT:     %b = npu.conv2d %x_1, %w_1 strides = [1, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// OPU-NEXT:     %r = npu.reshape %b : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// OPU-NEXT:     %t = npu.relu %r : tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// OPU-NEXT:     %u = npu.reshape %t : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// OPU-NEXT:     %c = npu.conv2d %u, %w_1 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// OPU-NEXT:     %c_1 = npu.transpose %c permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// OPU-NEXT:     func.return %p, %q, %c_1 : tensor<1x8x12xf32, #npu.layout<Tensor>>, tensor<1x8x12xf32, #npu.layout<Tensor>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
