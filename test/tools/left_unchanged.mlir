// RUN: npu-opt %s --allow-unregistered-dialect --layout-optimal --stats -o %t.mlir 2>&1 | filecheck %s
// RUN: sh -c 'npu-opt %s --allow-unregistered-dialect --expect-transposes=9 -o %t.gate.mlir; echo "exit code $?"' 2>&1 | filecheck %s --check-prefix GATE
// RUN: sh -c 'npu-opt %s --allow-unregistered-dialect --expect-transposes=0 -o %t.gate.mlir; echo "exit code $?"' 2>&1 | filecheck %s --check-prefix MORE
// RUN: not ls %t.gate.mlir

/// Ops of other dialects are counted and named; there is no minimum then.
// CHECK:      note: layout-optimal: 5 ops of other dialects left unchanged: stablehlo.add (2), stablehlo.transpose, vendor.transpose, @elsewhere{{$}}
// CHECK-NEXT: layout-optimal: 1 transpose, 768 bytes: the least for the ops that were placed{{$}}
// CHECK:        after                     1    768
// CHECK-NEXT:   5 ops of other dialects left unchanged: stablehlo.add (2), stablehlo.transpose, vendor.transpose, @elsewhere{{$}}

/// A gate cannot know what moves data: neither yes nor no.
// GATE:      {{.*}}left_unchanged.mlir: error: what moves data cannot be counted: 5 ops of other dialects left unchanged: stablehlo.add (2), stablehlo.transpose, vendor.transpose, @elsewhere{{$}}
// GATE-NEXT: exit code 2

/// The answer is no if the transposes that are known are too many.
// MORE:      {{.*}}left_unchanged.mlir: error: expected at most 0 transposes, found 1
// MORE:      exit code 3

func.func private @elsewhere(tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32>

func.func @main(%x: tensor<1x8x4x6xf32>) -> tensor<1x4x6x8xf32> {
  %c = arith.constant dense<1.0> : tensor<1x4x6x8xf32>
  %t = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32>) -> tensor<1x4x6x8xf32>
  %a = "stablehlo.add"(%t, %c) : (tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32>
  %b = "stablehlo.add"(%a, %c) : (tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32>
  %d = "stablehlo.transpose"(%b) {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x4x6x8xf32>) -> tensor<1x8x4x6xf32>
  %e = tensor.empty() : tensor<1x4x6x8xf32>
  %f = "vendor.transpose"(%d, %e) : (tensor<1x8x4x6xf32>, tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32>
  %g = func.call @elsewhere(%f) : (tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32>
  func.return %g : tensor<1x4x6x8xf32>
}
