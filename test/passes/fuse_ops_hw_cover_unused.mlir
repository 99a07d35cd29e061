// RUN: npu-opt %s --fuse-ops-hw=strategy=cover --target=plover | filecheck %s

/// A view that nothing uses reads its operand outside of all groups, from which the target lets no value escape.
// CHECK-LABEL: func.func @main
// CHECK-NEXT:  %[[A:.*]] = npu.leaky_relu %x
// CHECK-NEXT:  %[[Y:.*]] = npu.avg_pool %[[A]]
// CHECK-NEXT:  npu.reshape %[[A]]
// CHECK-NEXT:  func.return %[[Y]]
func.func @main(%x: tensor<1x8x8x4xf32>) -> tensor<1x4x8x4xf32> {
  %a = npu.leaky_relu %x alpha = 0.125 : tensor<1x8x8x4xf32>
  %y = npu.avg_pool %a window = [2, 1] strides = [2, 1] data_layout = <NHWC> : (tensor<1x8x8x4xf32>) -> tensor<1x4x8x4xf32>
  %unused = npu.reshape %a : (tensor<1x8x8x4xf32>) -> tensor<1x256xf32>
  func.return %y : tensor<1x4x8x4xf32>
}
