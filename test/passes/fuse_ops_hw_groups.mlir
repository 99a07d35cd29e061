// RUN: npu-opt %s --fuse-ops-hw="dump=groups" --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=OPU
// RUN: npu-opt %s --fuse-ops-hw="dump=groups target=plover" --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=PLOVER
// RUN: npu-opt %s --fuse-ops-hw="dump=groups" --target=plover --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=PLOVER

/// The add reads the result of a softmax outside of the group, which reads the group. Joined, the group would wait for itself.
// OPU:      @waits
// OPU-NEXT: ## 1: npu.constant collected into group 0
// OPU-NEXT: ## 2: npu.conv2d added to group 0 on ipa
// OPU-NEXT: ## 3: npu.relu added to group 0 on compare
// OPU-NEXT: ## 4: npu.softmax in no group (no stage runs it)
// OPU-NEXT: ## 5: npu.add added to group 1 on res_add (would make a cycle: npu.softmax, outside the group, depends on it)
// OPU-NEXT: groups: 2, 1 of them of several ops
// OPU-NEXT:   ipa: 1
// OPU-NEXT:   compare: 1
// OPU-NEXT:   res_add: 1
// OPU-NEXT: in no group: 1
// OPU-NEXT:   npu.softmax (no stage runs it): 1
// OPU-NEXT: bytes that stay on the chip: 256
// PLOVER:      @waits
// PLOVER-NEXT: ## 1: npu.constant collected into group 0
// PLOVER-NEXT: ## 2: npu.conv2d added to group 0 on mac
// PLOVER-NEXT: ## 3: npu.relu added to group 0 on activate
// PLOVER-NEXT: ## 4: npu.softmax in no group (no stage runs it)
// PLOVER-NEXT: ## 5: npu.add added to group 1 on join (runs on join, not reachable from activate)
// PLOVER-NEXT: groups: 2, 1 of them of several ops
// PLOVER-NEXT:   mac: 1
// PLOVER-NEXT:   join: 1
// PLOVER-NEXT:   activate: 1
// PLOVER-NEXT: in no group: 1
// PLOVER-NEXT:   npu.softmax (no stage runs it): 1
// PLOVER-NEXT: bytes that stay on the chip: 256
func.func @waits(%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %k = npu.constant dense<0.5> : tensor<4x4x1x1xf32>
  %conv = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %relu = npu.relu %conv : tensor<1x4x4x4xf32>
  %soft = npu.softmax %relu axis = 1 : tensor<1x4x4x4xf32>
  %sum = npu.add %relu, %soft : tensor<1x4x4x4xf32>
  func.return %sum : tensor<1x4x4x4xf32>
}

// -----

/// An operand from outside is allowed if it does not depend on the group.
// OPU:      @does_not_wait
// OPU-NEXT: ## 1: npu.constant collected into group 0
// OPU-NEXT: ## 2: npu.conv2d added to group 0 on ipa
// OPU-NEXT: ## 3: npu.relu added to group 0 on compare
// OPU-NEXT: ## 4: npu.softmax in no group (no stage runs it)
// OPU-NEXT: ## 5: npu.add added to group 0 on res_add
// OPU-NEXT: groups: 1, 1 of them of several ops
// OPU-NEXT:   ipa: 1
// OPU-NEXT:   compare: 1
// OPU-NEXT:   res_add: 1
// OPU-NEXT: in no group: 1
// OPU-NEXT:   npu.softmax (no stage runs it): 1
// OPU-NEXT: bytes that stay on the chip: 512
// PLOVER:      @does_not_wait
// PLOVER-NEXT: ## 1: npu.constant collected into group 0
// PLOVER-NEXT: ## 2: npu.conv2d added to group 0 on mac
// PLOVER-NEXT: ## 3: npu.relu added to group 0 on activate
// PLOVER-NEXT: ## 4: npu.softmax in no group (no stage runs it)
// PLOVER-NEXT: ## 5: npu.add added to group 1 on join (runs on join, not reachable from activate)
// PLOVER-NEXT: groups: 2, 1 of them of several ops
// PLOVER-NEXT:   mac: 1
// PLOVER-NEXT:   join: 1
// PLOVER-NEXT:   activate: 1
// PLOVER-NEXT: in no group: 1
// PLOVER-NEXT:   npu.softmax (no stage runs it): 1
// PLOVER-NEXT: bytes that stay on the chip: 256
func.func @does_not_wait(%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %k = npu.constant dense<0.5> : tensor<4x4x1x1xf32>
  %soft = npu.softmax %x axis = 1 : tensor<1x4x4x4xf32>
  %conv = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %relu = npu.relu %conv : tensor<1x4x4x4xf32>
  %sum = npu.add %relu, %soft : tensor<1x4x4x4xf32>
  func.return %sum : tensor<1x4x4x4xf32>
}

