// RUN: npu-opt %s --target=dunlin --fuse-ops-hw="dump=groups" --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=DUNLIN
// RUN: npu-opt %s --target=dunlin --fuse-ops-hw="dump=groups strategy=cover" --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=COVER
// RUN: npu-opt %s --target=%S/Inputs/own.toml --fuse-ops-hw="dump=groups" --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=OWN
// RUN: npu-opt %s --target=%S/Inputs/own.toml --fuse-ops-hw="dump=groups strategy=cover" --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=OWNCOVER
// RUN: npu-opt %s --target=dunlin --fuse-ops-hw="strategy=cover" --why-not-fused --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=WHY

/// SiLU behind a convolution: both operands of the product are results of the group, so it needs no second stream of data.
// DUNLIN:      @silu
// DUNLIN-NEXT: ## 2: npu.conv2d added to group 0 on ipa
// DUNLIN-NEXT: ## 3: npu.sigmoid added to group 0 on activate
// DUNLIN-NEXT: ## 4: npu.mul added to group 0 on activate
// DUNLIN-NEXT: groups: 1, 1 of them of several ops
// DUNLIN-NEXT:   ipa: 1
// DUNLIN-NEXT:   activate: 2
// DUNLIN-NEXT: bytes that stay on the chip: 2048
// DUNLIN-NEXT: bytes that travel: 2112
// COVER:      @silu
// COVER-NEXT: ## 2: npu.conv2d added to group 0 on ipa
// COVER-NEXT: ## 3: npu.sigmoid added to group 0 on activate
// COVER-NEXT: ## 4: npu.mul added to group 0 on activate
// COVER-NEXT: groups: 1, 1 of them of several ops
// COVER-NEXT:   ipa: 1
// COVER-NEXT:   activate: 2
// COVER-NEXT: bytes that stay on the chip: 2048
// COVER-NEXT: bytes that travel: 2112: proved minimum
func.func @silu(%x: tensor<1x8x8x4xf32>, %k: tensor<4x4x1x1xf32>) -> tensor<1x8x8x4xf32> {
  %c = npu.conv2d %x, %k data_layout = <NHWC> kernel_layout = <OIHW> : (tensor<1x8x8x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x8x8x4xf32>
  %s = npu.sigmoid %c : tensor<1x8x8x4xf32>
  %y = npu.mul %c, %s : tensor<1x8x8x4xf32>
  func.return %y : tensor<1x8x8x4xf32>
}

// -----

/// The argument comes from memory: on dunlin the gate reads it, and elsewhere the product is in no group. It does not close the
/// group before it.
// DUNLIN:      @from_memory
// DUNLIN-NEXT: ## 1: npu.sigmoid added to group 0 on activate
// DUNLIN-NEXT: ## 2: npu.mul added to group 0 on gate
// DUNLIN-NEXT: ## 3: npu.exp added to group 0 on activate
// DUNLIN-NEXT: groups: 1, 1 of them of several ops
// DUNLIN-NEXT:   activate: 2
// DUNLIN-NEXT:   gate: 1
// DUNLIN-NEXT: bytes that stay on the chip: 1024
// DUNLIN-NEXT: bytes that travel: 3072
// OWN:      @from_memory
// OWN-NEXT: ## 1: npu.sigmoid added to group 0 on act
// OWN-NEXT: ## 2: npu.mul in no group (runs on product, but only if all operands are results of the group)
// OWN-NEXT: ## 3: npu.exp added to group 0 on act
// OWN-NEXT: groups: 1, 1 of them of several ops
// OWN-NEXT:   act: 2
// OWN-NEXT: in no group: 1
// OWN-NEXT:   npu.mul (runs on product, but only if all operands are results of the group): 1
// OWN-NEXT: bytes that stay on the chip: 0
// OWN-NEXT: bytes that travel: 6144
// OWNCOVER:      @from_memory
// OWNCOVER-NEXT: ## 1: npu.sigmoid added to group 0 on act
// OWNCOVER-NEXT: ## 2: npu.mul in no group (runs on product, but only if all operands are results of the group)
// OWNCOVER-NEXT: ## 3: npu.exp added to group 0 on act
// OWNCOVER-NEXT: groups: 1, 1 of them of several ops
// OWNCOVER-NEXT:   act: 2
// OWNCOVER-NEXT: in no group: 1
// OWNCOVER-NEXT:   npu.mul (runs on product, but only if all operands are results of the group): 1
// OWNCOVER-NEXT: bytes that stay on the chip: 0
// OWNCOVER-NEXT: bytes that travel: 6144: proved minimum
func.func @from_memory(%x: tensor<1x8x8x4xf32>) -> (tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>) {
  %s = npu.sigmoid %x : tensor<1x8x8x4xf32>
  %y = npu.mul %x, %s : tensor<1x8x8x4xf32>
  %e = npu.exp %s : tensor<1x8x8x4xf32>
  func.return %y, %e : tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>
}

// -----

/// Squeeze-and-excite: the factors of channels come from another group, and are multiplied in front of the next convolution.
// DUNLIN:      @factors
// DUNLIN-NEXT: ## 2: npu.relu added to group 0 on compare
// DUNLIN-NEXT: ## 3: npu.global_avg_pool added to group 0 on pool
// DUNLIN-NEXT: ## 4: npu.conv2d added to group 1 on ipa (runs on ipa, not reachable from pool)
// DUNLIN-NEXT: ## 5: npu.sigmoid added to group 1 on activate
// DUNLIN-NEXT: ## 6: npu.mul added to group 1 on gate
// DUNLIN-NEXT: ## 7: npu.conv2d added to group 2 on ipa (runs on ipa, not reachable from gate)
// DUNLIN-NEXT: groups: 3, 2 of them of several ops
// DUNLIN-NEXT:   ipa: 2
// DUNLIN-NEXT:   compare: 1
// DUNLIN-NEXT:   pool: 1
// DUNLIN-NEXT:   activate: 1
// DUNLIN-NEXT:   gate: 1
// DUNLIN-NEXT: bytes that stay on the chip: 32
// DUNLIN-NEXT: bytes that travel: 6304
// COVER:      @factors
// COVER-NEXT: ## 2: npu.relu added to group 0 on compare
// COVER-NEXT: ## 3: npu.global_avg_pool added to group 0 on pool
// COVER-NEXT: ## 4: npu.conv2d added to group 1 on ipa
// COVER-NEXT: ## 5: npu.sigmoid added to group 1 on activate
// COVER-NEXT: ## 6: npu.mul added to group 2 on scale_pre
// COVER-NEXT: ## 7: npu.conv2d added to group 2 on ipa
// COVER-NEXT: groups: 3, 3 of them of several ops
// COVER-NEXT:   ipa: 2
// COVER-NEXT:   compare: 1
// COVER-NEXT:   pool: 1
// COVER-NEXT:   scale_pre: 1
// COVER-NEXT:   activate: 1
// COVER-NEXT: bytes that stay on the chip: 1040
// COVER-NEXT: bytes that travel: 4288: proved minimum
// WHY:      fuse-ops-hw: %r relu and %m mul are not fused: no groups with both in one let fewer bytes travel
// WHY-NEXT: fuse-ops-hw: %p global_avg_pool and %f conv2d are not fused: %f conv2d runs on ipa, not reachable from pool
// WHY-NEXT: fuse-ops-hw: %s sigmoid and %m mul are not fused: no groups with both in one let fewer bytes travel
// WHY-NEXT: fuse-ops-hw: %a exp and %columns transpose are not fused: %columns transpose: no stage runs it, and load or store absorbs only 'keeps the last axis'
func.func @factors(%x: tensor<1x8x8x4xf32>, %k: tensor<4x4x1x1xf32>) -> tensor<1x8x8x4xf32> {
  %r = npu.relu %x : tensor<1x8x8x4xf32>
  %p = npu.global_avg_pool %r data_layout = <NHWC> : (tensor<1x8x8x4xf32>) -> tensor<1x1x1x4xf32>
  %f = npu.conv2d %p, %k data_layout = <NHWC> kernel_layout = <OIHW> : (tensor<1x1x1x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x1x1x4xf32>
  %s = npu.sigmoid %f : tensor<1x1x1x4xf32>
  %m = npu.mul %r, %s : (tensor<1x8x8x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x8x8x4xf32>
  %c = npu.conv2d %m, %k data_layout = <NHWC> kernel_layout = <OIHW> : (tensor<1x8x8x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x8x8x4xf32>
  func.return %c : tensor<1x8x8x4xf32>
}

// -----

/// A stage that holds data runs an op whose other operand is a result of the group that is repeated; other stages do not.
// DUNLIN:      @held
// DUNLIN-NEXT: ## 2: npu.exp added to group 0 on activate
// DUNLIN-NEXT: ## 3: npu.sub added to group 0 on gate
// DUNLIN-NEXT: ## 4: npu.relu added to group 0 on compare
// DUNLIN-NEXT: groups: 1, 1 of them of several ops
// DUNLIN-NEXT:   compare: 1
// DUNLIN-NEXT:   activate: 1
// DUNLIN-NEXT:   gate: 1
// DUNLIN-NEXT: bytes that stay on the chip: 1040
// DUNLIN-NEXT: bytes that travel: 2064
// OWN:      @held
// OWN-NEXT: ## 2: npu.exp added to group 0 on act
// OWN-NEXT: ## 3: npu.sub added to group 0 on scale
// OWN-NEXT: ## 4: npu.relu added to group 0 on act
// OWN-NEXT: groups: 1, 1 of them of several ops
// OWN-NEXT:   act: 2
// OWN-NEXT:   scale: 1
// OWN-NEXT: bytes that stay on the chip: 1040
// OWN-NEXT: bytes that travel: 2064
// OWNCOVER:      @held
// OWNCOVER-NEXT: ## 2: npu.exp added to group 0 on act
// OWNCOVER-NEXT: ## 3: npu.sub added to group 0 on scale
// OWNCOVER-NEXT: ## 4: npu.relu added to group 0 on act
// OWNCOVER-NEXT: groups: 1, 1 of them of several ops
// OWNCOVER-NEXT:   act: 2
// OWNCOVER-NEXT:   scale: 1
// OWNCOVER-NEXT: bytes that stay on the chip: 1040
// OWNCOVER-NEXT: bytes that travel: 2064: proved minimum
func.func @held(%x: tensor<1x8x8x4xf32>, %b: tensor<1x1x1x4xf32>) -> tensor<1x8x8x4xf32> {
  %e = npu.exp %b : tensor<1x1x1x4xf32>
  %y = npu.sub %x, %e : (tensor<1x8x8x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x8x8x4xf32>
  %z = npu.relu %y : tensor<1x8x8x4xf32>
  func.return %z : tensor<1x8x8x4xf32>
}

// -----

/// Both operands of a square are one result of the group.
// OWN:      @square
// OWN-NEXT: ## 1: npu.relu added to group 0 on act
// OWN-NEXT: ## 2: npu.mul added to group 0 on product
// OWN-NEXT: groups: 1, 1 of them of several ops
// OWN-NEXT:   act: 1
// OWN-NEXT:   product: 1
// OWN-NEXT: bytes that stay on the chip: 1024
// OWN-NEXT: bytes that travel: 2048
// OWNCOVER:      @square
// OWNCOVER-NEXT: ## 1: npu.relu added to group 0 on act
// OWNCOVER-NEXT: ## 2: npu.mul added to group 0 on product
// OWNCOVER-NEXT: groups: 1, 1 of them of several ops
// OWNCOVER-NEXT:   act: 1
// OWNCOVER-NEXT:   product: 1
// OWNCOVER-NEXT: bytes that stay on the chip: 1024
// OWNCOVER-NEXT: bytes that travel: 2048: proved minimum
func.func @square(%x: tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32> {
  %r = npu.relu %x : tensor<1x8x8x4xf32>
  %y = npu.mul %r, %r : tensor<1x8x8x4xf32>
  func.return %y : tensor<1x8x8x4xf32>
}

// -----

/// Copies turn rows, and no other transposes.
// DUNLIN:      @copies
// DUNLIN-NEXT: ## 1: npu.exp added to group 0 on activate
// DUNLIN-NEXT: ## 2: npu.transpose added to group 0 on store
// DUNLIN-NEXT: ## 3: npu.transpose in no group (no stage runs it, and load or store absorbs only 'keeps the last axis')
// DUNLIN-NEXT: groups: 1, 1 of them of several ops
// DUNLIN-NEXT:   activate: 1
// DUNLIN-NEXT:   store: 1
// DUNLIN-NEXT: in no group: 1
// DUNLIN-NEXT:   npu.transpose (no stage runs it, and load or store absorbs only 'keeps the last axis'): 1
// DUNLIN-NEXT: bytes that stay on the chip: 0
// DUNLIN-NEXT: bytes that travel: 2400
// DUNLIN-NEXT: absorbed transposes: 1 of 2
func.func @copies(%x: tensor<2x3x4x5xf32>) -> (tensor<2x4x3x5xf32>, tensor<2x3x5x4xf32>) {
  %a = npu.exp %x : tensor<2x3x4x5xf32>
  %rows = npu.transpose %a permutation = [0, 2, 1, 3] : (tensor<2x3x4x5xf32>) -> tensor<2x4x3x5xf32>
  %columns = npu.transpose %a permutation = [0, 1, 3, 2] : (tensor<2x3x4x5xf32>) -> tensor<2x3x5x4xf32>
  func.return %rows, %columns : tensor<2x4x3x5xf32>, tensor<2x3x5x4xf32>
}

// -----

/// The scale of a norm is read beside its data, so that it is complete before the pass begins. The reshape between the two is
/// collected, and is on no stage.
// WHY-NEXT: fuse-ops-hw: %b broadcast and %s reshape are not fused: no groups with both in one let fewer bytes travel
func.func @scale(%x: tensor<1x4x6xf32>, %v: tensor<2x1xf32>, %bias: tensor<4xf32>) -> tensor<1x4x6xf32> {
  %b = npu.broadcast %v axes = [0, 1] : (tensor<2x1xf32>) -> tensor<2x2xf32>
  %s = npu.reshape %b : (tensor<2x2xf32>) -> tensor<4xf32>
  %y = npu.instance_norm %x, %s, %bias axis = 1 axes = [2] : (tensor<1x4x6xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x6xf32>
  func.return %y : tensor<1x4x6xf32>
}
