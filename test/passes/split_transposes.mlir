// RUN: npu-opt %s --target=ethos-u85 --split-transposes | filecheck %s
// RUN: npu-opt %s --target=ethos-u85 --split-transposes --canonicalize | filecheck %s --check-prefix JOINED
// RUN: npu-opt %s --target=opu --split-transposes | filecheck %s --check-prefix JOINED

/// Five blocks that move apart: patches become an image again.
// CHECK-LABEL: func.func @fold
// CHECK-NEXT:    %0 = npu.transpose %x permutation = [1, 2, 0, 3, 4] : (tensor<2x2x16x16x144xf32>) -> tensor<2x16x2x16x144xf32>
// CHECK-NEXT:    %y = npu.transpose %0 permutation = [1, 2, 3, 0, 4] : (tensor<2x16x2x16x144xf32>) -> tensor<16x2x16x2x144xf32>
// CHECK-NEXT:    func.return %y : tensor<16x2x16x2x144xf32>
// JOINED-LABEL: func.func @fold
// JOINED-NEXT:    %y = npu.transpose %x permutation = [2, 0, 3, 1, 4]
func.func @fold(%x: tensor<2x2x16x16x144xf32>) -> tensor<16x2x16x2x144xf32> {
  %y = npu.transpose %x permutation = [2, 0, 3, 1, 4] : (tensor<2x2x16x16x144xf32>) -> tensor<16x2x16x2x144xf32>
  func.return %y : tensor<16x2x16x2x144xf32>
}

/// Two blocks, in one step; axes of one element do not count.
// CHECK-LABEL: func.func @image
// CHECK-NEXT:    %y = npu.transpose %x permutation = [0, 2, 3, 1]
func.func @image(%x: tensor<1x64x56x56xf32, #npu.layout<NCHW>>) -> tensor<1x56x56x64xf32, #npu.layout<NHWC>> {
  %y = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x64x56x56xf32, #npu.layout<NCHW>>) -> tensor<1x56x56x64xf32, #npu.layout<NHWC>>
  func.return %y : tensor<1x56x56x64xf32, #npu.layout<NHWC>>
}

/// The order between is one of the same class.
// CHECK-LABEL: func.func @video
// CHECK-NEXT:    %0 = npu.transpose %x permutation = [1, 2, 0, 3, 4] : (tensor<2x32x8x16x48xf32, #npu.layout<NDCHW>>) -> tensor<32x8x2x16x48xf32, #npu.layout<DCNHW>>
// CHECK-NEXT:    %y = npu.transpose %0 permutation = [1, 2, 3, 0, 4] : (tensor<32x8x2x16x48xf32, #npu.layout<DCNHW>>) -> tensor<8x2x16x32x48xf32, #npu.layout<CNHDW>>
func.func @video(%x: tensor<2x32x8x16x48xf32, #npu.layout<NDCHW>>) -> tensor<8x2x16x32x48xf32, #npu.layout<CNHDW>> {
  %y = npu.transpose %x permutation = [2, 0, 3, 1, 4] : (tensor<2x32x8x16x48xf32, #npu.layout<NDCHW>>) -> tensor<8x2x16x32x48xf32, #npu.layout<CNHDW>>
  func.return %y : tensor<8x2x16x32x48xf32, #npu.layout<CNHDW>>
}

/// Constants are transposed when the model is loaded, and sizes that are not known have no price.
// CHECK-LABEL: func.func @kept
// CHECK-NEXT:    %c = npu.constant
// CHECK-NEXT:    %y = npu.transpose %c permutation = [2, 0, 3, 1]
// CHECK-NEXT:    %z = npu.transpose %x permutation = [2, 0, 3, 1]
// CHECK-NEXT:    func.return
func.func @kept(%x: tensor<?x16x16x64xf32>) -> (tensor<4x2x8x4xf32>, tensor<16x?x64x16xf32>) {
  %c = npu.constant dense<1.0> : tensor<2x4x4x8xf32>
  %y = npu.transpose %c permutation = [2, 0, 3, 1] : (tensor<2x4x4x8xf32>) -> tensor<4x2x8x4xf32>
  %z = npu.transpose %x permutation = [2, 0, 3, 1] : (tensor<?x16x16x64xf32>) -> tensor<16x?x64x16xf32>
  func.return %y, %z : tensor<4x2x8x4xf32>, tensor<16x?x64x16xf32>
}
