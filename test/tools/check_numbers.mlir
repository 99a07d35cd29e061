// RUN: sed -e 's/0x7FC00000/2.0/' %s > %t.nan.mlir
// RUN: not npu-check %s %t.nan.mlir | filecheck %s --check-prefix=NAN --match-full-lines
// RUN: not npu-check %s %t.nan.mlir --json | filecheck %s --check-prefix=JSON
// RUN: sed -e 's/9223372036854775807/9223372036854775806/' %s > %t.long.mlir
// RUN: not npu-check %s %t.long.mlir | filecheck %s --check-prefix=LONG --match-full-lines
// RUN: sed -e 's/dense<2>/dense<3>/' %s > %t.scalar.mlir
// RUN: not npu-check %s %t.scalar.mlir | filecheck %s --check-prefix=SCALAR --match-full-lines

/// A number differs from a NaN by more than from any number; JSON has no infinity, so it is a text there.
// NAN: note: 1 of 2 elements differ, by up to inf: element [0] is nan in the first program and 2.0 in the second
// NAN: note: @main was run on 1 random input (seed 0): the results differ, by up to inf
// JSON: "constants": {"elements": 1, "of": 2, "largest": "inf", "place": [0], "first": "nan", "second": 2.0}
// JSON-SAME: "largest_difference": "inf"

/// Integers are compared exactly, also where floats would round them.
// LONG: note: 1 of 2 elements differ, by up to 1: element [0] is 9223372036854775807 in the first program and 9223372036854775806 in the second
// LONG: note: @main was run on 1 random input (seed 0): the results differ, by up to 1

/// A scalar has one element, without a position.
// SCALAR: note: 1 of 1 elements differ, by up to 1: the element is 2 in the first program and 3 in the second
func.func @main(%x: tensor<2xf32>, %i: tensor<2xi64>) -> (tensor<2xf32>, tensor<2xi64>, tensor<i64>) {
  %k = npu.constant dense<[0x7FC00000, 1.0]> : tensor<2xf32>
  %n = npu.constant dense<[9223372036854775807, 1]> : tensor<2xi64>
  %s = npu.constant dense<2> : tensor<i64>
  %y = npu.add %x, %k : tensor<2xf32>
  func.return %y, %n, %s : tensor<2xf32>, tensor<2xi64>, tensor<i64>
}
