// REQUIRES: mlir-bindings
// RUN: npu-opt %s -f tosa --layout-optimal --canonicalize -o %t.mlir
// RUN: npu-check -f tosa,mlir %s %t.mlir | filecheck %s
// RUN: npu-check -f tosa %s %s | filecheck %s --check-prefix SAME
// RUN: npu-run -f tosa %s --engine=numpy | filecheck %s --check-prefix ONE
// RUN: npu-run -f tosa,mlir %s --compare %t.mlir | filecheck %s --check-prefix TWO
// RUN: not npu-check -f tosa,tsoa %s %t.mlir 2>&1 | filecheck %s --check-prefix UNKNOWN
// RUN: not npu-run -f tosa,mlir,onnx %s 2>&1 | filecheck %s --check-prefix MANY
// RUN: not npu-check -f tosa %s %t.mlir 2>&1 | filecheck %s --check-prefix WRONG

/// npu-check and npu-run read programs with the frontends that are named: one for both, or one for each.
func.func @main(%x: tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32> {
  %0 = tosa.transpose %x {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x3x8x8xf32>) -> tensor<1x8x8x3xf32>
  %1 = tosa.abs %0 : (tensor<1x8x8x3xf32>) -> tensor<1x8x8x3xf32>
  %2 = tosa.transpose %1 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x8x8x3xf32>) -> tensor<1x3x8x8xf32>
  return %2 : tensor<1x3x8x8xf32>
}

// CHECK: proved: {{.*}}frontends.mlir and {{.*}}.tmp.mlir compute the same
// SAME:  proved: {{.*}}frontends.mlir and {{.*}}frontends.mlir compute the same
// ONE:   {{.*}}frontends.mlir: @main, by numpy
// TWO:   output 0: equal to {{.*}}.tmp.mlir: largest difference 0
// UNKNOWN: npu-check: error: argument -f/--frontend: no frontend 'tsoa' (choose from litert, mlir, onnx, torch, tosa)
// MANY:  npu-run: error: argument -f/--frontend: expected one frontend, or one for each program, found 'tosa,mlir,onnx'
// WRONG: {{.*}}.tmp.mlir:2:{{[0-9]+}}: error: #"npu"<"layout<Tensor>">
