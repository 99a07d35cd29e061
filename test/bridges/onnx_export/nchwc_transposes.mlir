// REQUIRES: onnx
// RUN: npu-opt %s -t 'onnx{nchwc=true}' -o %t.onnx
// RUN: python %S/Inputs/print_model.py %t.onnx | filecheck %s
// RUN: npu-check %s %t.onnx | filecheck %s --check-prefix=PROVED
// RUN: npu-opt %s -t onnx -o %t.plain.onnx
// RUN: python %S/Inputs/print_model.py %t.plain.onnx | filecheck %s --check-prefix=PLAIN

/// ONNX Runtime moves single elements unless two neighbouring runs of axes change places (%one) or long runs stay
/// together (%long). Other transposes are two such steps (%two, whose number of rows is unknown, and %short).
// CHECK:       [transpose] one = Transpose <perm: ints = [0, 2, 3, 1]> (x)
// CHECK-NEXT:  [transpose_1] long = Transpose <perm: ints = [2, 1, 0, 3]> (y)
// CHECK:       Transpose
// CHECK:       Reshape
// CHECK:       Transpose
// CHECK:       two = Reshape
// CHECK:       Transpose
// CHECK:       Reshape
// CHECK:       Transpose
// CHECK:       short = Reshape
// CHECK-NOT:   Transpose
// PROVED: proved
// PLAIN:      one = Transpose
// PLAIN-NEXT: long = Transpose
// PLAIN-NEXT: two = Transpose
// PLAIN-NEXT: short = Transpose
func.func @main(%x: tensor<?x3x8x8xf32>, %y: tensor<4x5x6x16xf32>) -> (tensor<?x8x8x3xf32>, tensor<6x5x4x16xf32>, tensor<8x8x3x?xf32>, tensor<6x16x5x4xf32>) {
  %one = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<?x3x8x8xf32>) -> tensor<?x8x8x3xf32>
  %long = npu.transpose %y permutation = [2, 1, 0, 3] : (tensor<4x5x6x16xf32>) -> tensor<6x5x4x16xf32>
  %two = npu.transpose %x permutation = [2, 3, 1, 0] : (tensor<?x3x8x8xf32>) -> tensor<8x8x3x?xf32>
  %short = npu.transpose %y permutation = [2, 3, 1, 0] : (tensor<4x5x6x16xf32>) -> tensor<6x16x5x4xf32>
  func.return %one, %long, %two, %short : tensor<?x8x8x3xf32>, tensor<6x5x4x16xf32>, tensor<8x8x3x?xf32>, tensor<6x16x5x4xf32>
}
