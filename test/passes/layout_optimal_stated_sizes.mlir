// RUN: npu-opt %s --layout-optimal --stats --target=brick --verify-layouts 2>&1 | filecheck %s

/// The rows of %x are unknown and count as one; the view of them says that there are two. The cost of the program is that
/// of the view, and it is no proved minimum, as the choice was made for fewer elements.
// CHECK:       layout-optimal: 2 conversions, 192 bytes: best found, at least 128 bytes are needed (gap 64)
// CHECK-LABEL: func.func @stated
// CHECK:       [[VIEW:%[^ ]*]] = npu.reshape %x
// CHECK:       npu.pack [[VIEW]] : (tensor<1x4x2x1xf32, #npu.layout<NCHW>>) -> tensor<1x2x1x1x16xf32, #npu.layout<NHCW16c, C = 4, zeros>>
// CHECK-NEXT:  npu.avg_pool
// CHECK-NEXT:  npu.unpack
func.func @stated(%x: tensor<?x4xf32>) -> (tensor<1xf32>, tensor<1x4x1x1xf32>) {
  %v = npu.reshape %x : (tensor<?x4xf32>) -> tensor<1x4x2x1xf32>
  %s = npu.reduce_sum %v axes = [0, 1, 2] : (tensor<1x4x2x1xf32>) -> tensor<1xf32>
  %p = npu.avg_pool %v window = [3, 1] strides = [1, 2] pads = [0, 0, 1, 0] count_padding data_layout = <NCHW> : (tensor<1x4x2x1xf32>) -> tensor<1x4x1x1xf32>
  func.return %s, %p : tensor<1xf32>, tensor<1x4x1x1xf32>
}