// -----

/// A residual connection over a group goes into the group of the sum.
// OPU:      @residual
// OPU-NEXT: ## 1: npu.constant in no group
// OPU-NEXT: ## 2: npu.conv2d added to group 0 on ipa
// OPU-NEXT: ## 3: npu.relu added to group 0 on compare
// OPU-NEXT: ## 4: npu.conv2d added to group 1 on ipa (runs on ipa, not reachable from compare)
// OPU-NEXT: ## 5: npu.relu added to group 1 on compare
// OPU-NEXT: ## 6: npu.add added to group 1 on res_add
// OPU-NEXT: groups: 2, 2 of them of several ops
// OPU-NEXT:   ipa: 2
// OPU-NEXT:   compare: 2
// OPU-NEXT:   res_add: 1
// OPU-NEXT: bytes that stay on the chip: 768
// PLOVER:      @residual
// PLOVER-NEXT: ## 1: npu.constant in no group
// PLOVER-NEXT: ## 2: npu.conv2d added to group 0 on mac
// PLOVER-NEXT: ## 3: npu.relu added to group 0 on activate
// PLOVER-NEXT: ## 4: npu.conv2d added to group 1 on mac (runs on mac, not reachable from activate)
// PLOVER-NEXT: ## 5: npu.relu added to group 1 on activate
// PLOVER-NEXT: ## 6: npu.add added to group 2 on join (runs on join, not reachable from activate)
// PLOVER-NEXT: groups: 3, 2 of them of several ops
// PLOVER-NEXT:   mac: 2
// PLOVER-NEXT:   join: 1
// PLOVER-NEXT:   activate: 2
// PLOVER-NEXT: bytes that stay on the chip: 512
func.func @residual(%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %k = npu.constant dense<0.5> : tensor<4x4x1x1xf32>
  %conv1 = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %relu1 = npu.relu %conv1 : tensor<1x4x4x4xf32>
  %conv2 = npu.conv2d %relu1, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %relu2 = npu.relu %conv2 : tensor<1x4x4x4xf32>
  %sum = npu.add %relu2, %relu1 : tensor<1x4x4x4xf32>
  func.return %sum : tensor<1x4x4x4xf32>
}

// -----

/// A value that is also returned: the first target writes it as well, a group of the second one ends there.
// OPU:      @escapes
// OPU-NEXT: ## 1: npu.constant collected into group 0
// OPU-NEXT: ## 2: npu.conv2d added to group 0 on ipa
// OPU-NEXT: ## 3: npu.relu added to group 0 on compare
// OPU-NEXT: ## 4: npu.max_pool added to group 0 on pool
// OPU-NEXT: groups: 1, 1 of them of several ops
// OPU-NEXT:   ipa: 1
// OPU-NEXT:   compare: 1
// OPU-NEXT:   pool: 1
// OPU-NEXT: bytes that stay on the chip: 256
// PLOVER:      @escapes
// PLOVER-NEXT: ## 1: npu.constant collected into group 0
// PLOVER-NEXT: ## 2: npu.conv2d added to group 0 on mac
// PLOVER-NEXT: ## 3: npu.relu added to group 0 on activate
// PLOVER-NEXT: ## 4: npu.max_pool added to group 1 on pool (follows a value that is used outside of the group and ends it)
// PLOVER-NEXT: groups: 2, 1 of them of several ops
// PLOVER-NEXT:   mac: 1
// PLOVER-NEXT:   activate: 1
// PLOVER-NEXT:   pool: 1
// PLOVER-NEXT: bytes that stay on the chip: 256
func.func @escapes(%x: tensor<1x4x4x4xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) {
  %k = npu.constant dense<0.5> : tensor<4x4x1x1xf32>
  %conv = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %relu = npu.relu %conv : tensor<1x4x4x4xf32>
  %pool = npu.max_pool %relu window = [1, 1] strides = [1, 1] data_layout = <NCHW> : tensor<1x4x4x4xf32>
  func.return %relu, %pool : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>
}

