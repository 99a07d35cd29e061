// RUN: npu-opt %s --canonicalize | filecheck %s --check-prefix FLAG
// RUN: npu-opt %s -p canonicalize | filecheck %s --check-prefix FLAG
// RUN: npu-opt --canonicalize --cse %s | filecheck %s --check-prefix BOTH
// RUN: npu-opt %s --cse -p dce --print-between-passes --canonicalize 2>&1 >/dev/null | filecheck %s --check-prefix ORDER
// RUN: npu-opt %s -p dce,canonicalize --cse --print-between-passes 2>&1 >/dev/null | filecheck %s --check-prefix MIXED
// RUN: npu-opt %s --constant-fold-interp --test-add-timers-to-top-level-funcs --time-passes 2>&1 >/dev/null | filecheck %s --check-prefix ROWS
// RUN: npu-opt %s --arith-add-fastmath="flags=nnan,nsz" | filecheck %s --check-prefix OPTION
// RUN: npu-opt %s -p 'arith-add-fastmath{flags=nnan,nsz}' | filecheck %s --check-prefix OPTION
// RUN: cat %s | npu-opt --canonicalize | filecheck %s --check-prefix FLAG
// RUN: cat %s | npu-opt - --canonicalize | filecheck %s --check-prefix FLAG

func.func @main(%x: f32, %y: f32) -> (f32, f32) {
  %unused = arith.mulf %x, %y : f32
  %a = arith.addf %x, %y : f32
  %b = arith.addf %x, %y : f32
  func.return %a, %b : f32, f32
}

/// A flag runs its pass: the dead multiplication goes, equal additions stay.
// FLAG:      builtin.module {
// FLAG-NEXT:   func.func @main(%x: f32, %y: f32) -> (f32, f32) {
// FLAG-NEXT:     %a = arith.addf %x, %y : f32
// FLAG-NEXT:     %b = arith.addf %x, %y : f32
// FLAG-NEXT:     func.return %a, %b : f32, f32
// FLAG-NEXT:   }
// FLAG-NEXT: }

/// Several flags run several passes, and the input file after a flag is not taken for its options.
// BOTH:      func.func @main(%x: f32, %y: f32) -> (f32, f32) {
// BOTH-NEXT:   %a = arith.addf %x, %y : f32
// BOTH-NEXT:   func.return %a, %a : f32, f32

/// Flags and -p keep their common order.
// ORDER:     // ----- after cse
// ORDER:     // ----- after dce
// ORDER-NOT: // -----

// MIXED:     // ----- after dce
// MIXED:     // ----- after canonicalize
// MIXED-NOT: // -----

/// A flag without options may be anywhere.
// ROWS:      1. constant-fold-interp
// ROWS-NEXT: 2. test-add-timers-to-top-level-funcs

/// Options follow the equals sign, with the same meaning as in braces.
// OPTION: %a = arith.addf %x, %y fastmath<nnan,nsz> : f32
