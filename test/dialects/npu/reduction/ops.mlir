// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// Every op drops the axis or keeps it with one element.
// CHECK-LABEL: func.func @floats(
func.func @floats(%x: tensor<2x3xf32>) {
  // CHECK-NEXT: %reduce_sum = npu.reduce_sum %x axes = [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  %reduce_sum = npu.reduce_sum %x axes = [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %reduce_sum2 = npu.reduce_sum %x axes = [1] keep : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %reduce_sum2 = npu.reduce_sum %x axes = [1] keep : (tensor<2x3xf32>) -> tensor<2x1xf32>
  // CHECK-NEXT: %reduce_mean = npu.reduce_mean %x axes = [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  %reduce_mean = npu.reduce_mean %x axes = [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %reduce_mean2 = npu.reduce_mean %x axes = [1] keep : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %reduce_mean2 = npu.reduce_mean %x axes = [1] keep : (tensor<2x3xf32>) -> tensor<2x1xf32>
  // CHECK-NEXT: %reduce_max = npu.reduce_max %x axes = [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  %reduce_max = npu.reduce_max %x axes = [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %reduce_max2 = npu.reduce_max %x axes = [1] keep : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %reduce_max2 = npu.reduce_max %x axes = [1] keep : (tensor<2x3xf32>) -> tensor<2x1xf32>
  // CHECK-NEXT: %reduce_min = npu.reduce_min %x axes = [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  %reduce_min = npu.reduce_min %x axes = [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %reduce_min2 = npu.reduce_min %x axes = [1] keep : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %reduce_min2 = npu.reduce_min %x axes = [1] keep : (tensor<2x3xf32>) -> tensor<2x1xf32>
  // CHECK-NEXT: %reduce_prod = npu.reduce_prod %x axes = [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  %reduce_prod = npu.reduce_prod %x axes = [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %reduce_prod2 = npu.reduce_prod %x axes = [1] keep : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %reduce_prod2 = npu.reduce_prod %x axes = [1] keep : (tensor<2x3xf32>) -> tensor<2x1xf32>
  // CHECK-NEXT: %reduce_l1 = npu.reduce_l1 %x axes = [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  %reduce_l1 = npu.reduce_l1 %x axes = [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %reduce_l12 = npu.reduce_l1 %x axes = [1] keep : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %reduce_l12 = npu.reduce_l1 %x axes = [1] keep : (tensor<2x3xf32>) -> tensor<2x1xf32>
  // CHECK-NEXT: %reduce_l2 = npu.reduce_l2 %x axes = [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  %reduce_l2 = npu.reduce_l2 %x axes = [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %reduce_l22 = npu.reduce_l2 %x axes = [1] keep : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %reduce_l22 = npu.reduce_l2 %x axes = [1] keep : (tensor<2x3xf32>) -> tensor<2x1xf32>
  // CHECK-NEXT: %reduce_sum_square = npu.reduce_sum_square %x axes = [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  %reduce_sum_square = npu.reduce_sum_square %x axes = [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %reduce_sum_square2 = npu.reduce_sum_square %x axes = [1] keep : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %reduce_sum_square2 = npu.reduce_sum_square %x axes = [1] keep : (tensor<2x3xf32>) -> tensor<2x1xf32>
  // CHECK-NEXT: %reduce_log_sum_exp = npu.reduce_log_sum_exp %x axes = [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  %reduce_log_sum_exp = npu.reduce_log_sum_exp %x axes = [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %reduce_log_sum_exp2 = npu.reduce_log_sum_exp %x axes = [1] keep : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %reduce_log_sum_exp2 = npu.reduce_log_sum_exp %x axes = [1] keep : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return
}

/// Those that need no division, root or logarithm take integers.
// CHECK-LABEL: func.func @integers(
func.func @integers(%x: tensor<2x3xi32>) {
  // CHECK-NEXT: %reduce_sum = npu.reduce_sum %x axes = [0] : (tensor<2x3xi32>) -> tensor<3xi32>
  %reduce_sum = npu.reduce_sum %x axes = [0] : (tensor<2x3xi32>) -> tensor<3xi32>
  // CHECK-NEXT: %reduce_max = npu.reduce_max %x axes = [0] : (tensor<2x3xi32>) -> tensor<3xi32>
  %reduce_max = npu.reduce_max %x axes = [0] : (tensor<2x3xi32>) -> tensor<3xi32>
  // CHECK-NEXT: %reduce_min = npu.reduce_min %x axes = [0] : (tensor<2x3xi32>) -> tensor<3xi32>
  %reduce_min = npu.reduce_min %x axes = [0] : (tensor<2x3xi32>) -> tensor<3xi32>
  // CHECK-NEXT: %reduce_prod = npu.reduce_prod %x axes = [0] : (tensor<2x3xi32>) -> tensor<3xi32>
  %reduce_prod = npu.reduce_prod %x axes = [0] : (tensor<2x3xi32>) -> tensor<3xi32>
  // CHECK-NEXT: %reduce_l1 = npu.reduce_l1 %x axes = [0] : (tensor<2x3xi32>) -> tensor<3xi32>
  %reduce_l1 = npu.reduce_l1 %x axes = [0] : (tensor<2x3xi32>) -> tensor<3xi32>
  // CHECK-NEXT: %reduce_sum_square = npu.reduce_sum_square %x axes = [0] : (tensor<2x3xi32>) -> tensor<3xi32>
  %reduce_sum_square = npu.reduce_sum_square %x axes = [0] : (tensor<2x3xi32>) -> tensor<3xi32>
  return
}

