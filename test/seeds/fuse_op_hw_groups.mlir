// RUN: npu-opt %s --fuse-ops-hw="dump=groups" --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=OPU
// RUN: npu-opt %s --fuse-ops-hw="dump=groups" --target=plover --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=PLOVER

/// Everything that one pass through the hardware can do: from concat to upsample, with the constants that the ops read.
// OPU:      @one_pass
// OPU-NEXT: ## 3: npu.concat added to group 0 on concat
// OPU-NEXT: ## 4: npu.constant collected into group 0
// OPU-NEXT: ## 5: npu.conv2d added to group 0 on ipa
// OPU-NEXT: ## 6: npu.constant collected into group 0
// OPU-NEXT: ## 7: npu.add added to group 0 on add
// OPU-NEXT: ## 8: npu.relu added to group 0 on compare
// OPU-NEXT: ## 9: npu.max_pool added to group 0 on pool
// OPU-NEXT: ## 10: npu.add added to group 0 on res_add
// OPU-NEXT: ## 11: npu.upsample added to group 0 on upsample
// OPU-NEXT: groups: 1, 1 of them of several ops
// OPU-NEXT:   concat: 1
// OPU-NEXT:   ipa: 1
// OPU-NEXT:   add: 1
// OPU-NEXT:   compare: 1
// OPU-NEXT:   pool: 1
// OPU-NEXT:   res_add: 1
// OPU-NEXT:   upsample: 1
// OPU-NEXT: bytes that stay on the chip: 4608
func.func @one_pass(%a: tensor<1x8x4x4xf32>, %b: tensor<1x8x4x4xf32>, %r: tensor<1x16x2x2xf32>) -> tensor<1x16x4x4xf32> {
  %k = npu.constant dense<0.5> : tensor<16x16x1x1xf32>
  %bias = npu.constant dense<0.25> : tensor<1x16x1x1xf32>
  %c = npu.concat %a, %b axis = 1 : (tensor<1x8x4x4xf32>, tensor<1x8x4x4xf32>) -> tensor<1x16x4x4xf32>
  %conv = npu.conv2d %c, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x16x4x4xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x4x4xf32>
  %add = npu.add %conv, %bias : (tensor<1x16x4x4xf32>, tensor<1x16x1x1xf32>) -> tensor<1x16x4x4xf32>
  %relu = npu.relu %add : tensor<1x16x4x4xf32>
  %pool = npu.max_pool %relu window = [2, 2] strides = [2, 2] data_layout = <NCHW> : (tensor<1x16x4x4xf32>) -> tensor<1x16x2x2xf32>
  %res = npu.add %pool, %r : tensor<1x16x2x2xf32>
  %up = npu.upsample %res factors = [2, 2] data_layout = <NCHW> : (tensor<1x16x2x2xf32>) -> tensor<1x16x4x4xf32>
  func.return %up : tensor<1x16x4x4xf32>
}

// -----

/// The data-flow has one pad in front of the convolution, so the second pad begins the second group.
// OPU:      @second_pad
// OPU-NEXT: ## 1: npu.pad added to group 0 on pad
// OPU-NEXT: ## 2: npu.constant in no group
// OPU-NEXT: ## 3: npu.conv2d added to group 0 on ipa
// OPU-NEXT: ## 4: npu.relu added to group 0 on compare
// OPU-NEXT: ## 5: npu.pad added to group 1 on pad (runs on pad, not reachable from compare)
// OPU-NEXT: ## 6: npu.conv2d added to group 1 on ipa
// OPU-NEXT: groups: 2, 2 of them of several ops
// OPU-NEXT:   pad: 2
// OPU-NEXT:   ipa: 2
// OPU-NEXT:   compare: 1
// OPU-NEXT: bytes that stay on the chip: 1344
func.func @second_pad(%x: tensor<1x4x4x4xf32>) -> tensor<1x4x6x6xf32> {
  %k = npu.constant dense<0.5> : tensor<4x4x1x1xf32>
  %pad1 = npu.pad %x low = [0, 0, 1, 0] high = [0, 0, 1, 0] : (tensor<1x4x4x4xf32>) -> tensor<1x4x6x4xf32>
  %conv = npu.conv2d %pad1, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x6x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x6x4xf32>
  %relu = npu.relu %conv : tensor<1x4x6x4xf32>
  %pad2 = npu.pad %relu low = [0, 0, 0, 1] high = [0, 0, 0, 1] : (tensor<1x4x6x4xf32>) -> tensor<1x4x6x6xf32>
  %conv2 = npu.conv2d %pad2, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x6x6xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x6x6xf32>
  func.return %conv2 : tensor<1x4x6x6xf32>
}

