// RUN: npu-opt %s --split-input-file --convert-npu-to-fx --verify-diagnostics | filecheck %s
// RUN: npu-opt %s --split-input-file --convert-npu-to-fx="copies=true" --verify-diagnostics | filecheck %s --check-prefix=COPIES

/// Ops become calls, and constants stay.
// CHECK-LABEL: func.func @ops(
// CHECK-NEXT:    %c = npu.constant dense<1.000000e+00> : tensor<1x3xf32>
// CHECK-NEXT:    %t = npu.opaque "aten.permute.default"(%x) pure {dims = array<i64: 1, 0>, operands = ["self"]} : (tensor<3x2xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %m = npu.opaque "aten.mul.Tensor"(%t, %c) pure {operands = ["self", "other"]} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    func.return %m : tensor<2x3xf32>
// COPIES-LABEL: func.func @ops(
// COPIES:         %t = npu.opaque "aten.permute_copy.default"(%x) pure {dims = array<i64: 1, 0>, operands = ["self"]} : (tensor<3x2xf32>) -> tensor<2x3xf32>
func.func @ops(%x: tensor<3x2xf32>) -> tensor<2x3xf32> {
  %c = npu.constant dense<1.0> : tensor<1x3xf32>
  %t = npu.transpose %x permutation = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %m = npu.mul %t, %c : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  return %m : tensor<2x3xf32>
}

// -----

/// Calls that stayed are calls still, and declarations stay.
// CHECK-LABEL: func.func @stayed(
// CHECK-NEXT:    %y = npu.opaque "aten.nonzero.default"(%x) pure {operands = ["self"], onnx.dims = {{\[\[}}"u0", ""]]} : (tensor<3xi64>) -> tensor<?x1xi64>
// CHECK-NEXT:    func.return %y : tensor<?x1xi64>
// CHECK:       func.func private @declared(tensor<2xf32>) -> tensor<2xf32>
func.func @stayed(%x: tensor<3xi64>) -> tensor<?x1xi64> {
  %y = npu.opaque "aten.nonzero.default"(%x) pure {operands = ["self"], onnx.dims = [["u0", ""]]} : (tensor<3xi64>) -> tensor<?x1xi64>
  return %y : tensor<?x1xi64>
}
func.func private @declared(tensor<2xf32>) -> tensor<2xf32>

// -----

/// Values with layouts are stored in the order of their types, which calls have.
// CHECK-LABEL: func.func @placed(
// CHECK-SAME:      %x: tensor<1x3x4x5xf32>) -> tensor<1x4x5x3xf32>
// CHECK-NEXT:    %t = npu.opaque "aten.permute.default"(%x) pure {dims = array<i64: 0, 2, 3, 1>, operands = ["self"]} : (tensor<1x3x4x5xf32>) -> tensor<1x4x5x3xf32>
// CHECK-NEXT:    func.return %t : tensor<1x4x5x3xf32>
func.func @placed(%x: tensor<1x3x4x5xf32, #npu.layout<NCHW>>) -> tensor<1x4x5x3xf32, #npu.layout<NHWC>> {
  %t = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x3x4x5xf32, #npu.layout<NCHW>>) -> tensor<1x4x5x3xf32, #npu.layout<NHWC>>
  return %t : tensor<1x4x5x3xf32, #npu.layout<NHWC>>
}

// -----

/// An op that PyTorch has no operator for is an error.
// CHECK: error: pass 'convert-npu-to-fx' failed: 'onnx.Softmax' is no operator of PyTorch
func.func @none(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %y = npu.opaque "onnx.Softmax"(%x) : (tensor<1x4xf32>) -> tensor<1x4xf32>
  return %y : tensor<1x4xf32>
}
