// RUN: npu-opt %s --target=%S/Inputs/sizes.toml --fuse-ops-hw="dump=groups" --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=GREEDY
// RUN: npu-opt %s --target=%S/Inputs/sizes.toml --fuse-ops-hw="dump=groups strategy=cover" --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=COVER
// RUN: npu-opt %s --target=%S/Inputs/sizes.toml --fuse-ops-hw="strategy=cover" --why-not-fused --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=WHY

/// A product on a stage that holds data reads both factors from its group, of the size that the stage takes.
// GREEDY:      @held
// GREEDY-NEXT: ## 1: npu.relu added to group 0 on act
// GREEDY-NEXT: ## 2: npu.relu added to group 0 on act
// GREEDY-NEXT: ## 3: npu.gemm added to group 0 on product
// GREEDY-NEXT: ## 4: npu.relu added to group 0 on act
// GREEDY-NEXT: groups: 1, 1 of them of several ops
// GREEDY-NEXT:   act: 3
// GREEDY-NEXT:   product: 1
// GREEDY-NEXT: bytes that stay on the chip: 192
// GREEDY-NEXT: bytes that travel: 128
// COVER:      @held
// COVER-NEXT: ## 1: npu.relu added to group 0 on act
// COVER-NEXT: ## 2: npu.relu added to group 0 on act
// COVER-NEXT: ## 3: npu.gemm added to group 0 on product
// COVER-NEXT: ## 4: npu.relu added to group 0 on act
// COVER-NEXT: groups: 1, 1 of them of several ops
// COVER-NEXT:   act: 3
// COVER-NEXT:   product: 1
// COVER-NEXT: bytes that stay on the chip: 192
// COVER-NEXT: bytes that travel: 128: proved minimum
func.func @held(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %relu = npu.relu %x : tensor<4x4xf32>
  %other = npu.relu %relu : tensor<4x4xf32>
  %product = npu.gemm %relu, %other : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %end = npu.relu %product : tensor<4x4xf32>
  func.return %end : tensor<4x4xf32>
}

// -----

/// A larger value ends the group in front of the product, but not in front of a stage without a limit.
// GREEDY:      @large
// GREEDY-NEXT: ## 2: npu.relu added to group 0 on act
// GREEDY-NEXT: ## 3: npu.relu added to group 0 on act
// GREEDY-NEXT: ## 4: npu.gemm added to group 1 on product (reads 80 bytes of the other group, of which 64 stay on the chip at most)
// GREEDY-NEXT: groups: 2, 1 of them of several ops
// GREEDY-NEXT:   act: 2
// GREEDY-NEXT:   product: 1
// GREEDY-NEXT: bytes that stay on the chip: 80
// GREEDY-NEXT: bytes that travel: 384
// COVER:      @large
// COVER-NEXT: ## 2: npu.relu added to group 0 on act
// COVER-NEXT: ## 3: npu.relu added to group 0 on act
// COVER-NEXT: ## 4: npu.gemm added to group 1 on product
// COVER-NEXT: groups: 2, 1 of them of several ops
// COVER-NEXT:   act: 2
// COVER-NEXT:   product: 1
// COVER-NEXT: bytes that stay on the chip: 80
// COVER-NEXT: bytes that travel: 384: proved minimum
// WHY:      fuse-ops-hw: %other relu and %product gemm are not fused: %product gemm reads 80 bytes of the other group, of which 64 stay on the chip at most
func.func @large(%x: tensor<4x5xf32>, %y: tensor<5x4xf32>) -> tensor<4x4xf32> {
  %relu = npu.relu %x : tensor<4x5xf32>
  %other = npu.relu %relu : tensor<4x5xf32>
  %product = npu.gemm %other, %y : (tensor<4x5xf32>, tensor<5x4xf32>) -> tensor<4x4xf32>
  func.return %product : tensor<4x4xf32>
}
