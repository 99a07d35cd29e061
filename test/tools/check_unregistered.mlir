// RUN: not npu-check %s %s 2>&1 | filecheck %s
// RUN: npu-check %s %s --allow-unregistered-dialect | filecheck %s --check-prefix=KEPT
// RUN: sed 's/foo.bar/foo.baz/' %s > %t.mlir
// RUN: not npu-check %s %t.mlir --allow-unregistered-dialect | filecheck %s --check-prefix=OTHER

/// An op of an unknown dialect is refused, or kept and compared by its text.
// CHECK: error: Operation foo.bar is not registered (no dialect 'foo'; --allow-unregistered-dialect keeps it unchanged)
// KEPT:  proved: {{.*}}
// OTHER: undecided: {{.*}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = "foo.bar"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
