// RUN: npu-opt %s --cse --dce --print-ir-after-all 2>&1 >/dev/null | filecheck %s --check-prefix AFTER --match-full-lines
// RUN: npu-opt %s --cse --dce --print-ir-before-all 2>&1 >/dev/null | filecheck %s --check-prefix BEFORE
// RUN: npu-opt %s --cse --dce --print-ir-after-change 2>%t.err | filecheck %s --check-prefix PROGRAM
// RUN: filecheck %s --check-prefix CHANGE --match-full-lines < %t.err
// RUN: npu-opt %s --cse --dce --print-ir-change 2>&1 >/dev/null | diff - %t.err
// RUN: npu-opt %s --cse --dce --mlir-print-ir-after-change 2>&1 >/dev/null | diff - %t.err
// RUN: npu-opt %s --cse --print-ir-after-all --print-op-generic 2>&1 >/dev/null | filecheck %s --check-prefix GENERIC

func.func @main(%x: f32, %y: f32) -> f32 {
  %b = arith.mulf %x, %y : f32
  %c = arith.mulf %x, %y : f32
  %d = arith.addf %b, %c : f32
  func.return %d : f32
}

/// The header lines are those of mlir-opt; the program itself is on stdout as always.
// AFTER:      // -----// IR Dump After cse //----- //
// AFTER-NEXT: builtin.module {
// AFTER-NEXT:   func.func @main(%x: f32, %y: f32) -> f32 {
// AFTER-NEXT:     %b = arith.mulf %x, %y : f32
// AFTER-NEXT:     %d = arith.addf %b, %b : f32
// AFTER-NEXT:     func.return %d : f32
// AFTER-NEXT:   }
// AFTER-NEXT: }
// AFTER-EMPTY:
// AFTER-EMPTY:
// AFTER-NEXT: // -----// IR Dump After dce //----- //
// AFTER-NEXT: builtin.module {

// BEFORE:      {{\A}}// -----// IR Dump Before cse //----- //
// BEFORE:        %c = arith.mulf %x, %y : f32
// BEFORE:      // -----// IR Dump Before dce //----- //
// BEFORE-NOT:  %c = arith.mulf

/// Nothing is printed after a pass that has changed nothing.
// CHANGE:     // -----// IR Dump After cse //----- //
// CHANGE-NOT: // -----// {{.*}}

// PROGRAM: {{\A}}builtin.module {

// GENERIC: "builtin.module"() ({
