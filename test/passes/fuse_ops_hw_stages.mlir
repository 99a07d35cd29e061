// RUN: npu-opt %s --fuse-ops-hw="dump=groups" --target=opu --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=OPU
// RUN: npu-opt %s --fuse-ops-hw="dump=groups" --target=plover --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=PLOVER

/// A pad in front of a pool has a stage of its own behind the convolution. If others read it too it is any pad, which begins
/// a new group.
// OPU:      @pads
// OPU-NEXT: ## 2: npu.conv2d added to group 0 on ipa
// OPU-NEXT: ## 3: npu.pad added to group 0 on pool_pad
// OPU-NEXT: ## 4: npu.max_pool added to group 0 on pool
// OPU-NEXT: ## 5: npu.conv2d added to group 1 on ipa (runs on ipa, not reachable from pool)
// OPU-NEXT: ## 6: npu.pad added to group 2 on pad (runs on pad, not reachable from ipa)
// OPU-NEXT: ## 7: npu.max_pool added to group 2 on pool
// OPU-NEXT: ## 8: npu.exp in no group (no stage runs it)
// OPU-NEXT: groups: 3, 2 of them of several ops
// OPU-NEXT:   pad: 1
// OPU-NEXT:   ipa: 2
// OPU-NEXT:   pool_pad: 1
// OPU-NEXT:   pool: 2
// OPU-NEXT: in no group: 1
// OPU-NEXT:   npu.exp (no stage runs it): 1
// OPU-NEXT: bytes that stay on the chip: 576
// PLOVER:      @pads
// PLOVER-NEXT: ## 2: npu.conv2d in no group (runs on mac with constant, but not with a value as kernel)
// PLOVER-NEXT: ## 3: npu.pad in no group (runs on frame before mac, but no op of that stage is its only user)
// PLOVER-NEXT: ## 4: npu.max_pool added to group 0 on pool
// PLOVER-NEXT: ## 5: npu.conv2d in no group (runs on mac with constant, but not with a value as kernel)
// PLOVER-NEXT: ## 6: npu.pad in no group (runs on frame before mac, but no op of that stage is its only user)
// PLOVER-NEXT: ## 7: npu.max_pool added to group 1 on pool (runs on pool, not reachable from pool)
// PLOVER-NEXT: ## 8: npu.exp in no group (no stage runs it)
// PLOVER-NEXT: groups: 2, 0 of them of several ops
// PLOVER-NEXT:   pool: 2
// PLOVER-NEXT: in no group: 5
// PLOVER-NEXT:   npu.conv2d (runs on mac with constant, but not with a value as kernel): 2
// PLOVER-NEXT:   npu.pad (runs on frame before mac, but no op of that stage is its only user): 2
// PLOVER-NEXT:   npu.exp (no stage runs it): 1
// PLOVER-NEXT: bytes that stay on the chip: 0
func.func @pads(%x: tensor<1x4x4x4xf32>, %k: tensor<4x4x1x1xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>, tensor<1x4x5x4xf32>) {
  %a = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %one = npu.pad %a low = [0, 0, 1, 0] high = [0, 0, 0, 0] : (tensor<1x4x4x4xf32>) -> tensor<1x4x5x4xf32>
  %pool1 = npu.max_pool %one window = [2, 1] data_layout = <NCHW> : (tensor<1x4x5x4xf32>) -> tensor<1x4x4x4xf32>
  %b = npu.conv2d %pool1, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %two = npu.pad %b low = [0, 0, 1, 0] high = [0, 0, 0, 0] : (tensor<1x4x4x4xf32>) -> tensor<1x4x5x4xf32>
  %exp = npu.exp %two : tensor<1x4x5x4xf32>
  %pool2 = npu.max_pool %two window = [2, 1] data_layout = <NCHW> : (tensor<1x4x5x4xf32>) -> tensor<1x4x4x4xf32>
  func.return %pool1, %pool2, %exp : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>, tensor<1x4x5x4xf32>
}

// -----

