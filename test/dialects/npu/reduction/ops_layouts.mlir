// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// With all axes kept the layout stays.
// CHECK-LABEL: func.func @kept(
func.func @kept(
  %n: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %t: tensor<4x8xf32, #npu.layout<Tensor, [1, 0]>>,
  %w: tensor<3x3x8x4xf32, #npu.layout<HWOI>>
) {
  // CHECK-NEXT: %reduce_mean = npu.reduce_mean %n axes = [1, 2] keep : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x1x1x16xf32, #npu.layout<NHWC>>
  %reduce_mean = npu.reduce_mean %n axes = [1, 2] keep
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x1x1x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %reduce_mean2 = npu.reduce_mean %t axes = [0] keep : (tensor<4x8xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<1x8xf32, #npu.layout<Tensor, [1, 0]>>
  %reduce_mean2 = npu.reduce_mean %t axes = [0] keep
    : (tensor<4x8xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<1x8xf32, #npu.layout<Tensor, [1, 0]>>
  // CHECK-NEXT: %reduce_mean3 = npu.reduce_mean %w axes = [0, 1] keep : (tensor<3x3x8x4xf32, #npu.layout<HWOI>>) -> tensor<1x1x8x4xf32, #npu.layout<HWOI>>
  %reduce_mean3 = npu.reduce_mean %w axes = [0, 1] keep
    : (tensor<3x3x8x4xf32, #npu.layout<HWOI>>) -> tensor<1x1x8x4xf32, #npu.layout<HWOI>>
  // CHECK-NEXT: %arg_max = npu.arg_max %n axis = 3 keep : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x8x1xi64, #npu.layout<NHWC>>
  %arg_max = npu.arg_max %n axis = 3 keep
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x8x1xi64, #npu.layout<NHWC>>
  return
}

/// Without the dropped axes the others are in logical order: N, C of NCHW and of NHWC,
/// N, H, C of NHWC is the order of N, C, H, and so on.
// CHECK-LABEL: func.func @dropped(
func.func @dropped(
  %c: tensor<1x16x8x9xf32, #npu.layout<NCHW>>, %n: tensor<1x8x9x16xf32, #npu.layout<NHWC>>,
  %w: tensor<3x2x8x4xf32, #npu.layout<HWOI>>, %t: tensor<4x8x2xf32, #npu.layout<Tensor, [2, 0, 1]>>
) {
  // CHECK-NEXT: %reduce_sum = npu.reduce_sum %c axes = [2, 3] : (tensor<1x16x8x9xf32, #npu.layout<NCHW>>) -> tensor<1x16xf32, #npu.layout<Tensor>>
  %reduce_sum = npu.reduce_sum %c axes = [2, 3]
    : (tensor<1x16x8x9xf32, #npu.layout<NCHW>>) -> tensor<1x16xf32, #npu.layout<Tensor>>
  // CHECK-NEXT: %reduce_sum2 = npu.reduce_sum %n axes = [1, 2] : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x16xf32, #npu.layout<Tensor>>
  %reduce_sum2 = npu.reduce_sum %n axes = [1, 2]
    : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x16xf32, #npu.layout<Tensor>>
  // CHECK-NEXT: %reduce_sum3 = npu.reduce_sum %n axes = [2] : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x16xf32, #npu.layout<Tensor, [0, 2, 1]>>
  %reduce_sum3 = npu.reduce_sum %n axes = [2]
    : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x16xf32, #npu.layout<Tensor, [0, 2, 1]>>
  // CHECK-NEXT: %reduce_sum4 = npu.reduce_sum %n axes = [2] : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x16xf32, #npu.layout<NTensor, [0, 2, 1]>>
  %reduce_sum4 = npu.reduce_sum %n axes = [2]
    : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x16xf32, #npu.layout<NTensor, [0, 2, 1]>>
  // CHECK-NEXT: %reduce_sum5 = npu.reduce_sum %n axes = [0] : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<8x9x16xf32, #npu.layout<Tensor, [1, 2, 0]>>
  %reduce_sum5 = npu.reduce_sum %n axes = [0]
    : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<8x9x16xf32, #npu.layout<Tensor, [1, 2, 0]>>
  // CHECK-NEXT: %reduce_sum6 = npu.reduce_sum %n axes = [3] : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x9xf32, #npu.layout<NTensor>>
  %reduce_sum6 = npu.reduce_sum %n axes = [3]
    : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x9xf32, #npu.layout<NTensor>>
  // CHECK-NEXT: %reduce_sum7 = npu.reduce_sum %w axes = [0, 2] : (tensor<3x2x8x4xf32, #npu.layout<HWOI>>) -> tensor<2x4xf32, #npu.layout<Tensor, [1, 0]>>
  %reduce_sum7 = npu.reduce_sum %w axes = [0, 2]
    : (tensor<3x2x8x4xf32, #npu.layout<HWOI>>) -> tensor<2x4xf32, #npu.layout<Tensor, [1, 0]>>
  // CHECK-NEXT: %reduce_sum8 = npu.reduce_sum %n axes = [0, 1, 2, 3] : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<f32, #npu.layout<Tensor>>
  %reduce_sum8 = npu.reduce_sum %n axes = [0, 1, 2, 3]
    : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<f32, #npu.layout<Tensor>>
  // CHECK-NEXT: %arg_max = npu.arg_max %n axis = 2 : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x16xi64, #npu.layout<Tensor, [0, 2, 1]>>
  %arg_max = npu.arg_max %n axis = 2
    : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x16xi64, #npu.layout<Tensor, [0, 2, 1]>>
  // CHECK-NEXT: %arg_min = npu.arg_min %t axis = 1 : (tensor<4x8x2xf32, #npu.layout<Tensor, [2, 0, 1]>>) -> tensor<4x2xi64, #npu.layout<Tensor, [1, 0]>>
  %arg_min = npu.arg_min %t axis = 1
    : (tensor<4x8x2xf32, #npu.layout<Tensor, [2, 0, 1]>>) -> tensor<4x2xi64, #npu.layout<Tensor, [1, 0]>>
  return
}

/// An uncoloured value beside a coloured one.
// CHECK-LABEL: func.func @partly_coloured(
func.func @partly_coloured(%n: tensor<1x8x9x16xf32, #npu.layout<NHWC>>, %u: tensor<1x8x9x16xf32>) {
  // CHECK-NEXT: %reduce_sum = npu.reduce_sum %n axes = [2] : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x16xf32>
  %reduce_sum = npu.reduce_sum %n axes = [2] : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x16xf32>
  // CHECK-NEXT: %reduce_sum2 = npu.reduce_sum %n axes = [2] keep : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x1x16xf32>
  %reduce_sum2 = npu.reduce_sum %n axes = [2] keep : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x1x16xf32>
  // CHECK-NEXT: %reduce_sum3 = npu.reduce_sum %u axes = [2] : (tensor<1x8x9x16xf32>) -> tensor<1x8x16xf32, #npu.layout<Tensor, [2, 1, 0]>>
  %reduce_sum3 = npu.reduce_sum %u axes = [2]
    : (tensor<1x8x9x16xf32>) -> tensor<1x8x16xf32, #npu.layout<Tensor, [2, 1, 0]>>
  // CHECK-NEXT: %reduce_sum4 = npu.reduce_sum %u axes = [2] keep : (tensor<1x8x9x16xf32>) -> tensor<1x8x1x16xf32, #npu.layout<NHWC>>
  %reduce_sum4 = npu.reduce_sum %u axes = [2] keep : (tensor<1x8x9x16xf32>) -> tensor<1x8x1x16xf32, #npu.layout<NHWC>>
  return
}
