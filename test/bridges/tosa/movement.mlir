// REQUIRES: mlir-bindings
// RUN: npu-opt %s -f tosa --split-input-file | filecheck %s

/// Ops that put elements elsewhere; the sizes that they ask for become attributes.
func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x5xf32>) -> tensor<3x2xf32> {
  %p = tosa.const_shape {values = dense<[0, 1, 2, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %v = "tosa.const"() <{values = dense<1.5> : tensor<1xf32>}> : () -> tensor<1xf32>
  %s = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %n = tosa.const_shape {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %m = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %r = tosa.const_shape {values = dense<[2, 6]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.concat %x, %y {axis = 1 : i32} : (tensor<2x3xf32>, tensor<2x5xf32>) -> tensor<2x8xf32>
  %1 = tosa.pad %0, %p, %v : (tensor<2x8xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<3x10xf32>
  %2 = tosa.slice %1, %s, %n : (tensor<3x10xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x3xf32>
  %3 = tosa.reverse %2 {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = tosa.tile %3, %m : (tensor<2x3xf32>, !tosa.shape<2>) -> tensor<2x6xf32>
  %shape = tosa.const_shape {values = dense<[4, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %5 = tosa.reshape %4, %shape : (tensor<2x6xf32>, !tosa.shape<2>) -> tensor<4x3xf32>
  %6 = tosa.transpose %5 {perms = array<i32: 1, 0>} : (tensor<4x3xf32>) -> tensor<3x4xf32>
  %7 = tensor.extract_slice %6[0, 1] [3, 2] [1, 2] : tensor<3x4xf32> to tensor<3x2xf32>
  return %7 : tensor<3x2xf32>
}

// CHECK:       func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x5xf32>) -> tensor<3x2xf32> {
// CHECK-NEXT:    %0 = npu.concat %x, %y axis = 1 : (tensor<2x3xf32>, tensor<2x5xf32>) -> tensor<2x8xf32>
// CHECK-NEXT:    %1 = npu.pad %0 low = [0, 2] high = [1, 0] value = 1.500000e+00
// CHECK-SAME:      : (tensor<2x8xf32>) -> tensor<3x10xf32>
// CHECK-NEXT:    %2 = npu.slice %1 starts = [1, 2] limits = [3, 5] : (tensor<3x10xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %3 = npu.reverse %2 axes = [1] : tensor<2x3xf32>
// CHECK-NEXT:    %4 = npu.tile %3 repeats = [1, 2] : (tensor<2x3xf32>) -> tensor<2x6xf32>
// CHECK-NEXT:    %5 = npu.reshape %4 : (tensor<2x6xf32>) -> tensor<4x3xf32>
// CHECK-NEXT:    %6 = npu.transpose %5 permutation = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
// CHECK-NEXT:    %7 = npu.slice %6 starts = [0, 1] limits = [3, 4] steps = [1, 2]
// CHECK-SAME:      : (tensor<3x4xf32>) -> tensor<3x2xf32>
// CHECK-NEXT:    func.return %7 : tensor<3x2xf32>

// -----

/// One batch of parts is gathered by a vector of indices.
func.func @main(%x: tensor<1x8x3xf32>, %i: tensor<1x4xi32>) -> tensor<1x4x3xf32> {
  %0 = tosa.gather %x, %i : (tensor<1x8x3xf32>, tensor<1x4xi32>) -> tensor<1x4x3xf32>
  return %0 : tensor<1x4x3xf32>
}

// CHECK:       func.func @main(%x: tensor<1x8x3xf32>, %i: tensor<1x4xi32>) -> tensor<1x4x3xf32> {
// CHECK-NEXT:    %0 = npu.reshape %i : (tensor<1x4xi32>) -> tensor<4xi32>
// CHECK-NEXT:    %1 = npu.gather %x, %0 axis = 1 : (tensor<1x8x3xf32>, tensor<4xi32>) -> tensor<1x4x3xf32>
// CHECK-NEXT:    func.return %1 : tensor<1x4x3xf32>

// -----

/// The reshapes of the tensor dialect.
func.func @main(%x: tensor<2x12xf32>) -> tensor<8x3xf32> {
  %0 = tensor.expand_shape %x [[0], [1, 2]] output_shape [2, 4, 3] : tensor<2x12xf32> into tensor<2x4x3xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<2x4x3xf32> into tensor<8x3xf32>
  return %1 : tensor<8x3xf32>
}

// CHECK:       func.func @main(%x: tensor<2x12xf32>) -> tensor<8x3xf32> {
// CHECK-NEXT:    %0 = npu.reshape %x : (tensor<2x12xf32>) -> tensor<2x4x3xf32>
// CHECK-NEXT:    %1 = npu.reshape %0 : (tensor<2x4x3xf32>) -> tensor<8x3xf32>
// CHECK-NEXT:    func.return %1 : tensor<8x3xf32>

// -----

/// Numbers that are known are put in their places at once.
func.func @main(%x: tensor<3x1x2xf32>) -> (tensor<3x1x2xf32>, tensor<6xi32>) {
  %w = "tosa.const"() <{values = dense<[[[1.0, 2.0, 3.0]], [[4.0, 5.0, 6.0]]]> : tensor<2x1x3xf32>}> : () -> tensor<2x1x3xf32>
  %i = "tosa.const"() <{values = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>}> : () -> tensor<2x3xi32>
  %shape = tosa.const_shape {values = dense<6> : tensor<1xindex>} : () -> !tosa.shape<1>
  %moved = tosa.transpose %w {perms = array<i32: 1, 2, 0>} : (tensor<2x1x3xf32>) -> tensor<1x3x2xf32>
  %turned = tosa.transpose %moved {perms = array<i32: 1, 0, 2>} : (tensor<1x3x2xf32>) -> tensor<3x1x2xf32>
  %flat = tosa.reshape %i, %shape : (tensor<2x3xi32>, !tosa.shape<1>) -> tensor<6xi32>
  %sum = tosa.add %x, %turned : (tensor<3x1x2xf32>, tensor<3x1x2xf32>) -> tensor<3x1x2xf32>
  return %sum, %flat : tensor<3x1x2xf32>, tensor<6xi32>
}

// CHECK:       func.func @main(%x: tensor<3x1x2xf32>) -> (tensor<3x1x2xf32>, tensor<6xi32>) {
// CHECK-NEXT:    %turned = npu.constant dense<{{\[\[\[}}1.000000e+00, 4.000000e+00]{{\], \[\[}}2.000000e+00, 5.000000e+00]{{\], \[\[}}3.000000e+00, 6.000000e+00]]]> : tensor<3x1x2xf32>
// CHECK-NEXT:    %sum = npu.add %x, %turned : tensor<3x1x2xf32>
// CHECK-NEXT:    %flat = npu.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
// CHECK-NEXT:    func.return %sum, %flat : tensor<3x1x2xf32>, tensor<6xi32>

// -----

/// A size may be unknown where the npu op does without it.
func.func @main(%x: tensor<?x8x8x3xf32>) -> tensor<?x192xf32> {
  %s = tosa.const_shape {values = dense<[-1, 192]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.reshape %x, %s : (tensor<?x8x8x3xf32>, !tosa.shape<2>) -> tensor<?x192xf32>
  return %0 : tensor<?x192xf32>
}

// CHECK:       func.func @main(%x: tensor<?x8x8x3xf32>) -> tensor<?x192xf32> {
// CHECK-NEXT:    %0 = npu.reshape %x : (tensor<?x8x8x3xf32>) -> tensor<?x192xf32>
// CHECK-NEXT:    func.return %0 : tensor<?x192xf32>

// -----

/// A cast of the type forgets one size, or knows more of them; with two forgotten sizes it stays.
func.func @main(%x: tensor<3x?xf32>, %y: tensor<2x3xf32>) -> (tensor<?x?xf32>, tensor<3x4xf32>, tensor<?x?xf32>) {
  %0 = tensor.cast %x : tensor<3x?xf32> to tensor<?x?xf32>
  %1 = tensor.cast %x : tensor<3x?xf32> to tensor<3x4xf32>
  %2 = tensor.cast %y : tensor<2x3xf32> to tensor<?x?xf32>
  return %0, %1, %2 : tensor<?x?xf32>, tensor<3x4xf32>, tensor<?x?xf32>
}

// CHECK:       %0 = npu.reshape %x dims = [?, @in1] : (tensor<3x?xf32>) -> tensor<?x?xf32>
// CHECK-NEXT:  %1 = npu.reshape %x dims = [3, 4] : (tensor<3x?xf32>) -> tensor<3x4xf32>
// CHECK-NEXT:  %2 = npu.opaque "tensor.cast"(%y) pure : (tensor<2x3xf32>) -> tensor<?x?xf32>
