// RUN: npu-opt %s --target=%S/Inputs/priced.toml --fuse-ops-hw="dump=groups" --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=GREEDY
// RUN: npu-opt %s --target=%S/Inputs/priced.toml --fuse-ops-hw="dump=groups strategy=cover" --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=COVER
// RUN: not npu-opt %s --target=%S/Inputs/price_of_nothing.toml --fuse-ops-hw --split-input-file 2>&1 | filecheck %s --match-full-lines --check-prefix=REFUSED

// REFUSED: {{.*}}price_of_nothing.toml:18: error: 'price' is that of transposes: it needs 'absorbs', or 'transpose' in 'runs'

/// The loader is cheaper than a round through memory. The default does not ask for prices, but counts them.
// GREEDY:      @loaded
// GREEDY-NEXT: ## 2: npu.transpose added to group 0 on load
// GREEDY-NEXT: ## 3: npu.transpose added to group 1 on load (uses no result of the previous group)
// GREEDY-NEXT: ## 4: npu.add added to group 1 on join
// GREEDY:      bytes that travel: 2696
// GREEDY-NEXT: absorbed transposes: 1 of 2, price 136
// COVER:       @loaded
// COVER-NEXT:  ## 2: npu.transpose collected into group 0
// COVER-NEXT:  ## 3: npu.transpose collected into group 0
// COVER-NEXT:  ## 4: npu.add added to group 0 on join
// COVER:       bytes that travel: 1808: proved minimum
// COVER-NEXT:  absorbed transposes: 2 of 2, price 272
func.func @loaded(%x: tensor<1x4x4x8xf32>, %y: tensor<1x4x4x8xf32>) -> tensor<1x8x4x4xf32> {
  %a = npu.transpose %x permutation = [0, 3, 1, 2] : (tensor<1x4x4x8xf32>) -> tensor<1x8x4x4xf32>
  %b = npu.transpose %y permutation = [0, 3, 1, 2] : (tensor<1x4x4x8xf32>) -> tensor<1x8x4x4xf32>
  %sum = npu.add %a, %b : tensor<1x8x4x4xf32>
  func.return %sum : tensor<1x8x4x4xf32>
}

// -----

/// The second loader is dearer, and takes what the first one cannot.
// GREEDY:      @second
// GREEDY-NEXT: ## 2: npu.transpose added to group 0 on load
// GREEDY-NEXT: ## 3: npu.relu added to group 0 on act
// GREEDY-NEXT: ## 4: npu.transpose added to group 1 on second (uses no result of the previous group)
// GREEDY-NEXT: ## 5: npu.relu added to group 1 on act
// GREEDY:      bytes that travel: 1900
// GREEDY-NEXT: absorbed transposes: 2 of 2, price 364
// COVER:       @second
// COVER:       bytes that travel: 1900: proved minimum
// COVER-NEXT:  absorbed transposes: 2 of 2, price 364
func.func @second(%x: tensor<1x4x4x8xf32>, %y: tensor<1x4x4x8xf16>) -> (tensor<1x8x4x4xf32>, tensor<1x8x4x4xf16>) {
  %a = npu.transpose %x permutation = [0, 3, 1, 2] : (tensor<1x4x4x8xf32>) -> tensor<1x8x4x4xf32>
  %b = npu.transpose %y permutation = [0, 3, 1, 2] : (tensor<1x4x4x8xf16>) -> tensor<1x8x4x4xf16>
  %r = npu.relu %a : tensor<1x8x4x4xf32>
  %s = npu.relu %b : tensor<1x8x4x4xf16>
  func.return %r, %s : tensor<1x8x4x4xf32>, tensor<1x8x4x4xf16>
}

// -----

/// The writer is dearer than a round through memory, so the transpose stays outside: a group of its own pays no price.
// GREEDY:      @stored
// GREEDY-NEXT: ## 1: npu.relu added to group 0 on act
// GREEDY-NEXT: ## 2: npu.transpose added to group 0 on store
// GREEDY:      bytes that travel: 3072
// GREEDY-NEXT: absorbed transposes: 1 of 1, price 2048
// COVER:       @stored
// COVER-NEXT:  ## 1: npu.relu added to group 0 on act
// COVER-NEXT:  ## 2: npu.transpose added to group 1 on load
// COVER:       bytes that travel: 2048: proved minimum
// COVER-NEXT:  absorbed transposes: 0 of 1
func.func @stored(%x: tensor<1x4x4x8xf32>) -> tensor<1x8x4x4xf32> {
  %relu = npu.relu %x : tensor<1x4x4x8xf32>
  %a = npu.transpose %relu permutation = [0, 3, 1, 2] : (tensor<1x4x4x8xf32>) -> tensor<1x8x4x4xf32>
  func.return %a : tensor<1x8x4x4xf32>
}

// -----

/// For little data the second loader is dearer than a round through memory.
// GREEDY:      @small
// GREEDY:      bytes that travel: 130
// GREEDY-NEXT: absorbed transposes: 1 of 1, price 106
// COVER:       @small
// COVER-NEXT:  ## 1: npu.transpose added to group 0 on store
// COVER-NEXT:  ## 2: npu.relu added to group 1 on act
// COVER:       bytes that travel: 48: proved minimum
// COVER-NEXT:  absorbed transposes: 0 of 1
func.func @small(%x: tensor<2x3xf16>) -> tensor<3x2xf16> {
  %a = npu.transpose %x permutation = [1, 0] : (tensor<2x3xf16>) -> tensor<3x2xf16>
  %relu = npu.relu %a : tensor<3x2xf16>
  func.return %relu : tensor<3x2xf16>
}

// -----

/// The last stage is cheaper than the writer in front of it, and takes f16 only. The default takes the nearest stage.
// GREEDY:      @last
// GREEDY:      bytes that travel: 1536
// GREEDY-NEXT: absorbed transposes: 1 of 1, price 1024
// COVER:       @last
// COVER-NEXT:  ## 1: npu.relu added to group 0 on act
// COVER-NEXT:  ## 2: npu.transpose added to group 0 on last
// COVER:       bytes that travel: 544: proved minimum
// COVER-NEXT:  absorbed transposes: 1 of 1, price 32
func.func @last(%x: tensor<1x4x4x8xf16>) -> tensor<1x8x4x4xf16> {
  %relu = npu.relu %x : tensor<1x4x4x8xf16>
  %a = npu.transpose %relu permutation = [0, 3, 1, 2] : (tensor<1x4x4x8xf16>) -> tensor<1x8x4x4xf16>
  func.return %a : tensor<1x8x4x4xf16>
}
