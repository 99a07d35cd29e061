// RUN: not npu-check %S/Inputs/check_nchw.mlir %s | filecheck %s

/// The softmax runs along H instead of the channels: a random input shows it, and the notes name the ops that part.
// CHECK:      different: @main: on the random input of seed 0, element [0, 0, 0, 0] of result 0 is {{.*}} in the first program and {{.*}} in the second
// CHECK-NEXT: {{.*}}check_nchw.mlir:4:14: note: the second program has nothing equal to: %softmax = "npu.softmax"(%conv) <{axis = 1 : i64}> : (tensor<1x2x4x6xf32>) -> tensor<1x2x4x6xf32>
// CHECK-NEXT: {{.*}}check_different.mlir:13:14: note: the first program has nothing equal to: %softmax = "npu.softmax"(%conv) <{axis = 1 : i64}> : (tensor<1x4x6x2xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x2xf32, #npu.layout<NHWC>>
func.func @main(%x: tensor<1x8x4x6xf32>, %w: tensor<2x8x1x1xf32>) -> tensor<1x2x4x6xf32> {
  %kernel = npu.transpose %w permutation = [2, 3, 0, 1]
    : (tensor<2x8x1x1xf32>) -> tensor<1x1x2x8xf32, #npu.layout<HWOI>>
  %nhwc = npu.transpose %x permutation = [0, 2, 3, 1]
    : (tensor<1x8x4x6xf32>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %conv = npu.conv2d %nhwc, %kernel : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x2x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x2xf32, #npu.layout<NHWC>>
  %softmax = npu.softmax %conv axis = 1 : tensor<1x4x6x2xf32, #npu.layout<NHWC>>
  %nchw = npu.transpose %softmax permutation = [0, 3, 1, 2] : (tensor<1x4x6x2xf32, #npu.layout<NHWC>>) -> tensor<1x2x4x6xf32>
  func.return %nchw : tensor<1x2x4x6xf32>
}
