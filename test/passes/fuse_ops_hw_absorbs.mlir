// RUN: npu-opt %s --target=%S/Inputs/loader.toml --fuse-ops-hw="dump=groups" --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=LOADER
// RUN: npu-opt %s --target=%S/Inputs/loader.toml --fuse-ops-hw="dump=groups strategy=cover" --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=COVER
// RUN: npu-opt %s --target=%S/Inputs/collector.toml --fuse-ops-hw="dump=groups" --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=FREE
// RUN: npu-opt %s --target=%S/Inputs/loader.toml --fuse-ops-hw --fuse-ops-hw --split-input-file | filecheck %s

/// Each operand that is loaded may be transposed on the way; no stage runs a transpose.
// LOADER:      @loaded
// LOADER-NEXT: ## 2: npu.transpose collected into group 0
// LOADER-NEXT: ## 3: npu.transpose collected into group 0
// LOADER-NEXT: ## 4: npu.add added to group 0 on join
// LOADER-NEXT: ## 5: npu.relu added to group 0 on act
// LOADER-NEXT: groups: 1, 1 of them of several ops
// LOADER-NEXT:   join: 1
// LOADER-NEXT:   act: 1
// LOADER-NEXT: bytes that stay on the chip: 512
// LOADER-NEXT: bytes that travel: 1536
// LOADER-NEXT: absorbed transposes: 2 of 2
// COVER:       @loaded
// COVER:       bytes that travel: 1536: proved minimum
// COVER-NEXT:  absorbed transposes: 2 of 2
// FREE:        @loaded
// FREE-NEXT:   ## 2: npu.transpose collected into group 0
// FREE-NEXT:   ## 3: npu.transpose collected into group 0
// FREE:        absorbed transposes: 2 of 2
// CHECK-LABEL: func.func @loaded
// CHECK-NEXT:    %relu = func.call @fused_transpose_transpose_add_relu(%x, %y)
func.func @loaded(%x: tensor<1x4x4x8xf32>, %y: tensor<1x4x4x8xf32>) -> tensor<1x8x4x4xf32> {
  %a = npu.transpose %x permutation = [0, 3, 1, 2] : (tensor<1x4x4x8xf32>) -> tensor<1x8x4x4xf32>
  %b = npu.transpose %y permutation = [0, 3, 1, 2] : (tensor<1x4x4x8xf32>) -> tensor<1x8x4x4xf32>
  %sum = npu.add %a, %b : tensor<1x8x4x4xf32>
  %relu = npu.relu %sum : tensor<1x8x4x4xf32>
  func.return %relu : tensor<1x8x4x4xf32>
}

// -----

/// A stage behind the op absorbs as well, if its condition holds: of f16 it does not, so the loader transposes alone. Free
/// transposes go with their users only.
// LOADER:      @stored
// LOADER-NEXT: ## 1: npu.relu added to group 0 on act
// LOADER-NEXT: ## 2: npu.transpose added to group 0 on store
// LOADER-NEXT: ## 3: npu.cast in no group (no stage runs it)
// LOADER-NEXT: ## 4: npu.relu added to group 1 on act (runs on act, not reachable from store)
// LOADER-NEXT: ## 5: npu.transpose added to group 2 on load
// LOADER:      absorbed transposes: 1 of 2
// COVER:       @stored
// COVER:       bytes that travel: 2816: proved minimum
// COVER-NEXT:  absorbed transposes: 1 of 2
// FREE:        @stored
// FREE-NEXT:   ## 1: npu.relu added to group 0 on act
// FREE-NEXT:   ## 2: npu.transpose in no group (is free, but no single group has all its users)
// FREE:        absorbed transposes: 0 of 2
// CHECK-LABEL: func.func @stored
// CHECK-NEXT:    %a = func.call @fused_relu_transpose(%x)
func.func @stored(%x: tensor<1x4x4x8xf32>) -> (tensor<1x8x4x4xf32>, tensor<1x4x8x4xf16>) {
  %relu = npu.relu %x : tensor<1x4x4x8xf32>
  %a = npu.transpose %relu permutation = [0, 3, 1, 2] : (tensor<1x4x4x8xf32>) -> tensor<1x8x4x4xf32>
  %half = npu.cast %x : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf16>
  %small = npu.relu %half : tensor<1x4x4x8xf16>
  %b = npu.transpose %small permutation = [0, 1, 3, 2] : (tensor<1x4x4x8xf16>) -> tensor<1x4x8x4xf16>
  func.return %a, %b : tensor<1x8x4x4xf32>, tensor<1x4x8x4xf16>
}
