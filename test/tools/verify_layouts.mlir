// RUN: npu-opt %s --split-input-file --canonicalize --strip-layouts --verify-layouts | filecheck %s
// RUN: npu-opt %s --split-input-file --canonicalize --verify-layouts 2>&1 >/dev/null | filecheck %s --check-prefix WARN
// RUN: npu-opt %s --split-input-file --canonicalize --verify-layouts --time-passes 2>&1 >/dev/null | filecheck %s --check-prefix TIME
// RUN: env NPU_OPT_VERIFY_LAYOUTS=1 npu-opt %s --split-input-file --canonicalize --time-passes 2>&1 >/dev/null | filecheck %s --check-prefix TIME
// RUN: env NPU_OPT_VERIFY_LAYOUTS=0 npu-opt %s --split-input-file --canonicalize --time-passes 2>&1 >/dev/null | filecheck %s --check-prefix OFF

/// Passes that move layouts are proved right, silently; the logical program is proved equal to the stored one.
// CHECK:      func.func @main(%x: tensor<1x8x4x6xf32>) -> tensor<1x6x8x4xf32> {
// CHECK-NEXT:   %a = npu.transpose %x permutation = [0, 3, 1, 2] : (tensor<1x8x4x6xf32>) -> tensor<1x6x8x4xf32>
// CHECK-NEXT:   %b = npu.relu %a : tensor<1x6x8x4xf32>
// CHECK-NEXT:   func.return %b : tensor<1x6x8x4xf32>
// TIME: {{^}}  verify layouts {{ +[0-9.]+ s}}
// OFF-NOT: verify layouts

func.func @main(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NHWC>> {
  %a = npu.transpose %x permutation = [0, 3, 1, 2]
    : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NHWC>>
  %b = npu.relu %a : tensor<1x8x4x6xf32, #npu.layout<NHWC>>
  func.return %b : tensor<1x8x4x6xf32, #npu.layout<NHWC>>
}

// -----

/// A program that can neither be proved nor run gets a warning: here canonicalization adds numbers of unknown value.
// WARN: {{.*}}verify_layouts.mlir: warning: pass 'canonicalize' is not verified: @main: effect 0, test.op, does not have the same operands and attributes, and it was not run: 'arith.constant' cannot be evaluated
// CHECK: arith.constant 2 : i32
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %y = npu.relu %x : tensor<2x3xf32>
  %one = arith.constant 1 : i32
  %two = arith.addi %one, %one : i32
  "test.op"(%two) : (i32) -> ()
  func.return %y : tensor<2x3xf32>
}

// -----

/// So are several blocks, and effects that a pass of xDSL finds to be none.
// WARN-NEXT: {{.*}}verify_layouts.mlir: warning: pass 'canonicalize' is not verified: @blocks: functions of several blocks are only compared by their text, and it was not run: @blocks has 2 blocks, and only one can be run
// WARN-NEXT: {{.*}}verify_layouts.mlir: warning: pass 'canonicalize' is not verified: @never: effect 0 is scf.for in the first program and nothing in the second, and it was not run: 'arith.constant' cannot be evaluated
// WARN-NOT:  {{.}}
func.func @blocks(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %y = npu.relu %x : tensor<2x3xf32>
  cf.br ^bb1(%y : tensor<2x3xf32>)
^bb1(%z: tensor<2x3xf32>):
  func.return %z : tensor<2x3xf32>
}
func.func @never() {
  %zero = arith.constant 0 : index
  scf.for %i = %zero to %zero step %zero {
    "test.op"() : () -> ()
  }
  func.return
}
