// RUN: npu-opt %s --fold-norms -o %t.mlir
// RUN: npu-check %s %t.mlir --arithmetic | filecheck %s
// RUN: not npu-check %s %t.mlir | filecheck %s --check-prefix=BITS
// RUN: sed 's/3.0]]/5.0]]/' %s > %t.other.mlir
// RUN: not npu-check %t.other.mlir %t.mlir --arithmetic | filecheck %s --check-prefix=OTHER

/// With --arithmetic, a factor behind a product is a part of the weights. Without it only bits count.
// CHECK:      proved: {{.*}}check_arithmetic.mlir and {{.*}}.tmp.mlir compute the same
// CHECK-NEXT: note: assumed: ops compute the arithmetic that defines them, step by step

// BITS:       undecided: @main: result 0 is not computed in the same way
// BITS:       note: @main was run on 1 random input (seed 0): the results agree

/// Another factor is another program.
// OTHER:      different: @main
func.func @main(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %k = npu.constant dense<[[1.0, 2.0], [4.0, 6.0]]> : tensor<2x2xf32>
  %s = npu.constant dense<[[0.1, 3.0]]> : tensor<1x2xf32>
  %a = npu.matmul %x, %k : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %y = npu.mul %a, %s : tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}
