// REQUIRES: mlir-bindings
// RUN: npu-opt %s --layout-optimal --stats --target=opu -t tosa -o %t.mlir 2>&1 | filecheck %s
// RUN: not npu-opt %s --layout-optimal --target=opu -t tosa --expect-transposes=0 -o %t.mlir 2>&1 | filecheck %s --check-prefix GATE
// RUN: npu-opt %s --layout-optimal --stats --target=litert -t tosa --expect-transposes=1 -o %t.mlir 2>&1 | filecheck %s --check-prefix NONE
// RUN: sed s/f32/f64/g %s > %t.f64.mlir
// RUN: npu-opt %t.f64.mlir --layout-optimal --stats --target=opu -t tosa -o %t.mlir 2>&1 | filecheck %s --check-prefix LOOPS

/// On this hardware a broadcast reads its operand in any order; TOSA transposes it first. The file is what counts.
func.func @main(%x: tensor<4x5xf32, #npu.layout<Tensor>>, %y: tensor<2x5x4xf32, #npu.layout<Tensor>>) -> tensor<2x5x4xf32, #npu.layout<Tensor>> {
  %0 = npu.broadcast %x axes = [1, 2] : (tensor<4x5xf32, #npu.layout<Tensor>>) -> tensor<2x4x5xf32, #npu.layout<Tensor>>
  %1 = npu.transpose %0 permutation = [0, 2, 1] : (tensor<2x4x5xf32, #npu.layout<Tensor>>) -> tensor<2x5x4xf32, #npu.layout<Tensor>>
  %2 = npu.add %1, %y : tensor<2x5x4xf32, #npu.layout<Tensor>>
  func.return %2 : tensor<2x5x4xf32, #npu.layout<Tensor>>
}

// CHECK: layout-optimal: 0 transposes, 0 bytes: proved minimum
// CHECK: {{.*}}.mlir: note: 1 transpose in the file, of 80 bytes; 1 of them in what MLIR has for other ops

// GATE: error: expected at most 0 transposes, found 1 in the file

// NONE: layout-optimal: 1 transpose
// NONE-NOT: note: {{.*}} in the file

/// A type that TOSA does not move is transposed by a loop.
// LOOPS: layout-optimal: 0 transposes, 0 bytes: proved minimum
// LOOPS: {{.*}}.mlir: note: 1 transpose in the file, of 160 bytes; 1 of them in what MLIR has for other ops
