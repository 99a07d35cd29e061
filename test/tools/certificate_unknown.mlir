// RUN: npu-opt %s --layout-optimal="cost=traffic default=NCHW" --target=plover --certificate %t.json -o %t.mlir 2>&1 | filecheck %s
// RUN: not npu-check --certificate %t.json | filecheck %s --check-prefix=UNDECIDED

/// Ops over pieces of their axes would move other sizes than the assumed ones: no bound of what travels is claimed.
// CHECK: layout-optimal: 0 transposes (0 absorbed), ~0 bytes, ~24576 bytes travel (unknown sizes count as 64, first ones as 1): best found, as sizes are unknown
// CHECK-NEXT: {{.*}}.json: note: proves the bound 0 (bytes that travel) for the forms of 0 ops; the choice costs 24576 (bytes that travel)
// UNDECIDED: undecided: the plan costs 24576, and no choice less than 0 (ops: 0, storages: 0, nodes of the proof: 1); believed: the forms of the ops, and the prices of conversions

func.func @main(%x: tensor<1x?x24xf32>) -> tensor<1x?x24xf32> {
  %relu = npu.relu %x : tensor<1x?x24xf32>
  %heads = npu.reshape %relu : (tensor<1x?x24xf32>) -> tensor<1x?x4x6xf32>
  %first = npu.transpose %heads permutation = [0, 2, 1, 3] : (tensor<1x?x4x6xf32>) -> tensor<1x4x?x6xf32>
  %softmax = npu.softmax %first axis = 3 : tensor<1x4x?x6xf32>
  %last = npu.transpose %softmax permutation = [0, 2, 1, 3] : (tensor<1x4x?x6xf32>) -> tensor<1x?x4x6xf32>
  %lines = npu.reshape %last : (tensor<1x?x4x6xf32>) -> tensor<1x?x24xf32>
  func.return %lines : tensor<1x?x24xf32>
}