/// Reshapes and relabels do not come between a pad and the convolution behind it, as groups collect them. A transpose that
/// moves data does, and so does a second user.
// OPU:      @passed
// OPU-NEXT: ## 1: npu.pad added to group 0 on pad
// OPU-NEXT: ## 2: npu.reshape collected into group 0
// OPU-NEXT: ## 3: npu.relabel collected into group 0
// OPU-NEXT: ## 4: npu.constant collected into group 0
// OPU-NEXT: ## 5: npu.conv2d added to group 0 on ipa
// OPU-NEXT: ## 6: npu.pad added to group 1 on pad (runs on pad, not reachable from ipa)
// OPU-NEXT: ## 7: npu.transpose in no group (no stage runs it)
// OPU-NEXT: ## 8: npu.constant in no group
// OPU-NEXT: ## 9: npu.conv2d added to group 2 on ipa (uses no result of the previous group)
// OPU-NEXT: ## 10: npu.pad added to group 3 on pad (runs on pad, not reachable from ipa)
// OPU-NEXT: ## 11: npu.reshape collected into group 3
// OPU-NEXT: ## 12: npu.conv2d added to group 3 on ipa
// OPU-NEXT: ## 13: npu.relu added to group 3 on compare
// OPU-NEXT: groups: 4, 2 of them of several ops
// OPU-NEXT:   pad: 3
// OPU-NEXT:   ipa: 3
// OPU-NEXT:   compare: 1
// OPU-NEXT: in no group: 1
// OPU-NEXT:   npu.transpose (no stage runs it): 1
// OPU-NEXT: bytes that stay on the chip: 240
// PLOVER:      @passed
// PLOVER-NEXT: ## 1: npu.pad added to group 0 on frame
// PLOVER-NEXT: ## 2: npu.reshape collected into group 0
// PLOVER-NEXT: ## 3: npu.relabel collected into group 0
// PLOVER-NEXT: ## 4: npu.constant collected into group 0
// PLOVER-NEXT: ## 5: npu.conv2d added to group 0 on mac
// PLOVER-NEXT: ## 6: npu.pad in no group (runs on frame before mac, but no op of that stage is its only user)
// PLOVER-NEXT: ## 7: npu.transpose added to group 1 on turn_in (uses no result of the previous group)
// PLOVER-NEXT: ## 8: npu.constant in no group
// PLOVER-NEXT: ## 9: npu.conv2d added to group 1 on mac
// PLOVER-NEXT: ## 10: npu.pad in no group (runs on frame before mac, but no op of that stage is its only user)
// PLOVER-NEXT: ## 11: npu.reshape in no group (is free, but no single group has all its users)
// PLOVER-NEXT: ## 12: npu.conv2d added to group 2 on mac (runs on mac, not reachable from mac)
// PLOVER-NEXT: ## 13: npu.relu added to group 3 on activate (uses no result of the previous group)
// PLOVER-NEXT: groups: 4, 2 of them of several ops
// PLOVER-NEXT:   turn_in: 1
// PLOVER-NEXT:   frame: 1
// PLOVER-NEXT:   mac: 3
// PLOVER-NEXT:   activate: 1
// PLOVER-NEXT: in no group: 3
// PLOVER-NEXT:   npu.pad (runs on frame before mac, but no op of that stage is its only user): 2
// PLOVER-NEXT:   npu.reshape (is free, but no single group has all its users): 1
// PLOVER-NEXT: bytes that stay on the chip: 240
func.func @passed(%x: tensor<1x4x6x1xf32>) -> (tensor<1x1x5x6xf32, #npu.layout<NCHW>>, tensor<1x1x6x5xf32>, tensor<1x1x5x6xf32>, tensor<1x1x5x6xf32>) {
  %k = npu.constant dense<0.5> : tensor<1x1x1x1xf32>
  %named_k = npu.constant dense<0.5> : tensor<1x1x1x1xf32, #npu.layout<OIHW>>
  %a = npu.pad %x low = [0, 1, 0, 0] high = [0, 0, 0, 0] : (tensor<1x4x6x1xf32>) -> tensor<1x5x6x1xf32>
  %shape1 = npu.reshape %a : (tensor<1x5x6x1xf32>) -> tensor<1x1x5x6xf32>
  %named = npu.relabel %shape1 : (tensor<1x1x5x6xf32>) -> tensor<1x1x5x6xf32, #npu.layout<NCHW>>
  %conv1 = npu.conv2d %named, %named_k : (tensor<1x1x5x6xf32, #npu.layout<NCHW>>, tensor<1x1x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x1x5x6xf32, #npu.layout<NCHW>>
  %b = npu.pad %x low = [0, 1, 0, 0] high = [0, 0, 0, 0] : (tensor<1x4x6x1xf32>) -> tensor<1x5x6x1xf32>
  %turned = npu.transpose %b permutation = [0, 3, 2, 1] : (tensor<1x5x6x1xf32>) -> tensor<1x1x6x5xf32>
  %conv2 = npu.conv2d %turned, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x1x6x5xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x6x5xf32>
  %c = npu.pad %x low = [0, 1, 0, 0] high = [0, 0, 0, 0] : (tensor<1x4x6x1xf32>) -> tensor<1x5x6x1xf32>
  %shape2 = npu.reshape %c : (tensor<1x5x6x1xf32>) -> tensor<1x1x5x6xf32>
  %conv3 = npu.conv2d %shape2, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x1x5x6xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x5x6xf32>
  %relu = npu.relu %shape2 : tensor<1x1x5x6xf32>
  func.return %conv1, %conv2, %conv3, %relu : tensor<1x1x5x6xf32, #npu.layout<NCHW>>, tensor<1x1x6x5xf32>, tensor<1x1x5x6xf32>, tensor<1x1x5x6xf32>
}

// -----

/// The constant may be any operand of a sum, but not of a difference: the second target
/// subtracts constants, not from them.
// OPU:      @sequence
// OPU-NEXT: ## 2: npu.constant in no group
// OPU-NEXT: ## 3: npu.conv2d added to group 0 on ipa
// OPU-NEXT: ## 4: npu.add added to group 0 on add
// OPU-NEXT: ## 5: npu.sub in no group (no stage runs it)
// OPU-NEXT: groups: 1, 1 of them of several ops
// OPU-NEXT:   ipa: 1
// OPU-NEXT:   add: 1
// OPU-NEXT: in no group: 1
// OPU-NEXT:   npu.sub (no stage runs it): 1
// OPU-NEXT: bytes that stay on the chip: 256
// PLOVER:      @sequence
// PLOVER-NEXT: ## 2: npu.constant in no group
// PLOVER-NEXT: ## 3: npu.conv2d in no group (runs on mac with constant, but not with a value as kernel)
// PLOVER-NEXT: ## 4: npu.add added to group 0 on shift
// PLOVER-NEXT: ## 5: npu.sub in no group (runs on shift with channel-constant or join with tensor, but its first operand is a constant)
// PLOVER-NEXT: groups: 1, 0 of them of several ops
// PLOVER-NEXT:   shift: 1
// PLOVER-NEXT: in no group: 2
// PLOVER-NEXT:   npu.conv2d (runs on mac with constant, but not with a value as kernel): 1
// PLOVER-NEXT:   npu.sub (runs on shift with channel-constant or join with tensor, but its first operand is a constant): 1
// PLOVER-NEXT: bytes that stay on the chip: 0
func.func @sequence(%x: tensor<1x4x4x4xf32>, %k: tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %bias = npu.constant dense<0.5> : tensor<1x4x1x1xf32>
  %a = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %b = npu.add %bias, %a : (tensor<1x4x1x1xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %c = npu.sub %bias, %b : (tensor<1x4x1x1xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  func.return %c : tensor<1x4x4x4xf32>
}

// -----

/// A value of one element that comes at run time is neither a constant nor a tensor to the stages that add.
// OPU:      @scalar
// OPU-NEXT: ## 2: npu.relu added to group 0 on compare
// OPU-NEXT: ## 3: npu.add in no group (runs on add_pre or add with channel-constant or res_add with tensor, but not with a value of one element)
// OPU-NEXT: groups: 1, 0 of them of several ops
// OPU-NEXT:   compare: 1
// OPU-NEXT: in no group: 1
// OPU-NEXT:   npu.add (runs on add_pre or add with channel-constant or res_add with tensor, but not with a value of one element): 1
// OPU-NEXT: bytes that stay on the chip: 0
// PLOVER:      @scalar
// PLOVER-NEXT: ## 2: npu.relu added to group 0 on activate
// PLOVER-NEXT: ## 3: npu.add in no group (runs on shift with channel-constant or join with tensor, but not with a value of one element)
// PLOVER-NEXT: groups: 1, 0 of them of several ops
// PLOVER-NEXT:   activate: 1
// PLOVER-NEXT: in no group: 1
// PLOVER-NEXT:   npu.add (runs on shift with channel-constant or join with tensor, but not with a value of one element): 1
// PLOVER-NEXT: bytes that stay on the chip: 0
func.func @scalar(%x: tensor<1x4x4x4xf32>, %s: tensor<f32>) -> tensor<1x4x4x4xf32> {
  %a = npu.relu %x : tensor<1x4x4x4xf32>
  %b = npu.add %a, %s : (tensor<1x4x4x4xf32>, tensor<f32>) -> tensor<1x4x4x4xf32>
  func.return %b : tensor<1x4x4x4xf32>
}

// -----

/// In a layout with letters a constant along another axis than C is not one per channel.
// OPU:      @axes
// OPU-NEXT: ## 2: npu.conv2d added to group 0 on ipa
// OPU-NEXT: ## 3: npu.constant collected into group 0
// OPU-NEXT: ## 4: npu.add added to group 0 on add
// OPU-NEXT: ## 5: npu.constant in no group
// OPU-NEXT: ## 6: npu.add in no group (runs on add_pre or add with channel-constant or res_add with tensor, but not with a constant that is repeated)
// OPU-NEXT: groups: 1, 1 of them of several ops
// OPU-NEXT:   ipa: 1
// OPU-NEXT:   add: 1
// OPU-NEXT: in no group: 1
// OPU-NEXT:   npu.add (runs on add_pre or add with channel-constant or res_add with tensor, but not with a constant that is repeated): 1
// OPU-NEXT: bytes that stay on the chip: 256
// PLOVER:      @axes
// PLOVER-NEXT: ## 2: npu.conv2d in no group (runs on mac with constant, but not with a value as kernel)
// PLOVER-NEXT: ## 3: npu.constant collected into group 0
// PLOVER-NEXT: ## 4: npu.add added to group 0 on shift
// PLOVER-NEXT: ## 5: npu.constant in no group
// PLOVER-NEXT: ## 6: npu.add in no group (runs on shift with channel-constant or join with tensor, but not with a constant that is repeated)
// PLOVER-NEXT: groups: 1, 0 of them of several ops
// PLOVER-NEXT:   shift: 1
// PLOVER-NEXT: in no group: 2
// PLOVER-NEXT:   npu.conv2d (runs on mac with constant, but not with a value as kernel): 1
// PLOVER-NEXT:   npu.add (runs on shift with channel-constant or join with tensor, but not with a constant that is repeated): 1
// PLOVER-NEXT: bytes that stay on the chip: 0
func.func @axes(%x: tensor<1x4x4x4xf32, #npu.layout<NHWC>>, %k: tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x4x4x4xf32, #npu.layout<NHWC>> {
  %channels = npu.constant dense<0.5> : tensor<1x1x1x4xf32, #npu.layout<NHWC>>
  %rows = npu.constant dense<0.5> : tensor<1x4x1x1xf32, #npu.layout<NHWC>>
  %a = npu.conv2d %x, %k : (tensor<1x4x4x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x4x4x4xf32, #npu.layout<NHWC>>
  %b = npu.add %a, %channels : (tensor<1x4x4x4xf32, #npu.layout<NHWC>>, tensor<1x1x1x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x4xf32, #npu.layout<NHWC>>
  %c = npu.add %b, %rows : (tensor<1x4x4x4xf32, #npu.layout<NHWC>>, tensor<1x4x1x1xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x4xf32, #npu.layout<NHWC>>
  func.return %c : tensor<1x4x4x4xf32, #npu.layout<NHWC>>
}

// -----

/// Arithmetic of one element goes with what reads it, whether a stage runs it or not.
// OPU:      @one_element
// OPU-NEXT: ## 2: npu.relu collected into group 0
// OPU-NEXT: ## 3: npu.max added to group 0 on compare
// OPU-NEXT: ## 4: npu.sqrt collected into group 0
// OPU-NEXT: ## 5: npu.max added to group 0 on compare
// OPU-NEXT: groups: 1, 1 of them of several ops
// OPU-NEXT:   compare: 2
// OPU-NEXT: bytes that stay on the chip: 256
// PLOVER:      @one_element
// PLOVER-NEXT: ## 2: npu.relu collected into group 0
// PLOVER-NEXT: ## 3: npu.max added to group 0 on activate
// PLOVER-NEXT: ## 4: npu.sqrt collected into group 1
// PLOVER-NEXT: ## 5: npu.max added to group 1 on activate (runs on activate, not reachable from activate)
// PLOVER-NEXT: groups: 2, 0 of them of several ops
// PLOVER-NEXT:   activate: 2
// PLOVER-NEXT: bytes that stay on the chip: 0
func.func @one_element(%x: tensor<1x4x4x4xf32>, %s: tensor<1xf32>) -> tensor<1x4x4x4xf32> {
  %relu = npu.relu %s : tensor<1xf32>
  %root = npu.sqrt %s : tensor<1xf32>
  %a = npu.max %x, %relu : (tensor<1x4x4x4xf32>, tensor<1xf32>) -> tensor<1x4x4x4xf32>
  %b = npu.max %a, %root : (tensor<1x4x4x4xf32>, tensor<1xf32>) -> tensor<1x4x4x4xf32>
  func.return %b : tensor<1x4x4x4xf32>
}

// -----

/// A reshape of the group goes with the op behind it although it is returned as well; where nothing but the last value of a
/// group may be seen, the op begins another group.
// OPU:      @seen
// OPU-NEXT: ## 1: npu.add added to group 0 on res_add
// OPU-NEXT: ## 2: npu.reshape collected into group 0
// OPU-NEXT: ## 3: npu.relu added to group 0 on compare
// OPU-NEXT: groups: 1, 1 of them of several ops
// OPU-NEXT:   compare: 1
// OPU-NEXT:   res_add: 1
// OPU-NEXT: bytes that stay on the chip: 0
// PLOVER:      @seen
// PLOVER-NEXT: ## 1: npu.add added to group 0 on join
// PLOVER-NEXT: ## 2: npu.reshape in no group (is free, but no single group has all its users)
// PLOVER-NEXT: ## 3: npu.relu added to group 1 on activate (would make a cycle: npu.reshape, outside the group, depends on it)
// PLOVER-NEXT: groups: 2, 0 of them of several ops
// PLOVER-NEXT:   join: 1
// PLOVER-NEXT:   activate: 1
// PLOVER-NEXT: in no group: 1
// PLOVER-NEXT:   npu.reshape (is free, but no single group has all its users): 1
// PLOVER-NEXT: bytes that stay on the chip: 0
func.func @seen(%x: tensor<1x4x4x4xf32>) -> (tensor<1x4x16xf32>, tensor<1x4x16xf32>) {
  %a = npu.add %x, %x : tensor<1x4x4x4xf32>
  %flat = npu.reshape %a : (tensor<1x4x4x4xf32>) -> tensor<1x4x16xf32>
  %b = npu.relu %flat : tensor<1x4x16xf32>
  func.return %flat, %b : tensor<1x4x16xf32>, tensor<1x4x16xf32>
}

// -----

/// Two ops of a group use a chain of two reshapes, and both reshapes are collected into the group.
// OPU:      @above
// OPU-NEXT: ## 2: npu.reshape collected into group 0
// OPU-NEXT: ## 3: npu.reshape collected into group 0
// OPU-NEXT: ## 4: npu.reshape collected into group 0
// OPU-NEXT: ## 5: npu.add added to group 0 on res_add
// OPU-NEXT: ## 6: npu.add added to group 0 on res_add
// OPU-NEXT: groups: 1, 1 of them of several ops
// OPU-NEXT:   res_add: 2
// OPU-NEXT: bytes that stay on the chip: 256
// PLOVER:      @above
// PLOVER-NEXT: ## 2: npu.reshape collected into group 0
// PLOVER-NEXT: ## 3: npu.reshape collected into group 0
// PLOVER-NEXT: ## 4: npu.reshape collected into group 0
// PLOVER-NEXT: ## 5: npu.add added to group 0 on join
// PLOVER-NEXT: ## 6: npu.add added to group 1 on join (runs on join, not reachable from join)
// PLOVER-NEXT: groups: 2, 0 of them of several ops
// PLOVER-NEXT:   join: 2
// PLOVER-NEXT: bytes that stay on the chip: 0
func.func @above(%x: tensor<1x4x4x4xf32>, %y: tensor<1x4x16xf32>) -> tensor<1x4x4x4xf32> {
  %r1 = npu.reshape %y : (tensor<1x4x16xf32>) -> tensor<1x16x4xf32>
  %r2 = npu.reshape %r1 : (tensor<1x16x4xf32>) -> tensor<1x4x4x4xf32>
  %r3 = npu.reshape %r1 : (tensor<1x16x4xf32>) -> tensor<1x4x4x4xf32>
  %a = npu.add %r2, %r3 : tensor<1x4x4x4xf32>
  %b = npu.add %a, %x : tensor<1x4x4x4xf32>
  func.return %b : tensor<1x4x4x4xf32>
}
