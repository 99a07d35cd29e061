// RUN: npu-opt %s --layout-optimal --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-optimal --layout-optimal --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-optimal="target=opu cost=count" --split-input-file | filecheck %s

/// The patches of an image as tokens: in NHWC they are where the transpose of the program would bring them.
// CHECK-LABEL: func.func @patches
// CHECK-SAME:    (%image: tensor<1x3x8x8xf32, #npu.layout<NCHW>>, %q: tensor<1x16x16xf32, #npu.layout<NTensor>>) -> tensor<1x16x16xf32, #npu.layout<NTensor>> {
// CHECK-NEXT:    %image_1 = npu.transpose %image permutation = [0, 2, 3, 1] : (tensor<1x3x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x8x8x3xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %kernel = npu.constant dense<5.000000e-01> : tensor<16x3x2x2xf32, #npu.layout<OIHW>>
// CHECK-NEXT:    %kernel_1 = npu.transpose %kernel permutation = [2, 3, 0, 1] : (tensor<16x3x2x2xf32, #npu.layout<OIHW>>) -> tensor<2x2x16x3xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %conv = npu.conv2d %image_1, %kernel_1 strides = [2, 2] : (tensor<1x8x8x3xf32, #npu.layout<NHWC>>, tensor<2x2x16x3xf32, #npu.layout<HWOI>>) -> tensor<1x4x4x16xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %flat = npu.reshape %conv : (tensor<1x4x4x16xf32, #npu.layout<NHWC>>) -> tensor<1x16x16xf32, #npu.layout<NTensor, [0, 2, 1]>>
// CHECK-NEXT:    %tokens = npu.relabel %flat : (tensor<1x16x16xf32, #npu.layout<NTensor, [0, 2, 1]>>) -> tensor<1x16x16xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %y = npu.matmul %tokens, %q : tensor<1x16x16xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    func.return %y : tensor<1x16x16xf32, #npu.layout<NTensor>>
func.func @patches(%image: tensor<1x3x8x8xf32>, %q: tensor<1x16x16xf32>) -> tensor<1x16x16xf32> {
  %kernel = npu.constant dense<0.5> : tensor<16x3x2x2xf32>
  %conv = npu.conv2d %image, %kernel strides = [2, 2] data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x3x8x8xf32>, tensor<16x3x2x2xf32>) -> tensor<1x16x4x4xf32>
  %flat = npu.reshape %conv : (tensor<1x16x4x4xf32>) -> tensor<1x16x16xf32>
  %tokens = npu.transpose %flat permutation = [0, 2, 1] : tensor<1x16x16xf32>
  %y = npu.matmul %tokens, %q : tensor<1x16x16xf32>
  func.return %y : tensor<1x16x16xf32>
}

// -----

/// Nothing has to move, so nothing changes: neither the op without uses nor the pair of transposes of a constant.
// CHECK-LABEL: func.func @least
// CHECK-SAME:    (%x: tensor<4x6xf32, #npu.layout<Tensor>>) -> tensor<4x6xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %dead = npu.relu %x : tensor<4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %c = npu.constant dense<5.000000e-01> : tensor<6x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %t = npu.transpose %c permutation = [1, 0] : (tensor<6x4xf32, #npu.layout<Tensor>>) -> tensor<4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %sum = npu.add %x, %t : tensor<4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %sum : tensor<4x6xf32, #npu.layout<Tensor>>
func.func @least(%x: tensor<4x6xf32, #npu.layout<Tensor>>) -> tensor<4x6xf32, #npu.layout<Tensor>> {
  %dead = npu.relu %x : tensor<4x6xf32, #npu.layout<Tensor>>
  %c = npu.constant dense<0.5> : tensor<6x4xf32, #npu.layout<Tensor>>
  %t = npu.transpose %c permutation = [1, 0]
    : (tensor<6x4xf32, #npu.layout<Tensor>>) -> tensor<4x6xf32, #npu.layout<Tensor>>
  %sum = npu.add %x, %t
    : tensor<4x6xf32, #npu.layout<Tensor>>
  func.return %sum : tensor<4x6xf32, #npu.layout<Tensor>>
}

// -----

/// A transpose without uses would move data, so it goes, with the ops that nobody reads.
// CHECK-LABEL: func.func @unused
// CHECK-SAME:    (%x: tensor<4x6xf32, #npu.layout<Tensor>>) -> tensor<4x6xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %y = npu.relu %x : tensor<4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %y : tensor<4x6xf32, #npu.layout<Tensor>>
func.func @unused(%x: tensor<4x6xf32, #npu.layout<Tensor>>) -> tensor<4x6xf32, #npu.layout<Tensor>> {
  %t = npu.transpose %x permutation = [1, 0]
    : (tensor<4x6xf32, #npu.layout<Tensor>>) -> tensor<6x4xf32, #npu.layout<Tensor>>
  %dead = npu.relu %t : tensor<6x4xf32, #npu.layout<Tensor>>
  %y = npu.relu %x : tensor<4x6xf32, #npu.layout<Tensor>>
  func.return %y : tensor<4x6xf32, #npu.layout<Tensor>>
}

// -----

/// It costs least to move where the data is smallest: behind the pool, not in front of it.
// CHECK-LABEL: func.func @smallest
// CHECK-SAME:    (%x: tensor<1x4x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x4x2x2xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %relu = npu.relu %x : tensor<1x4x8x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %pool = npu.max_pool %relu window = [2, 2] strides = [4, 4] : (tensor<1x4x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x4x2x2xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %pool_1 = npu.transpose %pool permutation = [0, 2, 3, 1] : (tensor<1x4x2x2xf32, #npu.layout<NCHW>>) -> tensor<1x2x2x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %mirror = npu.mirror %pool_1 axes = [1] : tensor<1x2x2x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %mirror_1 = npu.transpose %mirror permutation = [0, 3, 1, 2] : (tensor<1x2x2x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x2x2xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %mirror_1 : tensor<1x4x2x2xf32, #npu.layout<NCHW>>
func.func @smallest(%x: tensor<1x4x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x4x2x2xf32, #npu.layout<NCHW>> {
  %relu = npu.relu %x : tensor<1x4x8x8xf32, #npu.layout<NCHW>>
  %pool = npu.max_pool %relu window = [2, 2] strides = [4, 4]
    : (tensor<1x4x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x4x2x2xf32, #npu.layout<NCHW>>
  %mirror = npu.mirror %pool axes = [2]
    : tensor<1x4x2x2xf32, #npu.layout<NCHW>>
  func.return %mirror : tensor<1x4x2x2xf32, #npu.layout<NCHW>>
}
