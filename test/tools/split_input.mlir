// RUN: npu-opt %s --split-input-file | filecheck %s
// RUN: sed s,test.op,arith.nothing, %s > %t.mlir
// RUN: not npu-opt %t.mlir --split-input-file 2>&1 >%t.out | filecheck %s --check-prefix LINE
// RUN: test ! -s %t.out
// RUN: npu-opt %t.mlir --split-input-file --parsing-diagnostics | filecheck %s --check-prefix GOES-ON

/// Each piece is a program of its own: equal names do not clash.
// CHECK:      builtin.module {
// CHECK-NEXT:   func.func private @f()
// CHECK-NEXT: }
func.func private @f()

// -----
/// The name of the first piece, again.
// CHECK:      {{/}}/ -----
// CHECK-NEXT: builtin.module {
// CHECK-NEXT:   func.func private @f()
// CHECK-NEXT: }
func.func private @f()

// -----

/// Lines are counted from the start of the file, and an error in one piece leaves stdout empty.
// LINE:      {{.*}}split_input.mlir.tmp.mlir:29:3: error: Operation arith.nothing is not registered (did you mean arith.ori?)
// LINE-NEXT: {{^}}  "arith.nothing"() : () -> ()
// LINE-NEXT: {{^}}  ^^^^^^^^^^^^^^^
// CHECK:      {{/}}/ -----
func.func @f() {
  "test.op"() : () -> ()
  func.return
}

// -----

/// With the flag for tests, the message is printed in the place of the program of its piece.
// GOES-ON:      func.func private @f()
// GOES-ON:      {{/}}/ -----
// GOES-ON-NEXT: builtin.module {
// GOES-ON-NEXT:   func.func private @f()
// GOES-ON:      {{/}}/ -----
// GOES-ON-NEXT: {{.*}}:29:3: error: Operation arith.nothing is not registered
// GOES-ON:      {{/}}/ -----
// GOES-ON-NEXT: builtin.module {
// GOES-ON-NEXT:   func.func private @last()
// CHECK:      func.func private @last()
func.func private @last()