// -----

/// compare, pool and res_add may follow each other in any order and any number of times, on the target of
/// the seed. On the second target each runs one op of a group, and there is one way around.
// OPU:      @compare_pool_add
// OPU-NEXT: ## 3: npu.relu added to group 0 on compare
// OPU-NEXT: ## 4: npu.max_pool added to group 0 on pool
// OPU-NEXT: ## 5: npu.add added to group 0 on res_add
// OPU-NEXT: ## 6: npu.clip added to group 0 on compare
// OPU-NEXT: ## 7: npu.max_pool added to group 0 on pool
// OPU-NEXT: ## 8: npu.add added to group 0 on res_add
// OPU-NEXT: groups: 1, 1 of them of several ops
// OPU-NEXT:   compare: 2
// OPU-NEXT:   pool: 2
// OPU-NEXT:   res_add: 2
// OPU-NEXT: bytes that stay on the chip: 1280
// PLOVER:      @compare_pool_add
// PLOVER-NEXT: ## 3: npu.relu added to group 0 on activate
// PLOVER-NEXT: ## 4: npu.max_pool added to group 0 on pool
// PLOVER-NEXT: ## 5: npu.add added to group 1 on join (runs on join, not reachable from pool)
// PLOVER-NEXT: ## 6: npu.clip added to group 1 on activate
// PLOVER-NEXT: ## 7: npu.max_pool added to group 1 on pool
// PLOVER-NEXT: ## 8: npu.add added to group 2 on join (runs on join, not reachable from pool)
// PLOVER-NEXT: groups: 3, 2 of them of several ops
// PLOVER-NEXT:   join: 2
// PLOVER-NEXT:   activate: 2
// PLOVER-NEXT:   pool: 2
// PLOVER-NEXT: bytes that stay on the chip: 768
func.func @compare_pool_add(%x: tensor<1x4x4x4xf32>, %y: tensor<1x4x4x4xf32>, %z: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %c1 = npu.relu %x : tensor<1x4x4x4xf32>
  %p1 = npu.max_pool %c1 window = [1, 1] strides = [1, 1] data_layout = <NCHW> : tensor<1x4x4x4xf32>
  %a1 = npu.add %p1, %y : tensor<1x4x4x4xf32>
  %c2 = npu.clip %a1 min = 0.0 max = 1.0 : tensor<1x4x4x4xf32>
  %p2 = npu.max_pool %c2 window = [1, 1] strides = [1, 1] data_layout = <NCHW> : tensor<1x4x4x4xf32>
  %a2 = npu.add %p2, %z : tensor<1x4x4x4xf32>
  func.return %a2 : tensor<1x4x4x4xf32>
}

// -----

