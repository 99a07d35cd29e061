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

/// Parts of one element are taken without their axis, also where it is dropped behind a permute.
// CHECK-LABEL: func.func @parts(
// CHECK-NEXT:    %y, %0 = npu.opaque "aten.unbind.int"(%x) pure {dim = 2 : i64, operands = ["self"]} : (tensor<2x4x2x3xf32>) -> (tensor<2x4x3xf32>, tensor<2x4x3xf32>)
// CHECK-NEXT:    %z = npu.opaque "aten.permute.default"(%0) pure {dims = array<i64: 0, 2, 1>, operands = ["self"]} : (tensor<2x4x3xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT:    func.return %y, %z : tensor<2x4x3xf32>, tensor<2x3x4xf32>
// COPIES-LABEL: func.func @parts(
// COPIES-NEXT:    %a, %b = npu.opaque "aten.split_with_sizes_copy.default"(%x) pure {split_sizes = array<i64: 1, 1>, dim = 2 : i64, operands = ["self"]} : (tensor<2x4x2x3xf32>) -> (tensor<2x4x1x3xf32>, tensor<2x4x1x3xf32>)
// COPIES-NEXT:    %y = npu.opaque "aten.view_copy.default"(%a) pure {size = array<i64: 2, 4, 3>, operands = ["self"]} : (tensor<2x4x1x3xf32>) -> tensor<2x4x3xf32>
// COPIES-NEXT:    %0 = npu.opaque "aten.view_copy.default"(%b) pure {size = array<i64: 2, 4, 3>, operands = ["self"]} : (tensor<2x4x1x3xf32>) -> tensor<2x4x3xf32>
// COPIES-NEXT:    %z = npu.opaque "aten.permute_copy.default"(%0) pure {dims = array<i64: 0, 2, 1>, operands = ["self"]} : (tensor<2x4x3xf32>) -> tensor<2x3x4xf32>
// COPIES-NEXT:    func.return %y, %z : tensor<2x4x3xf32>, tensor<2x3x4xf32>
func.func @parts(%x: tensor<2x4x2x3xf32>) -> (tensor<2x4x3xf32>, tensor<2x3x4xf32>) {
  %a, %b = npu.split %x axis = 2 sizes = [1, 1] : (tensor<2x4x2x3xf32>) -> (tensor<2x4x1x3xf32>, tensor<2x4x1x3xf32>)
  %y = npu.reshape %a : (tensor<2x4x1x3xf32>) -> tensor<2x4x3xf32>
  %t = npu.transpose %b permutation = [2, 0, 3, 1] : (tensor<2x4x1x3xf32>) -> tensor<1x2x3x4xf32>
  %z = npu.reshape %t : (tensor<1x2x3x4xf32>) -> tensor<2x3x4xf32>
  return %y, %z : tensor<2x4x3xf32>, tensor<2x3x4xf32>
}

// -----

/// A part that is read with its axis keeps the split.
// CHECK-LABEL: func.func @read_whole(
// CHECK-NEXT:    %a, %b = npu.opaque "aten.split_with_sizes.default"(%x) pure {split_sizes = array<i64: 1, 1>, dim = 1 : i64, operands = ["self"]} : (tensor<2x2x3xf32>) -> (tensor<2x1x3xf32>, tensor<2x1x3xf32>)
// CHECK-NEXT:    %y = npu.opaque "aten.reshape.default"(%a) pure {shape = array<i64: 2, 3>, operands = ["self"]} : (tensor<2x1x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    func.return %y, %b : tensor<2x3xf32>, tensor<2x1x3xf32>
func.func @read_whole(%x: tensor<2x2x3xf32>) -> (tensor<2x3xf32>, tensor<2x1x3xf32>) {
  %a, %b = npu.split %x axis = 1 sizes = [1, 1] : (tensor<2x2x3xf32>) -> (tensor<2x1x3xf32>, tensor<2x1x3xf32>)
  %y = npu.reshape %a : (tensor<2x1x3xf32>) -> tensor<2x3xf32>
  return %y, %b : tensor<2x3xf32>, tensor<2x1x3xf32>
}