// -----

/// The first target runs any number of activations in a group, the second one only one.
// OPU:      @spent
// OPU-NEXT: ## 1: npu.constant collected into group 0
// OPU-NEXT: ## 2: npu.conv2d added to group 0 on ipa
// OPU-NEXT: ## 3: npu.relu added to group 0 on compare
// OPU-NEXT: ## 4: npu.clip added to group 0 on compare
// OPU-NEXT: ## 5: npu.max_pool added to group 0 on pool
// OPU-NEXT: groups: 1, 1 of them of several ops
// OPU-NEXT:   ipa: 1
// OPU-NEXT:   compare: 2
// OPU-NEXT:   pool: 1
// OPU-NEXT: bytes that stay on the chip: 768
// PLOVER:      @spent
// PLOVER-NEXT: ## 1: npu.constant collected into group 0
// PLOVER-NEXT: ## 2: npu.conv2d added to group 0 on mac
// PLOVER-NEXT: ## 3: npu.relu added to group 0 on activate
// PLOVER-NEXT: ## 4: npu.clip added to group 1 on activate (runs on activate, not reachable from activate)
// PLOVER-NEXT: ## 5: npu.max_pool added to group 1 on pool
// PLOVER-NEXT: groups: 2, 2 of them of several ops
// PLOVER-NEXT:   mac: 1
// PLOVER-NEXT:   activate: 2
// PLOVER-NEXT:   pool: 1
// PLOVER-NEXT: bytes that stay on the chip: 512
func.func @spent(%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %k = npu.constant dense<0.5> : tensor<4x4x1x1xf32>
  %conv = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %relu = npu.relu %conv : tensor<1x4x4x4xf32>
  %clip = npu.clip %relu min = 0.0 max = 1.0 : tensor<1x4x4x4xf32>
  %pool = npu.max_pool %clip window = [1, 1] strides = [1, 1] data_layout = <NCHW> : tensor<1x4x4x4xf32>
  func.return %pool : tensor<1x4x4x4xf32>
}

// -----

