// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// Vectors with one number per channel, in all layouts.
// CHECK-LABEL: func.func @batch_norm(
func.func @batch_norm(
  %x: tensor<1x16x8x8xf32>, %s: tensor<16xf32>, %b: tensor<16xf32>, %m: tensor<16xf32>, %v: tensor<16xf32>,
  %n: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %ts: tensor<16xf32, #npu.layout<Tensor>>,
  %tv: tensor<16xf32, #npu.layout<Tensor>>, %d: tensor<?x?xf16>, %e: tensor<?xf16>, %r: tensor<16xf32>
) {
  // CHECK-NEXT: %batch_norm = npu.batch_norm %x, %s, %b, %m, %v axis = 1 : (tensor<1x16x8x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<1x16x8x8xf32>
  %batch_norm = npu.batch_norm %x, %s, %b, %m, %v axis = 1
    : (tensor<1x16x8x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<1x16x8x8xf32>
  // CHECK-NEXT: %batch_norm2 = npu.batch_norm %n, %s, %b, %m, %v axis = 3 epsilon = 1.000000e-03 : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  %batch_norm2 = npu.batch_norm %n, %s, %b, %m, %v axis = 3 epsilon = 1.0e-3
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %batch_norm3 = npu.batch_norm %n, %ts, %b, %m, %tv axis = 3 : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<16xf32, #npu.layout<Tensor>>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32, #npu.layout<Tensor>>) -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  %batch_norm3 = npu.batch_norm %n, %ts, %b, %m, %tv axis = 3
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<16xf32, #npu.layout<Tensor>>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32, #npu.layout<Tensor>>) -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %batch_norm4 = npu.batch_norm %d, %e, %e, %e, %e axis = 1 : (tensor<?x?xf16>, tensor<?xf16>, tensor<?xf16>, tensor<?xf16>, tensor<?xf16>) -> tensor<?x32xf16>
  %batch_norm4 = npu.batch_norm %d, %e, %e, %e, %e axis = 1
    : (tensor<?x?xf16>, tensor<?xf16>, tensor<?xf16>, tensor<?xf16>, tensor<?xf16>) -> tensor<?x32xf16>
  // CHECK-NEXT: %batch_norm5 = npu.batch_norm %r, %s, %b, %m, %v axis = 0 : tensor<16xf32>
  %batch_norm5 = npu.batch_norm %r, %s, %b, %m, %v axis = 0
    : tensor<16xf32>
  return
}

/// Statistics for each channel.
// CHECK-LABEL: func.func @instance_norm(
func.func @instance_norm(
  %n: tensor<2x8x8x16xf32, #npu.layout<NHWC>>, %s: tensor<16xf32>, %tb: tensor<16xf32, #npu.layout<Tensor>>,
  %x: tensor<2x16x?xf32>, %b: tensor<16xf32>, %t: tensor<16x4xf32, #npu.layout<Tensor, [1, 0]>>
) {
  // CHECK-NEXT: %instance_norm = npu.instance_norm %n, %s, %tb axis = 3 axes = [1, 2] : (tensor<2x8x8x16xf32, #npu.layout<NHWC>>, tensor<16xf32>, tensor<16xf32, #npu.layout<Tensor>>) -> tensor<2x8x8x16xf32, #npu.layout<NHWC>>
  %instance_norm = npu.instance_norm %n, %s, %tb axis = 3 axes = [1, 2]
    : (tensor<2x8x8x16xf32, #npu.layout<NHWC>>, tensor<16xf32>, tensor<16xf32, #npu.layout<Tensor>>) -> tensor<2x8x8x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %instance_norm2 = npu.instance_norm %x, %s, %b axis = 1 axes = [2] epsilon = 1.000000e-03 : (tensor<2x16x?xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<2x16x?xf32>
  %instance_norm2 = npu.instance_norm %x, %s, %b axis = 1 axes = [2] epsilon = 1.0e-3
    : (tensor<2x16x?xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<2x16x?xf32>
  // CHECK-NEXT: %instance_norm3 = npu.instance_norm %t, %s, %b axis = 0 axes = [1] : (tensor<16x4xf32, #npu.layout<Tensor, [1, 0]>>, tensor<16xf32>, tensor<16xf32>) -> tensor<16x4xf32, #npu.layout<Tensor, [1, 0]>>
  %instance_norm3 = npu.instance_norm %t, %s, %b axis = 0 axes = [1]
    : (tensor<16x4xf32, #npu.layout<Tensor, [1, 0]>>, tensor<16xf32>, tensor<16xf32>) -> tensor<16x4xf32, #npu.layout<Tensor, [1, 0]>>
  return
}

/// Statistics for each group of channels, also without other axes.
// CHECK-LABEL: func.func @group_norm(
func.func @group_norm(
  %n: tensor<2x8x8x16xf32, #npu.layout<NHWC>>, %s: tensor<16xf32>, %b: tensor<16xf32>, %c: tensor<2x16x8x8xf32>,
  %m: tensor<2x16xf32>, %d: tensor<2x?x4xf32>, %e: tensor<?xf32>
) {
  // CHECK-NEXT: %group_norm = npu.group_norm %n, %s, %b groups = 4 axis = 3 axes = [1, 2] : (tensor<2x8x8x16xf32, #npu.layout<NHWC>>, tensor<16xf32>, tensor<16xf32>) -> tensor<2x8x8x16xf32, #npu.layout<NHWC>>
  %group_norm = npu.group_norm %n, %s, %b groups = 4 axis = 3 axes = [1, 2]
    : (tensor<2x8x8x16xf32, #npu.layout<NHWC>>, tensor<16xf32>, tensor<16xf32>) -> tensor<2x8x8x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %group_norm2 = npu.group_norm %c, %s, %b groups = 1 axis = 1 axes = [3, 2] epsilon = 1.000000e-06 : (tensor<2x16x8x8xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<2x16x8x8xf32>
  %group_norm2 = npu.group_norm %c, %s, %b groups = 1 axis = 1 axes = [3, 2] epsilon = 1.0e-6
    : (tensor<2x16x8x8xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<2x16x8x8xf32>
  // CHECK-NEXT: %group_norm3 = npu.group_norm %m, %s, %b groups = 16 axis = 1 axes = [] : (tensor<2x16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<2x16xf32>
  %group_norm3 = npu.group_norm %m, %s, %b groups = 16 axis = 1 axes = []
    : (tensor<2x16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<2x16xf32>
  // CHECK-NEXT: %group_norm4 = npu.group_norm %d, %e, %e groups = 3 axis = 1 axes = [2] : (tensor<2x?x4xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<2x?x4xf32>
  %group_norm4 = npu.group_norm %d, %e, %e groups = 3 axis = 1 axes = [2]
    : (tensor<2x?x4xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<2x?x4xf32>
  return
}
