// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: not npu-opt %s --canonicalize --cse --convert-func-to-x86-func --dce > %t.stdout 2>err
// RUN: test ! -s %t.stdout
// RUN: filecheck %s --check-prefix ERROR < err
// RUN: filecheck %s --check-prefix FILE < npu-opt-reproducer.mlir
/// The command in the file repeats the failure.
// RUN: not npu-opt npu-opt-reproducer.mlir -p convert-func-to-x86-func 2>&1 | filecheck %s --check-prefix AGAIN
/// A file that is there is kept.
// RUN: filecheck %s --check-prefix FILE < npu-opt-reproducer.mlir
// RUN: filecheck %s --check-prefix FILE < npu-opt-reproducer-2.mlir
/// The name can be given.
// RUN: not npu-opt %s --convert-func-to-x86-func --reproducer=here.mlir 2>&1 | filecheck %s --check-prefix HERE
/// A pass that refuses its input states the reason; a reproducer is written only if it is asked for.
// RUN: not npu-opt %s --cse --transform-interpreter 2>&1 | filecheck %s --check-prefix REFUSED
// RUN: not npu-opt %s --cse --transform-interpreter --reproducer=refused.mlir 2>&1 | filecheck %s --check-prefix ASKED
// RUN: ls | filecheck %s --check-prefix FILES

// ERROR:      {{.*}}reproducer.mlir:[[# @LINE + 22]]:1: error: pass 'convert-func-to-x86-func' failed: Cannot lower shaped function parameters (not implemented)
// ERROR-NEXT: func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
// ERROR-NEXT: ^^^^^^^^^
// ERROR-NEXT: note: see current operation: "func.func"() <{sym_name = "main", function_type = (tensor<4xf32>) -> tensor<4xf32>}> ({...}) : () -> ()
// ERROR-NEXT: note: passes before 'convert-func-to-x86-func': canonicalize, cse
// ERROR-NEXT: note: the program before the pass is in npu-opt-reproducer.mlir; to reproduce the failure:
// ERROR-NEXT: {{^}}  npu-opt npu-opt-reproducer.mlir -p convert-func-to-x86-func
// ERROR-NOT:  {{.}}

// FILE:      // {{R}}UN: npu-opt {{npu-opt-reproducer(-2)?.mlir}} -p convert-func-to-x86-func
// FILE-NEXT: // Passes before it: {{canonicalize,cse|none}}
// FILE-NEXT: // Failure: Cannot lower shaped function parameters (not implemented)
// FILE-NEXT: builtin.module {
// FILE-NEXT:   func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
// FILE-NEXT:     func.return %x : tensor<4xf32>
// FILE-NEXT:   }
// FILE-NEXT: }

// AGAIN:   npu-opt-reproducer.mlir:5:3: error: pass 'convert-func-to-x86-func' failed
// HERE:    note: the program before the pass is in here.mlir; to reproduce the failure:
// HERE-NEXT: {{^}}  npu-opt here.mlir -p convert-func-to-x86-func

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %dead = arith.addf %x, %x : tensor<4xf32>
  func.return %x : tensor<4xf32>
}

// REFUSED:      {{.*}}reproducer.mlir: error: pass 'transform-interpreter' failed: {{.*}}
// REFUSED-NEXT: note: passes before 'transform-interpreter': cse
// REFUSED-NOT:  {{.}}
// ASKED:        note: the program before the pass is in refused.mlir

// FILES:      err
// FILES-NEXT: here.mlir
// FILES-NEXT: npu-opt-reproducer-2.mlir
// FILES-NEXT: npu-opt-reproducer.mlir
// FILES-NEXT: refused.mlir