// -----

/// Tensors that are joined along a new axis are stacked; where there is no stack, they are joined along one that they have.
// CHECK-LABEL: func.func @joined(
// CHECK-NEXT:    %c = npu.opaque "aten.stack.default"(%x, %y) pure {dim = 2 : i64, operands = ["tensors.0", "tensors.1"]} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x2x4xf32>
// CHECK-NEXT:    func.return %c : tensor<2x3x2x4xf32>
// COPIES-LABEL: func.func @joined(
// COPIES-NEXT:    %0 = npu.opaque "aten.cat.default"(%x, %y) pure {dim = 2 : i64, operands = ["tensors.0", "tensors.1"]} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x8xf32>
// COPIES-NEXT:    %c = npu.opaque "aten.view_copy.default"(%0) pure {size = array<i64: 2, 3, 2, 4>, operands = ["self"]} : (tensor<2x3x8xf32>) -> tensor<2x3x2x4xf32>
// COPIES-NEXT:    func.return %c : tensor<2x3x2x4xf32>
func.func @joined(%x: tensor<2x3x4xf32>, %y: tensor<2x3x4xf32>) -> tensor<2x3x2x4xf32> {
  %a = npu.reshape %x : (tensor<2x3x4xf32>) -> tensor<2x3x1x4xf32>
  %b = npu.reshape %y : (tensor<2x3x4xf32>) -> tensor<2x3x1x4xf32>
  %c = npu.concat %a, %b axis = 2 : (tensor<2x3x1x4xf32>, tensor<2x3x1x4xf32>) -> tensor<2x3x2x4xf32>
  return %c : tensor<2x3x2x4xf32>
}

// -----

/// One view behind them is in place of one of each tensor that is joined.
// CHECK-LABEL: func.func @viewed_behind(
// CHECK-NEXT:    %0 = npu.opaque "aten.cat.default"(%x, %y) pure {dim = 2 : i64, operands = ["tensors.0", "tensors.1"]} : (tensor<1x2x3xf32>, tensor<1x2x6xf32>) -> tensor<1x2x9xf32>
// CHECK-NEXT:    %c = npu.opaque "aten.reshape.default"(%0) pure {shape = array<i64: 2, 3, 3>, operands = ["self"]} : (tensor<1x2x9xf32>) -> tensor<2x3x3xf32>
// CHECK-NEXT:    func.return %c : tensor<2x3x3xf32>
func.func @viewed_behind(%x: tensor<1x2x3xf32>, %y: tensor<1x2x6xf32>) -> tensor<2x3x3xf32> {
  %a = npu.reshape %x : (tensor<1x2x3xf32>) -> tensor<2x1x3xf32>
  %b = npu.reshape %y : (tensor<1x2x6xf32>) -> tensor<2x2x3xf32>
  %c = npu.concat %a, %b axis = 1 : (tensor<2x1x3xf32>, tensor<2x2x3xf32>) -> tensor<2x3x3xf32>
  return %c : tensor<2x3x3xf32>
}

// -----

