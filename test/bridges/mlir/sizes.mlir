// REQUIRES: mlir-bindings
// RUN: npu-opt %s --split-input-file -t tosa --parsing-diagnostics --verify-diagnostics | filecheck %s
// RUN: sed '1,/^... A size that is forgotten/d' %s | npu-opt -t tosa -o %t.mlir
// RUN: sed '1,/^... A size that is forgotten/d' %s > %t.npu.mlir
// RUN: npu-check -f mlir,tosa %t.npu.mlir %t.mlir | filecheck %s --check-prefix PROVED

/// Views and elementwise ops of TOSA have unknown sizes as well.
func.func @main(%x: tensor<?x3xf32>, %y: tensor<1x3xf32>) -> tensor<3x1x?xf32> {
  %0 = npu.add %x, %y : (tensor<?x3xf32>, tensor<1x3xf32>) -> tensor<?x3xf32>
  %1 = npu.relu %0 : tensor<?x3xf32>
  %2 = npu.transpose %1 permutation = [1, 0] : (tensor<?x3xf32>) -> tensor<3x?xf32>
  %3 = npu.reshape %2 : (tensor<3x?xf32>) -> tensor<3x1x?xf32>
  func.return %3 : tensor<3x1x?xf32>
}
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %0 = tosa.add %arg0, %arg1 : (tensor<?x3xf32>, tensor<1x3xf32>) -> tensor<?x3xf32>
// CHECK-NEXT: %1 = tosa.clamp %0 {max_val = 0x7F800000 : f32, min_val = 0.000000e+00 : f32} : (tensor<?x3xf32>) -> tensor<?x3xf32>
// CHECK-NEXT: %2 = tosa.transpose %1 {perms = array<i32: 1, 0>} : (tensor<?x3xf32>) -> tensor<3x?xf32>
// CHECK-NEXT: %3 = tosa.const_shape {values = dense<[3, 1, -1]> : tensor<3xindex>} : () -> !tosa.shape<3>
// CHECK-NEXT: %4 = tosa.reshape %2, %3 : (tensor<3x?xf32>, !tosa.shape<3>) -> tensor<3x1x?xf32>
// CHECK-NEXT: return %4

// -----

/// A size that only the program knows.
func.func @main(%x: tensor<?x3xf32>, %y: tensor<2x3xf32>, %z: tensor<?x3xf32>) -> (tensor<2x3xf32>, tensor<?x3xf32>) {
  %0 = npu.add %x, %y : (tensor<?x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = npu.add %x, %z : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  func.return %0, %1 : tensor<2x3xf32>, tensor<?x3xf32>
}
// CHECK: tosa.add %arg0, %arg1 : (tensor<?x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: tosa.add %arg0, %arg2 : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>

// -----

/// Loops need all sizes.
func.func @main(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %y = npu.sinh %x : tensor<?x3xf32>
  func.return %y : tensor<?x3xf32>
}
// CHECK: all sizes must be known to compile, found ?x3

// -----

/// So do other ops.
func.func @main(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %y = npu.softmax %x axis = 1 : tensor<?x3xf32>
  func.return %y : tensor<?x3xf32>
}
// CHECK: all sizes must be known to compile, found ?x3

// -----

/// A view of several unknown sizes.
func.func @main(%x: tensor<?x?xf32>) -> tensor<?x1x?xf32> {
  %y = npu.reshape %x dims = [@in0, 1, @in1] : (tensor<?x?xf32>) -> tensor<?x1x?xf32>
  func.return %y : tensor<?x1x?xf32>
}
// CHECK: all sizes must be known to compile, found ?x1x?

// -----

/// A size that is forgotten: the type is cast, and read as such. Elements that move to other axes are none of that.
func.func @main(%x: tensor<3x?xf32>) -> tensor<?x?xf32> {
  %y = npu.reshape %x dims = [?, @in1] : (tensor<3x?xf32>) -> tensor<?x?xf32>
  func.return %y : tensor<?x?xf32>
}
func.func @moved(%x: tensor<2x?xf32>) -> tensor<?x5xf32> {
  %y = npu.reshape %x : (tensor<2x?xf32>) -> tensor<?x5xf32>
  %z = npu.reshape %x dims = [?, 5] : (tensor<2x?xf32>) -> tensor<?x5xf32>
  %s = npu.add %y, %z : tensor<?x5xf32>
  func.return %s : tensor<?x5xf32>
}
// CHECK: tensor.cast %arg0 : tensor<3x?xf32> to tensor<?x?xf32>
// CHECK-LABEL: @moved
// CHECK-NOT: tensor.cast
// CHECK: return
// PROVED: proved: {{.*}} compute the same
