// RUN: npu-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect | filecheck %s
// RUN: sed -n "/^\/\/ FIRST CASE/,/^\/\/ END OF IT/p" %s > %t.mlir
// RUN: not npu-opt %t.mlir --fuse-ops 2>&1 | filecheck %s --check-prefix TOOLS
// RUN: not npu-check %t.mlir %t.mlir 2>&1 | filecheck %s --check-prefix TOOLS
// RUN: not npu-run %t.mlir --engine=numpy 2>&1 | filecheck %s --check-prefix TOOLS
// RUN: not npu-opt %t.mlir --disable-verify --fuse-ops --reproducer=%t.again 2>&1 | filecheck %s --check-prefix PASS
// RUN: not npu-opt %t.mlir --disable-verify --layout-preset --reproducer=%t.again 2>&1 | filecheck %s --check-prefix PASS

/// All tools refuse it, and passes that would go round for ever look for themselves.
// TOOLS: {{.*}}.mlir:3:8: error: operand #1 does not dominate this use
// PASS:  {{.*}}.mlir:3:8: error: pass '{{.*}}' failed: operand #1 does not dominate this use

/// Two ops that read each other.
// CHECK:      {{.*}}dominance.mlir:[[# @LINE + 10]]:8: error: operand #1 does not dominate this use
// CHECK-NEXT:   %y = npu.add %x, %c
// CHECK-NEXT:        ^^^^^^^
// CHECK-NEXT: note: see current operation: %y = "npu.add"(%x, %c) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: {{.*}}dominance.mlir:[[# @LINE + 7]]:8: note: operand defined here (op in the same block)
// CHECK-NEXT:   %c = npu.relu %y
// CHECK-NEXT:        ^^^^^^^^

// FIRST CASE
func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %y = npu.add %x, %c : tensor<2x2xf32>
  %c = npu.relu %y : tensor<2x2xf32>
  return %c : tensor<2x2xf32>
}
// END OF IT

// -----

/// An op that reads its own result.
// CHECK:      {{.*}}dominance.mlir:[[# @LINE + 3]]:8: error: operand #0 does not dominate this use
// CHECK:      note: operand defined here (op in the same block)
func.func @itself() -> tensor<2xf32> {
  %y = npu.relu %y : tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

/// Blocks may be in any order, as long as the definition dominates the use.
// CHECK-LABEL: func.func @any_sequence
func.func @any_sequence(%x: f32) -> f32 {
  cf.br ^define
^use:
  func.return %y : f32
^define:
  %y = arith.addf %x, %x : f32
  cf.br ^use
}

// -----

/// One of two ways to the use does not define it.
// CHECK:      {{.*}}dominance.mlir:[[# @LINE + 8]]:3: error: operand #0 does not dominate this use
// CHECK:      note: operand defined here (op in the same region)
func.func @one_way(%x: f32, %c: i1) -> f32 {
  cf.cond_br %c, ^a, ^b
^a:
  %y = arith.addf %x, %x : f32
  cf.br ^b
^b:
  func.return %y : f32
}

// -----

/// So with the argument of a block.
// CHECK:      {{.*}}dominance.mlir:[[# @LINE + 7]]:3: error: operand #0 does not dominate this use
// CHECK:      {{.*}}dominance.mlir:[[# @LINE + 1]]:1: note: operand defined as a block argument (block #1 in the same region)
func.func @argument(%x: f32, %c: i1) -> f32 {
  cf.cond_br %c, ^a(%x : f32), ^b
^a(%y: f32):
  cf.br ^b
^b:
  func.return %y : f32
}

// -----

/// An unreachable block is not checked.
// CHECK-LABEL: func.func @unreachable
func.func @unreachable(%x: f32) -> f32 {
  func.return %x : f32
^nowhere:
  %y = arith.addf %y, %y : f32
  func.return %y : f32
}

// -----

/// Ops in a region see what comes before the op that has it.
// CHECK-LABEL: func.func @nested
func.func @nested(%x: f32, %c: i1) -> f32 {
  %y = arith.addf %x, %x : f32
  %r = scf.if %c -> (f32) {
    scf.yield %y : f32
  } else {
    scf.yield %x : f32
  }
  func.return %r : f32
}

// -----

/// They do not see what comes after it.
// CHECK:      {{.*}}dominance.mlir:[[# @LINE + 4]]:5: error: operand #0 does not dominate this use
// CHECK:      {{.*}}dominance.mlir:[[# @LINE + 7]]:8: note: operand defined here (op in a parent region)
func.func @nested_before(%x: f32, %c: i1) -> f32 {
  %r = scf.if %c -> (f32) {
    scf.yield %y : f32
  } else {
    scf.yield %x : f32
  }
  %y = arith.addf %x, %x : f32
  func.return %r : f32
}

// -----

/// The order of the ops of a module has no meaning, as in MLIR, nor has that in an unregistered op.
// CHECK: "test.use"(%a) : (i32) -> ()
// CHECK: "foo.graph"
"test.use"(%a) : (i32) -> ()
%a = "test.def"() : () -> i32
"foo.graph"() ({
  "test.use"(%b) : (i32) -> ()
  %b = "test.def"() : () -> i32
}) : () -> ()