/// Constants decide on the stage: the bias of the channels on one, what comes at run time on another.
// OPU:      @forms
// OPU-NEXT: ## 2: npu.constant collected into group 0
// OPU-NEXT: ## 3: npu.conv2d added to group 0 on ipa
// OPU-NEXT: ## 4: npu.constant collected into group 0
// OPU-NEXT: ## 5: npu.mul added to group 0 on mul
// OPU-NEXT: ## 6: npu.add added to group 0 on add
// OPU-NEXT: ## 7: npu.add added to group 0 on res_add
// OPU-NEXT: groups: 1, 1 of them of several ops
// OPU-NEXT:   ipa: 1
// OPU-NEXT:   mul: 1
// OPU-NEXT:   add: 1
// OPU-NEXT:   res_add: 1
// OPU-NEXT: bytes that stay on the chip: 768
// PLOVER:      @forms
// PLOVER-NEXT: ## 2: npu.constant collected into group 0
// PLOVER-NEXT: ## 3: npu.conv2d added to group 0 on mac
// PLOVER-NEXT: ## 4: npu.constant collected into group 0
// PLOVER-NEXT: ## 5: npu.mul added to group 0 on scale
// PLOVER-NEXT: ## 6: npu.add added to group 0 on shift
// PLOVER-NEXT: ## 7: npu.add added to group 0 on join
// PLOVER-NEXT: groups: 1, 1 of them of several ops
// PLOVER-NEXT:   mac: 1
// PLOVER-NEXT:   scale: 1
// PLOVER-NEXT:   shift: 1
// PLOVER-NEXT:   join: 1
// PLOVER-NEXT: bytes that stay on the chip: 768
func.func @forms(%x: tensor<1x4x4x4xf32>, %bias: tensor<1x4x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %k = npu.constant dense<0.5> : tensor<4x4x1x1xf32>
  %scale = npu.constant dense<0.5> : tensor<1x4x1x1xf32>
  %conv = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %m = npu.mul %conv, %scale : (tensor<1x4x4x4xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %a = npu.add %m, %scale : (tensor<1x4x4x4xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %r = npu.add %a, %bias : (tensor<1x4x4x4xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  func.return %r : tensor<1x4x4x4xf32>
}

// -----

/// A full constant is no value per channel, so no stage runs the product but one that reads it like a tensor.
// OPU:      @operands
// OPU-NEXT: ## 1: npu.constant collected into group 0
// OPU-NEXT: ## 2: npu.conv2d added to group 0 on ipa
// OPU-NEXT: ## 3: npu.constant in no group
// OPU-NEXT: ## 4: npu.mul in no group (runs on mul_pre or mul with channel-constant, but not with a constant as large as the data)
// OPU-NEXT: ## 5: npu.relu added to group 1 on compare (uses no result of the previous group)
// OPU-NEXT: groups: 2, 0 of them of several ops
// OPU-NEXT:   ipa: 1
// OPU-NEXT:   compare: 1
// OPU-NEXT: in no group: 1
// OPU-NEXT:   npu.mul (runs on mul_pre or mul with channel-constant, but not with a constant as large as the data): 1
// OPU-NEXT: bytes that stay on the chip: 0
// PLOVER:      @operands
// PLOVER-NEXT: ## 1: npu.constant collected into group 0
// PLOVER-NEXT: ## 2: npu.conv2d added to group 0 on mac
// PLOVER-NEXT: ## 3: npu.constant collected into group 0
// PLOVER-NEXT: ## 4: npu.mul added to group 0 on join
// PLOVER-NEXT: ## 5: npu.relu added to group 0 on activate
// PLOVER-NEXT: groups: 1, 1 of them of several ops
// PLOVER-NEXT:   mac: 1
// PLOVER-NEXT:   join: 1
// PLOVER-NEXT:   activate: 1
// PLOVER-NEXT: bytes that stay on the chip: 512
func.func @operands(%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %full = npu.constant dense<[[[[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0]], [[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0]], [[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0]], [[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0]]]]> : tensor<1x4x4x4xf32>
  %k = npu.constant dense<0.5> : tensor<4x4x1x1xf32>
  %conv = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %m = npu.mul %conv, %full : tensor<1x4x4x4xf32>
  %relu = npu.relu %m : tensor<1x4x4x4xf32>
  func.return %relu : tensor<1x4x4x4xf32>
}

// -----

/// Reshapes between members are collected, and so is arithmetic of one element.
// OPU:      @collected
// OPU-NEXT: ## 2: npu.constant collected into group 0
// OPU-NEXT: ## 3: npu.conv2d added to group 0 on ipa
// OPU-NEXT: ## 4: npu.reshape collected into group 0
// OPU-NEXT: ## 5: npu.relu added to group 0 on compare
// OPU-NEXT: ## 6: npu.reshape collected into group 0
// OPU-NEXT: ## 7: npu.sqrt collected into group 0
// OPU-NEXT: ## 8: npu.max added to group 0 on compare
// OPU-NEXT: groups: 1, 1 of them of several ops
// OPU-NEXT:   ipa: 1
// OPU-NEXT:   compare: 2
// OPU-NEXT: bytes that stay on the chip: 512
// PLOVER:      @collected
// PLOVER-NEXT: ## 2: npu.constant collected into group 0
// PLOVER-NEXT: ## 3: npu.conv2d added to group 0 on mac
// PLOVER-NEXT: ## 4: npu.reshape collected into group 0
// PLOVER-NEXT: ## 5: npu.relu added to group 0 on activate
// PLOVER-NEXT: ## 6: npu.reshape collected into group 1
// PLOVER-NEXT: ## 7: npu.sqrt collected into group 1
// PLOVER-NEXT: ## 8: npu.max added to group 1 on activate (runs on activate, not reachable from activate)
// PLOVER-NEXT: groups: 2, 1 of them of several ops
// PLOVER-NEXT:   mac: 1
// PLOVER-NEXT:   activate: 2
// PLOVER-NEXT: bytes that stay on the chip: 256
func.func @collected(%x: tensor<1x4x4x4xf32>, %s: tensor<1xf32>) -> tensor<1x4x4x4xf32> {
  %k = npu.constant dense<0.5> : tensor<4x4x1x1xf32>
  %conv = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %flat = npu.reshape %conv : (tensor<1x4x4x4xf32>) -> tensor<1x64xf32>
  %relu = npu.relu %flat : tensor<1x64xf32>
  %back = npu.reshape %relu : (tensor<1x64xf32>) -> tensor<1x4x4x4xf32>
  %root = npu.sqrt %s : tensor<1xf32>
  %m = npu.max %back, %root : (tensor<1x4x4x4xf32>, tensor<1xf32>) -> tensor<1x4x4x4xf32>
  func.return %m : tensor<1x4x4x4xf32>
}

// -----

/// A constant and a reshape that two groups read stay outside and are read by both.
// OPU:      @shared
// OPU-NEXT: ## 1: npu.constant in no group
// OPU-NEXT: ## 2: npu.reshape in no group (is free, but no single group has all its users)
// OPU-NEXT: ## 3: npu.conv2d added to group 0 on ipa
// OPU-NEXT: ## 4: npu.relu added to group 0 on compare
// OPU-NEXT: ## 5: npu.conv2d added to group 1 on ipa (runs on ipa, not reachable from compare)
// OPU-NEXT: ## 6: npu.relu added to group 1 on compare
// OPU-NEXT: groups: 2, 2 of them of several ops
// OPU-NEXT:   ipa: 2
// OPU-NEXT:   compare: 2
// OPU-NEXT: in no group: 1
// OPU-NEXT:   npu.reshape (is free, but no single group has all its users): 1
// OPU-NEXT: bytes that stay on the chip: 512
// PLOVER:      @shared
// PLOVER-NEXT: ## 1: npu.constant in no group
// PLOVER-NEXT: ## 2: npu.reshape in no group (is free, but no single group has all its users)
// PLOVER-NEXT: ## 3: npu.conv2d added to group 0 on mac
// PLOVER-NEXT: ## 4: npu.relu added to group 0 on activate
// PLOVER-NEXT: ## 5: npu.conv2d added to group 1 on mac (runs on mac, not reachable from activate)
// PLOVER-NEXT: ## 6: npu.relu added to group 1 on activate
// PLOVER-NEXT: groups: 2, 2 of them of several ops
// PLOVER-NEXT:   mac: 2
// PLOVER-NEXT:   activate: 2
// PLOVER-NEXT: in no group: 1
// PLOVER-NEXT:   npu.reshape (is free, but no single group has all its users): 1
// PLOVER-NEXT: bytes that stay on the chip: 512
func.func @shared(%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %kk = npu.constant dense<0.5> : tensor<4x4xf32>
  %k = npu.reshape %kk : (tensor<4x4xf32>) -> tensor<4x4x1x1xf32>
  %conv1 = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %relu1 = npu.relu %conv1 : tensor<1x4x4x4xf32>
  %conv2 = npu.conv2d %relu1, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %relu2 = npu.relu %conv2 : tensor<1x4x4x4xf32>
  func.return %relu2 : tensor<1x4x4x4xf32>
}
