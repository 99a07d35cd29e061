// RUN: rm -rf %t && mkdir %t
// RUN: npu-opt %s -o %t/out.mlir > %t.stdout
// RUN: test ! -s %t.stdout
// RUN: filecheck %s < %t/out.mlir
/// `-o -` is stdout.
// RUN: npu-opt %s -o - | filecheck %s
/// A failure leaves the old file as it was, and nothing beside it.
// RUN: not npu-opt %s --transform-interpreter -o %t/out.mlir 2>&1 | filecheck %s --check-prefix FAILED
// RUN: filecheck %s < %t/out.mlir
// RUN: ls -A %t | filecheck %s --check-prefix ONLY
/// A result replaces the file that it was read from.
// RUN: npu-opt %t/out.mlir --cse -o %t/out.mlir
// RUN: filecheck %s < %t/out.mlir
/// Devices are written to, not replaced.
// RUN: npu-opt %s -o /dev/null
// RUN: test -c /dev/null
// RUN: not npu-opt %s -o %t/no/such/folder.mlir 2>&1 | filecheck %s --check-prefix NOWHERE
// RUN: not npu-opt %s -o %t 2>&1 | filecheck %s --check-prefix FOLDER

func.func private @f()

// CHECK:      builtin.module {
// CHECK-NEXT:   func.func private @f()
// CHECK-NEXT: }

// FAILED: error: pass 'transform-interpreter' failed
// ONLY:     out.mlir
// ONLY-NOT: {{.}}
// NOWHERE: npu-opt: error: cannot write '{{.*}}folder.mlir': No such file or directory
// FOLDER:  npu-opt: error: cannot write '{{.*}}': Is a directory
