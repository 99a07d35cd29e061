// RUN: npu-opt %s --dce --cse --dce --print-ir-diff 2>&1 >/dev/null | filecheck %s --strict-whitespace
// RUN: npu-opt %s --cse --print-ir-diff 2>/dev/null | filecheck %s --check-prefix PROGRAM
// RUN: npu-opt %s --cse --print-ir-diff --print-op-generic 2>&1 >/dev/null | filecheck %s --check-prefix GENERIC

func.func @main(%x: f32, %y: f32) -> f32 {
  %b = arith.mulf %x, %y : f32
  %c = arith.mulf %x, %y : f32
  %d = arith.addf %b, %c : f32
  func.return %d : f32
}

/// A diff of the one pass that has changed something; the program itself is on stdout as always.
// CHECK:{{\A}}--- before cse
// CHECK-NEXT:+++ after cse
// CHECK-NEXT:@@ -1,8 +1,7 @@
// CHECK-NEXT: builtin.module {
// CHECK-NEXT:   func.func @main(%x: f32, %y: f32) -> f32 {
// CHECK-NEXT:     %b = arith.mulf %x, %y : f32
// CHECK-NEXT:-    %c = arith.mulf %x, %y : f32
// CHECK-NEXT:-    %d = arith.addf %b, %c : f32
// CHECK-NEXT:+    %d = arith.addf %b, %b : f32
// CHECK-NEXT:     func.return %d : f32
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-NOT:  dce

// PROGRAM: {{\A}}builtin.module {

// GENERIC: -    %c = "arith.mulf"(%x, %y)
