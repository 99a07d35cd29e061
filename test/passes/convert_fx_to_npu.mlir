// RUN: npu-opt %s --split-input-file --convert-fx-to-npu | filecheck %s
// RUN: npu-opt %s --split-input-file --convert-fx-to-npu --convert-fx-to-npu | filecheck %s
// RUN: npu-opt %s --split-input-file --convert-fx-to-npu | npu-opt --split-input-file | filecheck %s

/// Calls become the ops that compute the same.
// CHECK-LABEL: func.func @views(
// CHECK-NEXT:    %p = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x3x4x5xf32>) -> tensor<1x4x5x3xf32>
// CHECK-NEXT:    %r = npu.relu %p : tensor<1x4x5x3xf32>
// CHECK-NEXT:    %q = npu.transpose %r permutation = [0, 3, 1, 2] : (tensor<1x4x5x3xf32>) -> tensor<1x3x4x5xf32>
// CHECK-NEXT:    func.return %q : tensor<1x3x4x5xf32>
func.func @views(%x: tensor<1x3x4x5xf32>) -> tensor<1x3x4x5xf32> {
  %p = npu.opaque "aten.permute.default"(%x) pure {dims = array<i64: 0, 2, 3, 1>, operands = ["self"]} : (tensor<1x3x4x5xf32>) -> tensor<1x4x5x3xf32>
  %r = npu.opaque "aten.relu.default"(%p) pure {operands = ["self"]} : (tensor<1x4x5x3xf32>) -> tensor<1x4x5x3xf32>
  %q = npu.opaque "aten.permute.default"(%r) pure {dims = array<i64: 0, 3, 1, 2>, operands = ["self"]} : (tensor<1x4x5x3xf32>) -> tensor<1x3x4x5xf32>
  return %q : tensor<1x3x4x5xf32>
}

// -----

/// Copies of views, as the edge dialect of ExecuTorch has them, are the same ops.
// CHECK-LABEL: func.func @copies(
// CHECK-NEXT:    %p = npu.transpose %x permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK-NEXT:    func.return %p : tensor<3x2xf32>
func.func @copies(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %p = npu.opaque "aten.permute_copy.default"(%x) pure {dims = array<i64: 1, -2>, operands = ["self"]} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %p : tensor<3x2xf32>
}

// -----

/// A call of an operator that npu lacks stays, and so do ops of other systems.
// CHECK-LABEL: func.func @stays(
// CHECK-NEXT:    %y, %i = npu.opaque "aten.sort.stable"(%x) pure {stable = true, dim = -1 : i64, descending = false, operands = ["self"]} : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xi64>)
// CHECK-NEXT:    %z = npu.opaque "vendor.sort"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    func.return %y, %i, %z : tensor<2x3xf32>, tensor<2x3xi64>, tensor<2x3xf32>
func.func @stays(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xi64>, tensor<2x3xf32>) {
  %y, %i = npu.opaque "aten.sort.stable"(%x) pure {stable = true, dim = -1 : i64, descending = false, operands = ["self"]} : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xi64>)
  %z = npu.opaque "vendor.sort"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %y, %i, %z : tensor<2x3xf32>, tensor<2x3xi64>, tensor<2x3xf32>
}

// -----

/// Calls with arguments that are wrong or missing stay as they are.
// CHECK-LABEL: func.func @wrong(
// CHECK-NEXT:    %p = npu.opaque "aten.permute.default"(%x) pure {dims = array<i64: 0, 7>, operands = ["self"]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %q = npu.opaque "aten.permute.default"(%x) pure {dims = array<i64: 1, 0>, operands = ["self"]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %r = npu.opaque "aten.relu.default"() pure {operands = []} : () -> tensor<2x3xf32>
// CHECK-NEXT:    %s = npu.opaque "aten.relu.default"(%x) pure {operands = 3 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %t = npu.opaque "aten.relu.default"(%x) pure : (tensor<2x3xf32>) -> tensor<2x3xf32>
func.func @wrong(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %p = npu.opaque "aten.permute.default"(%x) pure {dims = array<i64: 0, 7>, operands = ["self"]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %q = npu.opaque "aten.permute.default"(%x) pure {dims = array<i64: 1, 0>, operands = ["self"]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %r = npu.opaque "aten.relu.default"() pure {operands = []} : () -> tensor<2x3xf32>
  %s = npu.opaque "aten.relu.default"(%x) pure {operands = 3} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %t = npu.opaque "aten.relu.default"(%x) pure : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %p : tensor<2x3xf32>
}
