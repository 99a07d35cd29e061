// RUN: npu-opt %s --canonicalize | filecheck %s
// RUN: npu-opt %s --canonicalize --fold-limit=24 | filecheck %s
// RUN: npu-opt %s --canonicalize --fold-limit=23 2>%t.err | filecheck %s --check-prefix LEFT
// RUN: filecheck %s --check-prefix NOTE --input-file %t.err
// RUN: npu-opt %s --canonicalize --fold-limit=0 2>&1 >/dev/null | filecheck %s --check-prefix ALL
// RUN: npu-opt %s --npu-default --fold-limit=0 2>&1 >/dev/null | filecheck %s --check-prefix INSIDE
// RUN: not npu-opt %s --fold-limit=-1 2>&1 | filecheck %s --check-prefix USAGE

/// Up to the limit, the numbers of a constant are written anew as a transpose shows them.
// CHECK-LABEL: func.func @main
// CHECK-NOT: npu.transpose
// CHECK-LABEL: func.func @free

/// Above the limit transposes of constants are kept, and one line reports it.
// LEFT-LABEL: func.func @main
// LEFT:       %large = npu.constant
// LEFT-NEXT:  %t = npu.transpose %large permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
// LEFT-NEXT:  %u = npu.constant dense<{{\[\[}}1.000000e+00], [2.000000e+00]]> : tensor<2x1xf32>
// NOTE:       {{.*}}fold_limit.mlir:[[# @LINE + 15]]:8: note: canonicalize leaves 1 view of constants of up to 24 bytes unchanged; a larger limit folds them (run: npu-opt --fold-limit=24 {{.*}}
// NOTE-NOT:   note
// ALL:        {{.*}}fold_limit.mlir:[[# @LINE + 13]]:8: note: canonicalize leaves 1 view of constants of up to 24 bytes
// INSIDE:     note: npu-default leaves
// USAGE:      npu-opt: error: argument --fold-limit: expected a non-negative number, found '-1'

/// Folds of no-op transposes, of equal elements and of references need no memory.
// LEFT-LABEL: func.func @free
// LEFT-NEXT:  %t = npu.constant #npu.reference<"w.safetensors", "w", [1, 0]> : tensor<3x2xf32>
// LEFT-NEXT:  %u = npu.constant dense<1.000000e+00> : tensor<3000x2000xf32>
// LEFT-NEXT:  %v = npu.constant dense<{{.*}}> : tensor<6xf32>

func.func @main() -> (tensor<3x2xf32>, tensor<2x1xf32>) {
  %large = npu.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %small = npu.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %t = npu.transpose %large permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %u = npu.transpose %small permutation = [1, 0] : (tensor<1x2xf32>) -> tensor<2x1xf32>
  func.return %t, %u : tensor<3x2xf32>, tensor<2x1xf32>
}

func.func @free() -> (tensor<3x2xf32>, tensor<3000x2000xf32>, tensor<6xf32>) {
  %file = npu.constant #npu.reference<"w.safetensors", "w"> : tensor<2x3xf32>
  %equal = npu.constant dense<1.0> : tensor<2000x3000xf32>
  %each = npu.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %t = npu.transpose %file permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %u = npu.transpose %equal permutation = [1, 0] : (tensor<2000x3000xf32>) -> tensor<3000x2000xf32>
  %v = npu.reshape %each : (tensor<2x3xf32>) -> tensor<6xf32>
  func.return %t, %u, %v : tensor<3x2xf32>, tensor<3000x2000xf32>, tensor<6xf32>
}
