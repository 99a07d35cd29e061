// RUN: npu-opt %s --split-input-file --target=sophgo-bm1684x --fuse-ops-hw="dump=groups" -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=SOPHGO
// RUN: npu-opt %s --split-input-file --target=ethos-u85 --fuse-ops-hw="dump=groups" -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=ETHOS

/// BM1684X: heads are exchanged with rows on the way, a product reads its right operand transposed and both factors from the
/// group, and a transpose that moves the last axis ends it.
// SOPHGO:      @attention
// SOPHGO-NEXT: ## 2: npu.matmul added to group 0 on product
// SOPHGO-NEXT: ## 3: npu.reshape collected into group 0
// SOPHGO-NEXT: ## 4: npu.transpose added to group 0 on local
// SOPHGO-NEXT: ## 5: npu.transpose added to group 0 on turn
// SOPHGO-NEXT: ## 6: npu.matmul added to group 0 on product
// SOPHGO-NEXT: ## 7: npu.softmax added to group 0 on local
// SOPHGO-NEXT: ## 8: npu.reshape in no group (is free, but no single group has all its users)
// SOPHGO-NEXT: ## 9: npu.transpose in no group (runs on turn before product, but no op of that stage is its only user)
// SOPHGO-NEXT: groups: 1, 1 of them of several ops
// SOPHGO-NEXT:   local: 2
// SOPHGO-NEXT:   turn: 1
// SOPHGO-NEXT:   product: 2
// SOPHGO-NEXT: in no group: 2
// SOPHGO-NEXT:   npu.reshape (is free, but no single group has all its users): 1
// SOPHGO-NEXT:   npu.transpose (runs on turn before product, but no op of that stage is its only user): 1
// SOPHGO-NEXT: bytes that stay on the chip: 2048
// SOPHGO-NEXT: bytes that travel: 3072
// SOPHGO-NEXT: absorbed transposes: 2 of 3
func.func @attention(%x: tensor<1x8x16xf32>, %w: tensor<1x16x16xf32>) -> tensor<1x16x8xf32> {
  %q = npu.matmul %x, %w : (tensor<1x8x16xf32>, tensor<1x16x16xf32>) -> tensor<1x8x16xf32>
  %heads = npu.reshape %q : (tensor<1x8x16xf32>) -> tensor<1x8x2x8xf32>
  %rows = npu.transpose %heads permutation = [0, 2, 1, 3] : (tensor<1x8x2x8xf32>) -> tensor<1x2x8x8xf32>
  %columns = npu.transpose %heads permutation = [0, 2, 3, 1] : (tensor<1x8x2x8xf32>) -> tensor<1x2x8x8xf32>
  %scores = npu.matmul %rows, %columns : (tensor<1x2x8x8xf32>, tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
  %soft = npu.softmax %scores axis = 3 : tensor<1x2x8x8xf32>
  %joined = npu.reshape %soft : (tensor<1x2x8x8xf32>) -> tensor<1x8x16xf32>
  %end = npu.transpose %joined permutation = [0, 2, 1] : (tensor<1x8x16xf32>) -> tensor<1x16x8xf32>
  func.return %end : tensor<1x16x8xf32>
}

// -----

/// Ethos-U85: a relu of any size is a part of the pass of its convolution, and the next convolution reads up to 192 KiB of
/// int8 on the chip.
// ETHOS:      @images
// ETHOS-NEXT: ## 2: npu.conv2d added to group 0 on array
// ETHOS-NEXT: ## 3: npu.relu added to group 0 on chain
// ETHOS-NEXT: ## 4: npu.conv2d added to group 1 on array (reads 1048576 bytes of the other group, of which 786432 stay on the chip at most)
// ETHOS-NEXT: ## 5: npu.conv2d added to group 1 on array
// ETHOS-NEXT: groups: 2, 2 of them of several ops
// ETHOS-NEXT:   array: 3
// ETHOS-NEXT:   chain: 1
// ETHOS-NEXT: bytes that stay on the chip: 1310720
// ETHOS-NEXT: bytes that travel: 3409920
func.func @images(%x: tensor<1x128x128x16xf32>, %k: tensor<16x1x1x16xf32>) -> tensor<1x64x64x16xf32> {
  %conv = npu.conv2d %x, %k data_layout = <NHWC> kernel_layout = <OHWI> : (tensor<1x128x128x16xf32>, tensor<16x1x1x16xf32>) -> tensor<1x128x128x16xf32>
  %relu = npu.relu %conv : tensor<1x128x128x16xf32>
  %less = npu.conv2d %relu, %k strides = [2, 2] data_layout = <NHWC> kernel_layout = <OHWI> : (tensor<1x128x128x16xf32>, tensor<16x1x1x16xf32>) -> tensor<1x64x64x16xf32>
  %end = npu.conv2d %less, %k data_layout = <NHWC> kernel_layout = <OHWI> : (tensor<1x64x64x16xf32>, tensor<16x1x1x16xf32>) -> tensor<1x64x64x16xf32>
  func.return %end : tensor<1x64x64x16xf32>
}
