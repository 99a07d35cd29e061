// RUN: not npu-opt %s 2>&1 >%t.out | filecheck %s --check-prefix FIRST
// RUN: test ! -s %t.out
// RUN: npu-opt %s --split-input-file --parsing-diagnostics --verify-diagnostics | filecheck %s
// RUN: not npu-opt no-such-file.mlir 2>&1 | filecheck %s --check-prefix MISSING
// RUN: not npu-opt %S 2>&1 | filecheck %s --check-prefix FOLDER
// RUN: not npu-opt /dev/null 2>&1 | filecheck %s --check-prefix EMPTY
// RUN: printf 'func.func @f() {\n  "a\377"\n}' > %t.bytes.mlir
// RUN: not npu-opt %t.bytes.mlir 2>&1 | filecheck %s --check-prefix BYTES
// RUN: cp %s %t.txt
// RUN: not npu-opt %t.txt 2>&1 | filecheck %s --check-prefix ENDING

/// The first error of a file ends the run: nothing is on stdout.
// FIRST:      {{.*}}diagnostics.mlir:{{[0-9]+}}:8: error: Operation arith.addg is not registered (did you mean arith.addi?)
// FIRST-NEXT: %y = arith.addg %x, %x : f32
// FIRST-NEXT:      ^^^^^^^^^^

// MISSING:     npu-opt: error: cannot read 'no-such-file.mlir': No such file or directory
// MISSING-NOT: Traceback
// FOLDER:      npu-opt: error: cannot read '{{.*}}': Is a directory
// FOLDER-NOT:  Traceback
// EMPTY:       /dev/null:1:1: error: empty input: expected an operation
// BYTES:       {{.*}}.bytes.mlir:2:5: error: not UTF-8 text: byte 0xff
// ENDING:      {{.*}}.txt: error: '.txt' is the ending of no frontend (.mlir, .onnx, .pt2, .tflite); -f chooses one for any name

/// An op that is not there, in a dialect that is.
// CHECK:      {{.*}}diagnostics.mlir:[[# @LINE + 5]]:8: error: Operation arith.addg is not registered (did you mean arith.addi?)
// CHECK-NEXT:   %y = arith.addg %x, %x : f32
// CHECK-NEXT:        ^^^^^^^^^^

func.func @f(%x: f32) -> f32 {
  %y = arith.addg %x, %x : f32
  func.return %y : f32
}

// -----

/// An op of an unregistered dialect.
// CHECK:      {{.*}}diagnostics.mlir:[[# @LINE + 4]]:3: error: Operation foo.bar is not registered (no dialect 'foo'; --allow-unregistered-dialect keeps it unchanged)
// CHECK-NEXT:   foo.bar %x
// CHECK-NEXT:   ^^^^^^^
func.func @f(%x: f32) {
  foo.bar %x
}

// -----

/// In generic format the quotes are marked as well.
// CHECK:      {{.*}}diagnostics.mlir:[[# @LINE + 5]]:3: error: Operation foo.bar is not registered (no dialect 'foo'; --allow-unregistered-dialect keeps it unchanged)
// CHECK-NEXT:   "foo.bar"(%x) : (f32) -> ()
// CHECK-NEXT:   ^^^^^^^^^

func.func @f(%x: f32) {
  "foo.bar"(%x) : (f32) -> ()
  func.return
}

// -----

/// A verifier error is located at the op, and only the op is printed, without its weights.
// CHECK:      {{.*}}diagnostics.mlir:[[# @LINE + 5]]:8: error: operand 'rhs' at position 1 does not verify: attribute tensor<4xf32> expected from variable 'T', but got tensor<18xi32>
// CHECK-NEXT:   %z = "arith.addf"(%x, %c) : (tensor<4xf32>, tensor<18xi32>) -> tensor<4xf32>
// CHECK-NEXT:        ^^^^^^^^^^^^
// CHECK-NEXT: note: see current operation: %z = "arith.addf"(%x, %c) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>, tensor<18xi32>) -> tensor<4xf32>
func.func @f(%x: tensor<4xf32>, %c: tensor<18xi32>) -> tensor<4xf32> {
  %z = "arith.addf"(%x, %c) : (tensor<4xf32>, tensor<18xi32>) -> tensor<4xf32>
  func.return %z : tensor<4xf32>
}

// -----

/// A constant of more than 16 elements is elided in the note about its op.
// CHECK:      {{.*}}diagnostics.mlir:[[# @LINE + 4]]:6: error: attribute tensor<3xi8> expected from variable 'T', but got tensor<17xi8>
// CHECK:      note: see current operation: %c = "arith.constant"() <{value = dense<__elided__> : tensor<17xi8>}> : () -> tensor<3xi8>
func.func @f() {
  %c =
     "arith.constant"() <{value = dense<[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]> : tensor<17xi8>}> : () -> tensor<3xi8>
  func.return
}

// -----

/// Text that reads well but makes no valid attribute.
// CHECK:      {{.*}}diagnostics.mlir:[[# @LINE + 1]]:{{[0-9]+}}: error: Shape mismatch in dense literal. Expected [3] shape from the type, but got [2] shape.
"test.op"() {a = dense<[1, 2]> : tensor<3xi32>} : () -> ()

// -----

/// An operation with a location is reported there.
// CHECK:      model.py:12:34: error: operand 'rhs' at position 1 does not verify: attribute f32 expected from variable 'T', but got f64
// CHECK-NEXT: note: see current operation: %z = "arith.addf"(%x, %y) <{fastmath = #arith.fastmath<none>}> : (f32, f64) -> f32
func.func @f(%x: f32, %y: f64) -> f32 {
  %z = "arith.addf"(%x, %y) : (f32, f64) -> f32 loc("model.py":12:34)
  func.return %z : f32
}

// -----

/// An error with a second place shows both.
// CHECK:      {{.*}}diagnostics.mlir:[[# @LINE + 9]]:1: error: re-declaration of block 'bb0'
// CHECK-NEXT: ^bb0:
// CHECK-NEXT: ^^^^
// CHECK-NEXT: {{.*}}diagnostics.mlir:[[# @LINE + 4]]:1: note: originally declared here
// CHECK-NEXT: ^bb0:
// CHECK-NEXT: ^^^^
func.func @f() {
^bb0:
  func.return
^bb0:
  func.return
}

// -----

/// Text that is no operation is an error, too.
// CHECK:      {{.*}}diagnostics.mlir:[[# @LINE + 3]]:1: error: Could not parse entire input!
// CHECK-NEXT: }
// CHECK-NEXT: ^
}
