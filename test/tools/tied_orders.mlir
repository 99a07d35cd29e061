// RUN: npu-opt %s --split-input-file --layout-optimal --what-if 2>&1 >/dev/null | filecheck %s --match-full-lines
// RUN: npu-opt %s --split-input-file --layout-optimal --what-if=json 2>&1 >/dev/null | filecheck %s --match-full-lines --check-prefix JSON
// RUN: npu-opt %s --split-input-file --target=litert --layout-optimal --what-if 2>&1 >/dev/null | filecheck %s --match-full-lines --check-prefix PRICED

/// The keys of two layers are one set, whose numbers are stars. Orders that differ in the place of the batch, of which
/// there is one, are one order.
// CHECK:      what if: step:past_* = step:present_* (2 ties), in all calls; in each call:
// CHECK-NEXT:   [0, 1, 3, 2] BHCN: 0 transposes, 0 bytes; step 0 transposes, 0 bytes (the minimum)
// CHECK-NEXT:   [0, 1, 2, 3] BHNC (LBHNC, BLHNC, BHLNC): 6 transposes, 3456 bytes; step 2 transposes, 1152 bytes
// CHECK-NEXT:   [0, 2, 1, 3] BNHC (LBNHC, BLNHC): 6 transposes, 3456 bytes; step 2 transposes, 1152 bytes
// CHECK-NEXT:   [0, 2, 3, 1] BNCH: 9 transposes, 3648 bytes; step 3 transposes, 1216 bytes
// CHECK-NEXT:   [0, 3, 1, 2] BCHN: 9 transposes, 3648 bytes; step 3 transposes, 1216 bytes
// CHECK-NEXT:   [0, 3, 2, 1] BCNH: 9 transposes, 3648 bytes; step 3 transposes, 1216 bytes
// CHECK-NEXT: interface: past_0 {{.*}}
// JSON:       {{.*}}"ties": [{"ties": "step:past_* = step:present_* (2 ties)", "orders": [{"order": [0, 1, 3, 2], "letters": "BHCN", "names": [], "transposes": 0, "bytes": 0, "calls": {"step": {"transposes": 0, "bytes": 0}}, "proved": true, "minimum": true}, {"order": [0, 1, 2, 3], "letters": "BHNC", "names": ["LBHNC", "BLHNC", "BHLNC"], "transposes": 6, "bytes": 3456, "calls": {"step": {"transposes": 2, "bytes": 1152}}, "proved": true, "minimum": false}, {{.*}}]}]}
// PRICED:     what if: step:past_* = step:present_* (2 ties), in all calls; in each call:
// PRICED-NEXT:   [0, 1, 2, 3] BHNC (LBHNC, BLHNC, BHLNC): 0 transposes, 0 bytes, 0 ns; step 0 transposes, 0 bytes, 0 ns (the minimum)
// PRICED-NEXT:   [0, 1, 3, 2] BHCN: 0 transposes, 0 bytes, 0 ns; step 0 transposes, 0 bytes, 0 ns
// PRICED-NEXT:   [0, 2, 1, 3] BNHC (LBNHC, BLNHC): 6 transposes, 3456 bytes, {{.*}} ns; step 2 transposes, 1152 bytes, {{.*}} ns
func.func @step(%query: tensor<1x2x1x8xf32>, %new: tensor<1x2x1x8xf32>,
    %past_0: tensor<1x2x8x8xf32> {onnx.name = "past_0", npu.tie = "0"},
    %past_1: tensor<1x2x8x8xf32> {onnx.name = "past_1", npu.tie = "1"})
    -> (tensor<1x2x1x9xf32>, tensor<1x2x1x9xf32>,
        tensor<1x2x9x8xf32> {onnx.name = "present_0", npu.tie = "0"},
        tensor<1x2x9x8xf32> {onnx.name = "present_1", npu.tie = "1"}) attributes {npu.calls = 3 : i64} {
  %keys_0 = npu.concat %past_0, %new axis = 2 : (tensor<1x2x8x8xf32>, tensor<1x2x1x8xf32>) -> tensor<1x2x9x8xf32>
  %turned_0 = npu.transpose %keys_0 permutation = [0, 1, 3, 2] : (tensor<1x2x9x8xf32>) -> tensor<1x2x8x9xf32>
  %scores_0 = npu.matmul %query, %turned_0 : (tensor<1x2x1x8xf32>, tensor<1x2x8x9xf32>) -> tensor<1x2x1x9xf32>
  %keys_1 = npu.concat %past_1, %new axis = 2 : (tensor<1x2x8x8xf32>, tensor<1x2x1x8xf32>) -> tensor<1x2x9x8xf32>
  %turned_1 = npu.transpose %keys_1 permutation = [0, 1, 3, 2] : (tensor<1x2x9x8xf32>) -> tensor<1x2x8x9xf32>
  %scores_1 = npu.matmul %query, %turned_1 : (tensor<1x2x1x8xf32>, tensor<1x2x8x9xf32>) -> tensor<1x2x1x9xf32>
  func.return %scores_0, %scores_1, %keys_0, %keys_1
    : tensor<1x2x1x9xf32>, tensor<1x2x1x9xf32>, tensor<1x2x9x8xf32>, tensor<1x2x9x8xf32>
}

// -----

/// Two sets, and both together. They are no caches, so that their dimensions have no letters.
// CHECK:      what if: main:a = main:output0, in all calls; in each call:
// CHECK-NEXT:   [0, 1]: 1 transpose, 24 bytes; main 1 transpose, 24 bytes (the minimum)
// CHECK-NEXT:   [1, 0]: 1 transpose, 24 bytes; main 1 transpose, 24 bytes
// CHECK-NEXT: what if: main:b = main:output1, in all calls; in each call:
// CHECK-NEXT:   [0, 1]: 1 transpose, 24 bytes; main 1 transpose, 24 bytes (the minimum)
// CHECK-NEXT:   [1, 0]: 1 transpose, 24 bytes; main 1 transpose, 24 bytes
// CHECK-NEXT: what if: main:c = main:output2: more than 24 layouts are possible; --interface chooses one
// CHECK-NEXT: what if: main:a = main:output0 and main:b = main:output1 (2 ties), in all calls; in each call:
// CHECK-NEXT:   [0, 1]: 1 transpose, 24 bytes; main 1 transpose, 24 bytes (the minimum)
// CHECK-NEXT:   [1, 0]: 1 transpose, 24 bytes; main 1 transpose, 24 bytes
func.func @main(%a: tensor<2x3xf32> {npu.tie = "a"}, %b: tensor<2x3xf32> {npu.tie = "b"}, %c: tensor<2x3x4x5x6xf32> {npu.tie = "c"})
    -> (tensor<2x3xf32> {npu.tie = "a"}, tensor<3x2xf32> {npu.tie = "b"}, tensor<2x3x4x5x6xf32> {npu.tie = "c"}) {
  %x = npu.exp %a : tensor<2x3xf32>
  %y = npu.transpose %b permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %z = npu.exp %y : tensor<3x2xf32>
  %w = npu.exp %c : tensor<2x3x4x5x6xf32>
  func.return %x, %z, %w : tensor<2x3xf32>, tensor<3x2xf32>, tensor<2x3x4x5x6xf32>
}
