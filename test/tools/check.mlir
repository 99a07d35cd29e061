// RUN: npu-check %S/Inputs/check_nchw.mlir %s | filecheck %s
// RUN: npu-check %s %S/Inputs/check_nchw.mlir --numeric --trials 2 | filecheck %s --check-prefix=BACK
// RUN: cat %s | npu-check - %s | filecheck %s --check-prefix=SELF

/// A placed program is proved equal to the one it was made from: transposes and re-ordered ops vanish.
// CHECK: proved: {{.*}}check_nchw.mlir and {{.*}}check.mlir compute the same
// BACK:  proved: {{.*}}check.mlir and {{.*}}check_nchw.mlir compute the same
// SELF:  proved: <stdin> and {{.*}}check.mlir compute the same
func.func @main(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<2x8x1x1xf32, #npu.layout<OIHW>>)
    -> tensor<1x2x4x6xf32, #npu.layout<NCHW>> {
  %kernel = npu.reshape %w
    : (tensor<2x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x1x2x8xf32, #npu.layout<HWOI>>
  %nhwc = npu.nchw2nhwc %x : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %conv = npu.conv2d %nhwc, %kernel
    : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x2x8xf32, #npu.layout<HWOI>>)
    -> tensor<1x4x6x2xf32, #npu.layout<NHWC>>
  %softmax = npu.softmax %conv axis = 3
    : tensor<1x4x6x2xf32, #npu.layout<NHWC>>
  %nchw = npu.transpose %softmax permutation = [0, 3, 1, 2]
    : (tensor<1x4x6x2xf32, #npu.layout<NHWC>>) -> tensor<1x2x4x6xf32, #npu.layout<NCHW>>
  func.return %nchw : tensor<1x2x4x6xf32, #npu.layout<NCHW>>
}
