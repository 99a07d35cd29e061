// RUN: npu-opt %s --target=daven --layout-optimal -o %t.onnx
// RUN: npu-check %s %t.onnx | filecheck %s

/// Blocks of 16 pad the 24 channels. The sum is computed with the padding, which a Slice drops: the file is proved.
// CHECK: proved:
// CHECK-SAME: compute the same
func.func @main(%x: tensor<1x3x8x8xf32>) -> tensor<1x24x8x8xf32> {
  %v = npu.constant dense<0.25> : tensor<24x3x1x1xf32>
  %w = npu.constant dense<0.5> : tensor<24x24x1x1xf32>
  %a = npu.conv2d %x, %v data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x3x8x8xf32>, tensor<24x3x1x1xf32>) -> tensor<1x24x8x8xf32>
  %b = npu.conv2d %a, %w data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x24x8x8xf32>, tensor<24x24x1x1xf32>) -> tensor<1x24x8x8xf32>
  %c = npu.add %a, %b : tensor<1x24x8x8xf32>
  %d = npu.conv2d %c, %w data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x24x8x8xf32>, tensor<24x24x1x1xf32>) -> tensor<1x24x8x8xf32>
  return %d : tensor<1x24x8x8xf32>
}