/// Views that split the axis along which tensors are joined stay, and so do those that are read otherwise too.
// CHECK-LABEL: func.func @views_stay(
// CHECK-NEXT:    %a = npu.opaque "aten.reshape.default"(%x) pure {shape = array<i64: 2, 2, 3>, operands = ["self"]} : (tensor<4x3xf32>) -> tensor<2x2x3xf32>
// CHECK-NEXT:    %b = npu.opaque "aten.reshape.default"(%y) pure {shape = array<i64: 2, 2, 3>, operands = ["self"]} : (tensor<4x3xf32>) -> tensor<2x2x3xf32>
// CHECK-NEXT:    %c = npu.opaque "aten.cat.default"(%a, %b) pure {dim = 1 : i64, operands = ["tensors.0", "tensors.1"]} : (tensor<2x2x3xf32>, tensor<2x2x3xf32>) -> tensor<2x4x3xf32>
// CHECK-NEXT:    %d = npu.opaque "aten.reshape.default"(%x) pure {shape = array<i64: 2, 6>, operands = ["self"]} : (tensor<4x3xf32>) -> tensor<2x6xf32>
// CHECK-NEXT:    %e = npu.opaque "aten.cat.default"(%d, %z) pure {dim = 1 : i64, operands = ["tensors.0", "tensors.1"]} : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x12xf32>
// CHECK-NEXT:    func.return %c, %e, %d : tensor<2x4x3xf32>, tensor<2x12xf32>, tensor<2x6xf32>
func.func @views_stay(%x: tensor<4x3xf32>, %y: tensor<4x3xf32>, %z: tensor<2x6xf32>)
    -> (tensor<2x4x3xf32>, tensor<2x12xf32>, tensor<2x6xf32>) {
  %a = npu.reshape %x : (tensor<4x3xf32>) -> tensor<2x2x3xf32>
  %b = npu.reshape %y : (tensor<4x3xf32>) -> tensor<2x2x3xf32>
  %c = npu.concat %a, %b axis = 1 : (tensor<2x2x3xf32>, tensor<2x2x3xf32>) -> tensor<2x4x3xf32>
  %d = npu.reshape %x : (tensor<4x3xf32>) -> tensor<2x6xf32>
  %e = npu.concat %d, %z axis = 1 : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x12xf32>
  return %c, %e, %d : tensor<2x4x3xf32>, tensor<2x12xf32>, tensor<2x6xf32>
}

// -----

/// A permute reads axes of one element from elsewhere, so that the views around it are one.
// CHECK-LABEL: func.func @units(
// CHECK-NEXT:    %0 = npu.opaque "aten.reshape.default"(%x) pure {shape = array<i64: 1, 2, 3, 4>, operands = ["self"]} : (tensor<2x12xf32>) -> tensor<1x2x3x4xf32>
// CHECK-NEXT:    %b = npu.opaque "aten.permute.default"(%0) pure {dims = array<i64: 3, 0, 2, 1>, operands = ["self"]} : (tensor<1x2x3x4xf32>) -> tensor<4x1x3x2xf32>
// CHECK-NEXT:    func.return %b : tensor<4x1x3x2xf32>
func.func @units(%x: tensor<2x12xf32>) -> tensor<4x1x3x2xf32> {
  %a = npu.reshape %x : (tensor<2x12xf32>) -> tensor<2x3x4xf32>
  %t = npu.transpose %a permutation = [2, 1, 0] : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
  %b = npu.reshape %t : (tensor<4x3x2xf32>) -> tensor<4x1x3x2xf32>
  return %b : tensor<4x1x3x2xf32>
}

// -----

/// Views of views are one.
// CHECK-LABEL: func.func @views(
// CHECK-NEXT:    %b = npu.opaque "aten.reshape.default"(%x) pure {shape = array<i64: 24>, operands = ["self"]} : (tensor<2x12xf32>) -> tensor<24xf32>
// CHECK-NEXT:    func.return %b, %x : tensor<24xf32>, tensor<2x12xf32>
func.func @views(%x: tensor<2x12xf32>) -> (tensor<24xf32>, tensor<2x12xf32>) {
  %a = npu.reshape %x : (tensor<2x12xf32>) -> tensor<2x3x4xf32>
  %b = npu.reshape %a : (tensor<2x3x4xf32>) -> tensor<24xf32>
  %c = npu.reshape %a : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
  return %b, %c : tensor<24xf32>, tensor<2x12xf32>
}

// -----

/// An op that PyTorch has no operator for is an error.
// CHECK: error: pass 'convert-npu-to-fx' failed: 'onnx.Softmax' is no operator of PyTorch
func.func @none(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %y = npu.opaque "onnx.Softmax"(%x) : (tensor<1x4xf32>) -> tensor<1x4xf32>
  return %y : tensor<1x4xf32>
}