/// The other way around.
// OPU:      @add_pool_compare
// OPU-NEXT: ## 3: npu.add added to group 0 on res_add
// OPU-NEXT: ## 4: npu.max_pool added to group 0 on pool
// OPU-NEXT: ## 5: npu.relu added to group 0 on compare
// OPU-NEXT: ## 6: npu.add added to group 0 on res_add
// OPU-NEXT: ## 7: npu.max_pool added to group 0 on pool
// OPU-NEXT: ## 8: npu.clip added to group 0 on compare
// OPU-NEXT: groups: 1, 1 of them of several ops
// OPU-NEXT:   compare: 2
// OPU-NEXT:   pool: 2
// OPU-NEXT:   res_add: 2
// OPU-NEXT: bytes that stay on the chip: 1280
// PLOVER:      @add_pool_compare
// PLOVER-NEXT: ## 3: npu.add added to group 0 on join
// PLOVER-NEXT: ## 4: npu.max_pool added to group 0 on pool
// PLOVER-NEXT: ## 5: npu.relu added to group 1 on activate (runs on activate, not reachable from pool)
// PLOVER-NEXT: ## 6: npu.add added to group 2 on join (runs on join, not reachable from activate)
// PLOVER-NEXT: ## 7: npu.max_pool added to group 2 on pool
// PLOVER-NEXT: ## 8: npu.clip added to group 3 on activate (runs on activate, not reachable from pool)
// PLOVER-NEXT: groups: 4, 2 of them of several ops
// PLOVER-NEXT:   join: 2
// PLOVER-NEXT:   activate: 2
// PLOVER-NEXT:   pool: 2
// PLOVER-NEXT: bytes that stay on the chip: 512
func.func @add_pool_compare(%x: tensor<1x4x4x4xf32>, %y: tensor<1x4x4x4xf32>, %z: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %a1 = npu.add %x, %y : tensor<1x4x4x4xf32>
  %p1 = npu.max_pool %a1 window = [1, 1] strides = [1, 1] data_layout = <NCHW> : tensor<1x4x4x4xf32>
  %c1 = npu.relu %p1 : tensor<1x4x4x4xf32>
  %a2 = npu.add %c1, %z : tensor<1x4x4x4xf32>
  %p2 = npu.max_pool %a2 window = [1, 1] strides = [1, 1] data_layout = <NCHW> : tensor<1x4x4x4xf32>
  %c2 = npu.clip %p2 min = 0.0 max = 1.0 : tensor<1x4x4x4xf32>
  func.return %c2 : tensor<1x4x4x4xf32>
}

// -----

/// An op that no stage runs is in no group; the constants, the reshape and the relabel are collected with their users.
// OPU:      @collected
// OPU-NEXT: ## 1: npu.softmax in no group (no stage runs it)
// OPU-NEXT: ## 2: npu.constant collected into group 0
// OPU-NEXT: ## 3: npu.reshape collected into group 0
// OPU-NEXT: ## 4: npu.conv2d added to group 0 on ipa
// OPU-NEXT: ## 5: npu.reshape collected into group 0
// OPU-NEXT: ## 6: npu.relu added to group 0 on compare
// OPU-NEXT: ## 7: npu.reshape collected into group 0
// OPU-NEXT: ## 8: npu.clip added to group 0 on compare
// OPU-NEXT: groups: 1, 1 of them of several ops
// OPU-NEXT:   ipa: 1
// OPU-NEXT:   compare: 2
// OPU-NEXT: in no group: 1
// OPU-NEXT:   npu.softmax (no stage runs it): 1
// OPU-NEXT: bytes that stay on the chip: 512
func.func @collected(%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %flat = npu.constant dense<0.5> : tensor<4x4xf32>
  %k = npu.reshape %flat : (tensor<4x4xf32>) -> tensor<4x4x1x1xf32>
  %soft = npu.softmax %x axis = 1 : tensor<1x4x4x4xf32>
  %conv = npu.conv2d %soft, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %seq = npu.reshape %conv : (tensor<1x4x4x4xf32>) -> tensor<1x4x16xf32>
  %relu = npu.relu %seq : tensor<1x4x16xf32>
  %out = npu.reshape %relu : (tensor<1x4x16xf32>) -> tensor<1x4x4x4xf32>
  %clip = npu.clip %out min = 0.0 max = 1.0 : tensor<1x4x4x4xf32>
  func.return %clip : tensor<1x4x4x4xf32>
}

// -----

