// RUN: npu-opt %s --split-input-file --convert-linalg-to-npu | filecheck %s
// RUN: npu-opt %s --split-input-file --convert-linalg-to-npu --convert-linalg-to-npu | filecheck %s
// RUN: npu-opt %s --split-input-file --convert-linalg-to-npu="generalise=true" | filecheck %s --check-prefix=GENERAL
// RUN: npu-opt %s --split-input-file --convert-linalg-to-npu | npu-opt --split-input-file | filecheck %s
// RUN: npu-opt %s --split-input-file --convert-linalg-to-npu --print-op-generic | npu-opt --split-input-file | filecheck %s
// RUN: npu-opt %s --split-input-file --convert-linalg-to-npu --convert-npu-to-linalg > %t.same
// RUN: npu-opt %s --split-input-file > %t.came
// RUN: diff %t.same %t.came

/// A transpose is one of npu, and its destination is not read. A generic op keeps its maps and its code. It holds the
/// destination that it only writes.
// CHECK-LABEL: func.func @generic(
// CHECK:         %t = npu.transpose %x permutation = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
// CHECK:         %r = loops.nest "linalg.generic"(%t, %b) {
// CHECK:         loops.hold %e : tensor<8x4xf32>
// CHECK:         } {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], reads = array<i64: 0, 1>, orders = "any order", kept = {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}} : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
// GENERAL-LABEL: func.func @generic(
func.func @generic(%x: tensor<4x8xf32>, %b: tensor<4xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %t = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>,
      affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
    ins(%t, %b : tensor<8x4xf32>, tensor<4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}

// -----

/// A fill reads nothing, so that each use may have it in another order. A product reads its destination. It has no name
/// for other orders, but may become generic.
// CHECK-LABEL: func.func @matmul(
// CHECK:         %f = loops.nest "linalg.fill"() {
// CHECK:         loops.hold %z, %e : f32, tensor<4x6xf32>
// CHECK:         } {indexing_maps = [affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], reads = array<i64>, orders = "any order", kept = {operandSegmentSizes = array<i32: 1, 1>}} : () -> tensor<4x6xf32>
// CHECK:         %m = loops.nest "linalg.matmul"(%a, %b, %f) {
// CHECK:         loops.hold
// CHECK:         } {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], reads = array<i64: 0, 1, 2>, orders = "by name", kept = {operandSegmentSizes = array<i32: 2, 1>, indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]}} : (tensor<4x8xf32>, tensor<8x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
// GENERAL-LABEL: func.func @matmul(
// GENERAL:       } {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], reads = array<i64: 0, 1, 2>, orders = "by name", kept = {operandSegmentSizes = array<i32: 2, 1>, indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]}, generalises} : (tensor<4x8xf32>, tensor<8x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
func.func @matmul(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %m = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %m : tensor<4x6xf32>
}

// -----

/// An elementwise op has one order for all operands. Tensors of constants and reshapes of known sizes are those of npu.
// CHECK-LABEL: func.func @others(
// CHECK:         %w = npu.constant dense<2.000000e+00> : tensor<4x8xf32>
// CHECK:         %s = loops.nest "linalg.add"(%x, %w) {
// CHECK:         loops.hold %e : tensor<4x8xf32>
// CHECK:         } {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], reads = array<i64: 0, 1>, orders = "one order", kept = {operandSegmentSizes = array<i32: 2, 1>}} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK:         %c = npu.reshape %s : (tensor<4x8xf32>) -> tensor<32xf32>
// GENERAL-LABEL: func.func @others(
func.func @others(%x: tensor<4x8xf32>) -> tensor<32xf32> {
  %w = arith.constant dense<2.0> : tensor<4x8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %s = linalg.add ins(%x, %w : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %c = tensor.collapse_shape %s [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  return %c : tensor<32xf32>
}

// -----

/// A reduction and a broadcast have the maps that their dimensions say.
// CHECK-LABEL: func.func @dimensions(
// CHECK:         %r = loops.nest "linalg.reduce"(%x, %i) {
// CHECK:         loops.hold
// CHECK:         } {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = [#linalg.iterator_type<reduction>, #linalg.iterator_type<parallel>], reads = array<i64: 0, 1>, orders = "any order", kept = {dimensions = array<i64: 0>}} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK:         %b = loops.nest "linalg.broadcast"(%r) {
// CHECK:         loops.hold %e : tensor<8x3xf32>
// CHECK:         } {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], reads = array<i64: 0>, orders = "any order", kept = {dimensions = array<i64: 1>}} : (tensor<8xf32>) -> tensor<8x3xf32>
// GENERAL-LABEL: func.func @dimensions(
func.func @dimensions(%x: tensor<4x8xf32>, %i: tensor<8xf32>) -> tensor<8x3xf32> {
  %r = linalg.reduce ins(%x : tensor<4x8xf32>) outs(%i : tensor<8xf32>) dimensions = [0]
  (%a: f32, %o: f32) {
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  %e = tensor.empty() : tensor<8x3xf32>
  %b = linalg.broadcast ins(%r : tensor<8xf32>) outs(%e : tensor<8x3xf32>) dimensions = [1]
  return %b : tensor<8x3xf32>
}

// -----

/// Ops with `linalg.index`, on buffers, with effects, with element types that npu lacks, and reshapes of unknown sizes stay.
// CHECK-LABEL: func.func @stay(
// CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%m : memref<4x8xf32>) {
// CHECK:         %n = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%i : tensor<4xindex>) {
// CHECK:         %c = tensor.collapse_shape %x {{\[\[}}0 : i64, 1 : i64]] : tensor<4x?xf32> into tensor<?xf32>
// GENERAL-LABEL: func.func @stay(
func.func @stay(%x: tensor<4x?xf32>, %m: memref<4x8xf32>, %i: tensor<4xindex>) -> tensor<?xf32> {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%m : memref<4x8xf32>) {
  ^bb0(%o: f32):
    linalg.yield %o : f32
  }
  %n = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%i : tensor<4xindex>) {
  ^bb0(%o: index):
    %d = linalg.index 0 : index
    linalg.yield %d : index
  } -> tensor<4xindex>
  %c = tensor.collapse_shape %x [[0, 1]] : tensor<4x?xf32> into tensor<?xf32>
  return %c : tensor<?xf32>
}