/// Several axes in any order, all of them, dynamic sizes, no elements.
// CHECK-LABEL: func.func @axes(
func.func @axes(%x: tensor<2x3x4x5xf32>, %d: tensor<?x?x4xf32>, %z: tensor<0x4xf32>) {
  // CHECK-NEXT: %reduce_sum = npu.reduce_sum %x axes = [3, 1] : (tensor<2x3x4x5xf32>) -> tensor<2x4xf32>
  %reduce_sum = npu.reduce_sum %x axes = [3, 1] : (tensor<2x3x4x5xf32>) -> tensor<2x4xf32>
  // CHECK-NEXT: %reduce_sum2 = npu.reduce_sum %x axes = [0, 1, 2, 3] : (tensor<2x3x4x5xf32>) -> tensor<f32>
  %reduce_sum2 = npu.reduce_sum %x axes = [0, 1, 2, 3] : (tensor<2x3x4x5xf32>) -> tensor<f32>
  // CHECK-NEXT: %reduce_sum3 = npu.reduce_sum %x axes = [0, 1, 2, 3] keep : (tensor<2x3x4x5xf32>) -> tensor<1x1x1x1xf32>
  %reduce_sum3 = npu.reduce_sum %x axes = [0, 1, 2, 3] keep : (tensor<2x3x4x5xf32>) -> tensor<1x1x1x1xf32>
  // CHECK-NEXT: %reduce_max = npu.reduce_max %d axes = [0] : (tensor<?x?x4xf32>) -> tensor<?x4xf32>
  %reduce_max = npu.reduce_max %d axes = [0] : (tensor<?x?x4xf32>) -> tensor<?x4xf32>
  // CHECK-NEXT: %reduce_max2 = npu.reduce_max %d axes = [0] keep : (tensor<?x?x4xf32>) -> tensor<1x7x4xf32>
  %reduce_max2 = npu.reduce_max %d axes = [0] keep : (tensor<?x?x4xf32>) -> tensor<1x7x4xf32>
  // CHECK-NEXT: %reduce_prod = npu.reduce_prod %z axes = [0] : (tensor<0x4xf32>) -> tensor<4xf32>
  %reduce_prod = npu.reduce_prod %z axes = [0] : (tensor<0x4xf32>) -> tensor<4xf32>
  return
}

/// The position along one axis, of any integer type.
// CHECK-LABEL: func.func @positions(
func.func @positions(%x: tensor<8x1000xf32>, %i: tensor<?x4xi8>) {
  // CHECK-NEXT: %arg_max = npu.arg_max %x axis = 1 : (tensor<8x1000xf32>) -> tensor<8xi64>
  %arg_max = npu.arg_max %x axis = 1 : (tensor<8x1000xf32>) -> tensor<8xi64>
  // CHECK-NEXT: %arg_max2 = npu.arg_max %x axis = 1 keep : (tensor<8x1000xf32>) -> tensor<8x1xi32>
  %arg_max2 = npu.arg_max %x axis = 1 keep : (tensor<8x1000xf32>) -> tensor<8x1xi32>
  // CHECK-NEXT: %arg_min = npu.arg_min %x axis = 0 : (tensor<8x1000xf32>) -> tensor<1000xui16>
  %arg_min = npu.arg_min %x axis = 0 : (tensor<8x1000xf32>) -> tensor<1000xui16>
  // CHECK-NEXT: %arg_min2 = npu.arg_min %i axis = 0 keep : (tensor<?x4xi8>) -> tensor<1x4xi64>
  %arg_min2 = npu.arg_min %i axis = 0 keep : (tensor<?x4xi8>) -> tensor<1x4xi64>
  return
}

/// Running sums, from both ends, with and without the element itself.
// CHECK-LABEL: func.func @cumsum(
func.func @cumsum(
  %x: tensor<2x3xf32>, %i: tensor<?x3xi64>, %n: tensor<1x8x8x16xf32, #npu.layout<NHWC>>,
  %t: tensor<4x8xf32, #npu.layout<Tensor, [1, 0]>>
) {
  // CHECK-NEXT: %cumsum = npu.cumsum %x axis = 1 : tensor<2x3xf32>
  %cumsum = npu.cumsum %x axis = 1 : tensor<2x3xf32>
  // CHECK-NEXT: %cumprod = npu.cumprod %x axis = 1 exclusive : tensor<2x3xf32>
  %cumprod = npu.cumprod %x axis = 1 exclusive : tensor<2x3xf32>
  // CHECK-NEXT: %cumsum2 = npu.cumsum %x axis = 0 exclusive : tensor<2x3xf32>
  %cumsum2 = npu.cumsum %x axis = 0 exclusive : tensor<2x3xf32>
  // CHECK-NEXT: %cumsum3 = npu.cumsum %x axis = 1 reverse : tensor<2x3xf32>
  %cumsum3 = npu.cumsum %x axis = 1 reverse : tensor<2x3xf32>
  // CHECK-NEXT: %cumsum4 = npu.cumsum %i axis = 1 exclusive reverse : tensor<?x3xi64>
  %cumsum4 = npu.cumsum %i axis = 1 exclusive reverse : tensor<?x3xi64>
  // CHECK-NEXT: %cumsum5 = npu.cumsum %n axis = 3 : tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  %cumsum5 = npu.cumsum %n axis = 3
    : tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %cumsum6 = npu.cumsum %t axis = 0 : tensor<4x8xf32, #npu.layout<Tensor, [1, 0]>>
  %cumsum6 = npu.cumsum %t axis = 0
    : tensor<4x8xf32, #npu.layout<Tensor, [1, 0]>>
  return
}