/// An op that other hardware than the latest stage runs begins a new group at the root, even in front of the first stage.
// OPU:      @restart
// OPU-NEXT: ## 1: npu.relu added to group 0 on compare
// OPU-NEXT: ## 2: npu.constant collected into group 1
// OPU-NEXT: ## 3: npu.conv2d added to group 1 on ipa (runs on ipa, not reachable from compare)
// OPU-NEXT: ## 4: npu.relu added to group 1 on compare
// OPU-NEXT: groups: 2, 1 of them of several ops
// OPU-NEXT:   ipa: 1
// OPU-NEXT:   compare: 2
// OPU-NEXT: bytes that stay on the chip: 256
func.func @restart(%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %k = npu.constant dense<0.5> : tensor<4x4x1x1xf32>
  %relu = npu.relu %x : tensor<1x4x4x4xf32>
  %conv = npu.conv2d %relu, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %relu2 = npu.relu %conv : tensor<1x4x4x4xf32>
  func.return %relu2 : tensor<1x4x4x4xf32>
}

// -----

/// Data flows from stage to stage; a kernel is read beside it, so its pad and the convolution are two passes.
// OPU:      @kernel_pad
// OPU-NEXT: ## 2: npu.pad added to group 0 on pad
// OPU-NEXT: ## 3: npu.conv2d added to group 1 on ipa (uses a result of the previous group beside its data)
// OPU-NEXT: groups: 2, 0 of them of several ops
// OPU-NEXT:   pad: 1
// OPU-NEXT:   ipa: 1
// OPU-NEXT: bytes that stay on the chip: 0
func.func @kernel_pad(%x: tensor<1x4x6x6xf32>, %k: tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %pad = npu.pad %k low = [0, 0, 1, 1] high = [0, 0, 1, 1] : (tensor<4x4x1x1xf32>) -> tensor<4x4x3x3xf32>
  %conv = npu.conv2d %x, %pad data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x6x6xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x4x4xf32>
  func.return %conv : tensor<1x4x4x4xf32>
}

// -----

