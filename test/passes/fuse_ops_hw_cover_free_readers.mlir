// RUN: npu-opt %s --target=%S/Inputs/collector.toml --fuse-ops-hw="strategy=cover dump=groups" -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=GROUPS
// RUN: npu-opt %s --target=%S/Inputs/collector.toml --fuse-ops-hw="strategy=cover" | filecheck %s --match-full-lines
// RUN: npu-opt %s --target=%S/Inputs/collector.toml --fuse-ops-hw="strategy=cover" -o %t.mlir && npu-check %s %t.mlir | filecheck %s --check-prefix=PROOF

/// A free transpose goes with whichever reader is first in its group: here with the pad, behind whose stage the relu runs.
// GROUPS:      @readers
// GROUPS:      ## 1: npu.transpose collected into group 0
// GROUPS-NEXT: ## 2: npu.relu added to group 0 on act
// GROUPS-NEXT: ## 3: npu.pad added to group 0 on load
// GROUPS-NEXT: ## 4: npu.clip added to group 0 on store
// GROUPS:      bytes that travel: 320: proved minimum
// CHECK:         func.func @readers(%x: tensor<4x6xf32>) -> (tensor<6x4xf32>, tensor<8x4xf32>) {
// CHECK-NEXT:      %relu, %clip = func.call @fused_transpose_relu_pad_clip(%x) : (tensor<4x6xf32>) -> (tensor<6x4xf32>, tensor<8x4xf32>)
// CHECK-NEXT:      func.return %relu, %clip : tensor<6x4xf32>, tensor<8x4xf32>
// PROOF:       proved: {{.*}} compute the same
func.func @readers(%x: tensor<4x6xf32>) -> (tensor<6x4xf32>, tensor<8x4xf32>) {
  %turned = npu.transpose %x permutation = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %relu = npu.relu %turned : tensor<6x4xf32>
  %pad = npu.pad %turned low = [1, 0] high = [1, 0] : (tensor<6x4xf32>) -> tensor<8x4xf32>
  %clip = npu.clip %pad min = 0.0 max = 6.0 : tensor<8x4xf32>
  func.return %relu, %clip : tensor<6x4xf32>, tensor<8x4xf32>
}