/// A small operand is read beside the data as well: it is repeated, so it has to be complete.
// OPU:      @small_add
// OPU-NEXT: ## 2: npu.relu added to group 0 on compare
// OPU-NEXT: ## 3: npu.add added to group 1 on res_add (uses a result of the previous group beside its data)
// OPU-NEXT: groups: 2, 0 of them of several ops
// OPU-NEXT:   compare: 1
// OPU-NEXT:   res_add: 1
// OPU-NEXT: bytes that stay on the chip: 0
func.func @small_add(%x: tensor<1x4x4x4xf32>, %y: tensor<1x4x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %relu = npu.relu %y : tensor<1x4x1x1xf32>
  %add = npu.add %relu, %x : (tensor<1x4x1x1xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  func.return %add : tensor<1x4x4x4xf32>
}

// -----

/// Neither may an operand of one element come from the group, though the data does.
// OPU:      @small_max
// OPU-NEXT: ## 1: npu.relu added to group 0 on compare
// OPU-NEXT: ## 2: npu.global_max_pool added to group 0 on pool
// OPU-NEXT: ## 3: npu.sqrt collected into group 1
// OPU-NEXT: ## 4: npu.max added to group 1 on compare (uses a result of the previous group beside its data)
// OPU-NEXT: groups: 2, 1 of them of several ops
// OPU-NEXT:   compare: 2
// OPU-NEXT:   pool: 1
// OPU-NEXT: bytes that stay on the chip: 0
func.func @small_max(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32> {
  %relu = npu.relu %x : tensor<1x1x4x4xf32>
  %pool = npu.global_max_pool %relu data_layout = <NCHW> : (tensor<1x1x4x4xf32>) -> tensor<1x1x1x1xf32>
  %root = npu.sqrt %pool : tensor<1x1x1x1xf32>
  %max = npu.max %relu, %root : (tensor<1x1x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x4x4xf32>
  func.return %max : tensor<1x1x4x4xf32>
}

// -----

/// A product of two values of one element is no pass of its own, which would end that of the convolution.
// OPU:      @one_element
// OPU-NEXT: ## 2: npu.constant collected into group 0
// OPU-NEXT: ## 3: npu.conv2d added to group 0 on ipa
// OPU-NEXT: ## 4: npu.constant collected into group 0
// OPU-NEXT: ## 5: npu.mul collected into group 0
// OPU-NEXT: ## 6: npu.max added to group 0 on compare
// OPU-NEXT: groups: 1, 1 of them of several ops
// OPU-NEXT:   ipa: 1
// OPU-NEXT:   compare: 1
// OPU-NEXT: bytes that stay on the chip: 256
func.func @one_element(%x: tensor<1x4x4x4xf32>, %s: tensor<f32>) -> tensor<1x4x4x4xf32> {
  %k = npu.constant dense<0.5> : tensor<4x4x1x1xf32>
  %half = npu.constant dense<0.5> : tensor<f32>
  %conv = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %low = npu.mul %s, %half : tensor<f32>
  %max = npu.max %conv, %low : (tensor<1x4x4x4xf32>, tensor<f32>) -> tensor<1x4x4x4xf32>
  func.return %max : tensor<1x4x4x4xf32>
}

// -----

/// Behind a product of one element the arithmetic of it is in the same pass.
// OPU:      @one_element_of_a_stage
// OPU-NEXT: ## 1: npu.constant collected into group 0
// OPU-NEXT: ## 2: npu.gemm added to group 0 on ipa
// OPU-NEXT: ## 3: npu.exp collected into group 0
// OPU-NEXT: ## 4: npu.constant collected into group 0
// OPU-NEXT: ## 5: npu.mul added to group 0 on mul
// OPU-NEXT: ## 6: npu.relu added to group 0 on compare
// OPU-NEXT: groups: 1, 1 of them of several ops
// OPU-NEXT:   ipa: 1
// OPU-NEXT:   mul: 1
// OPU-NEXT:   compare: 1
// OPU-NEXT: bytes that stay on the chip: 8
func.func @one_element_of_a_stage(%x: tensor<1x4xf32>) -> tensor<1x1xf32> {
  %k = npu.constant dense<0.5> : tensor<4x1xf32>
  %half = npu.constant dense<0.5> : tensor<1x1xf32>
  %gemm = npu.gemm %x, %k : (tensor<1x4xf32>, tensor<4x1xf32>) -> tensor<1x1xf32>
  %exp = npu.exp %gemm : tensor<1x1xf32>
  %mul = npu.mul %exp, %half : tensor<1x1xf32>
  %relu = npu.relu %mul : tensor<1x1xf32>
  func.return %relu : tensor<1x1xf32>
}

// -----

/// A constant as large as the data is read like any other residual.
// OPU:      @constant_residual
// OPU-NEXT: ## 1: npu.constant collected into group 0
// OPU-NEXT: ## 2: npu.constant collected into group 0
// OPU-NEXT: ## 3: npu.gemm added to group 0 on ipa
// OPU-NEXT: ## 4: npu.add added to group 0 on res_add
// OPU-NEXT: ## 5: npu.relu added to group 0 on compare
// OPU-NEXT: groups: 1, 1 of them of several ops
// OPU-NEXT:   ipa: 1
// OPU-NEXT:   compare: 1
// OPU-NEXT:   res_add: 1
// OPU-NEXT: bytes that stay on the chip: 64
// PLOVER:      @constant_residual
// PLOVER-NEXT: ## 1: npu.constant collected into group 0
// PLOVER-NEXT: ## 2: npu.constant collected into group 0
// PLOVER-NEXT: ## 3: npu.gemm added to group 0 on mac
// PLOVER-NEXT: ## 4: npu.add added to group 0 on join
// PLOVER-NEXT: ## 5: npu.relu added to group 0 on activate
// PLOVER-NEXT: groups: 1, 1 of them of several ops
// PLOVER-NEXT:   mac: 1
// PLOVER-NEXT:   join: 1
// PLOVER-NEXT:   activate: 1
// PLOVER-NEXT: bytes that stay on the chip: 64
func.func @constant_residual(%x: tensor<2x8xf32>) -> tensor<2x4xf32> {
  %k = npu.constant dense<0.5> : tensor<8x4xf32>
  %full = npu.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>
  %gemm = npu.gemm %x, %k : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %add = npu.add %full, %gemm : tensor<2x4xf32>
  %relu = npu.relu %add : tensor<2x4xf32>
  func.return %relu : tensor<2x4xf32>
}

// -----

/// One value per row is neither as large as the data nor one per channel.
// OPU:      @constant_rows
// OPU-NEXT: ## 1: npu.max_pool added to group 0 on pool
// OPU-NEXT: ## 2: npu.constant in no group
// OPU-NEXT: ## 3: npu.add in no group (runs on add_pre or add with channel-constant or res_add with tensor, but not with a constant that is repeated)
// OPU-NEXT: groups: 1, 0 of them of several ops
// OPU-NEXT:   pool: 1
// OPU-NEXT: in no group: 1
// OPU-NEXT:   npu.add (runs on add_pre or add with channel-constant or res_add with tensor, but not with a constant that is repeated): 1
// OPU-NEXT: bytes that stay on the chip: 0
func.func @constant_rows(%x: tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32> {
  %rows = npu.constant dense<[[[[1.0], [2.0], [3.0], [4.0]]]]> : tensor<1x1x4x1xf32>
  %pool = npu.max_pool %x window = [1, 1] strides = [1, 1] data_layout = <NCHW> : tensor<2x3x4x4xf32>
  %add = npu.add %pool, %rows : (tensor<2x3x4x4xf32>, tensor<1x1x4x1xf32>) -> tensor<2x3x4x4xf32>
  func.return %add : tensor<2x3x4x4xf32>
}

// -----

/// Of a product of data with itself the one factor is complete before the other one flows.
// OPU:      @gram
// OPU-NEXT: ## 1: npu.pad added to group 0 on pad
// OPU-NEXT: ## 2: npu.reshape collected into group 1
// OPU-NEXT: ## 3: npu.gemm added to group 1 on ipa (uses a result of the previous group beside its data)
// OPU-NEXT: groups: 2, 0 of them of several ops
// OPU-NEXT:   pad: 1
// OPU-NEXT:   ipa: 1
// OPU-NEXT: bytes that stay on the chip: 0
func.func @gram(%x: tensor<4x2x2xf32>) -> tensor<4x4xf32> {
  %pad = npu.pad %x low = [0, 0, 0] high = [0, 1, 0] : (tensor<4x2x2xf32>) -> tensor<4x3x2xf32>
  %rows = npu.reshape %pad : (tensor<4x3x2xf32>) -> tensor<4x6xf32>
  %gram = npu.gemm %rows, %rows trans_b : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x4xf32>
  func.return %gram : tensor<4x4xf32>
}

// -----

/// Nor do both factors flow where each is computed in the pass.
// OPU:      @two_factors
// OPU-NEXT: ## 2: npu.concat added to group 0 on concat
// OPU-NEXT: ## 3: npu.constant collected into group 0
// OPU-NEXT: ## 4: npu.mul added to group 0 on mul_pre
// OPU-NEXT: ## 5: npu.gemm added to group 1 on ipa (uses a result of the previous group beside its data)
// OPU-NEXT: groups: 2, 1 of them of several ops
// OPU-NEXT:   concat: 1
// OPU-NEXT:   mul_pre: 1
// OPU-NEXT:   ipa: 1
// OPU-NEXT: bytes that stay on the chip: 0
func.func @two_factors(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<8x8xf32> {
  %scale = npu.constant dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xf32>
  %rows = npu.concat %x, %y axis = 0 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %scaled = npu.mul %rows, %scale : (tensor<8x4xf32>, tensor<1x4xf32>) -> tensor<8x4xf32>
  %product = npu.gemm %rows, %scaled trans_b : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
  func.return %product : tensor<8x8xf32>
}
