// RUN: npu-opt %s --fuse-ops --why-not-fused -o %t.mlir 2>&1 | filecheck %s --check-prefix=DOMINATORS --match-full-lines
// RUN: npu-opt %s --fuse-ops="max-depth=2" --why-not-fused -o %t.mlir 2>&1 | filecheck %s --check-prefix=DEPTH --match-full-lines
// RUN: npu-opt %s --fuse-ops="opt-level=0" --why-not-fused -o %t.mlir 2>&1 | filecheck %s --check-prefix=LEVEL --match-full-lines
// RUN: npu-opt %s --fuse-ops-hw --why-not-fused -o %t.mlir 2>&1 | filecheck %s --check-prefix=OPU --match-full-lines
// RUN: npu-opt %s --fuse-ops-hw --target=plover --why-not-fused -o %t.mlir 2>&1 | filecheck %s --check-prefix=PLOVER --match-full-lines
// RUN: not npu-opt %s --canonicalize --why-not-fused 2>&1 | filecheck %s --check-prefix=NOTHING --match-full-lines
// RUN: npu-opt %s --npu-default --why-not-fused -o %t.mlir 2>&1 | filecheck %s --check-prefix=DEFAULT --match-full-lines

/// For each op and each that reads it the phase, the dominator, and what is not as it has to be on the way there.
// DOMINATORS:      fuse-ops: %small conv2d and %wide add are not fused: phase 0, dominator %wide add: the path to the dominator has to be elementwise, but is broadcast
// DOMINATORS-NEXT: fuse-ops: %first relu and %conv conv2d are not fused: phase 1, dominator %conv conv2d: the path to the dominator may be injective or a reduction, but is complex
// DOMINATORS-NEXT: fuse-ops: %relu relu and %turned transpose are not fused: phase 0, dominator %turned transpose: the path to the dominator has to be elementwise, but is injective
// DOMINATORS-NEXT: fuse-ops: %wide add and %sum add are not fused: phase 1, dominator %sum add: the path to the dominator may be injective or a reduction, but is opaque
// DOMINATORS-NEXT: fuse-ops: %wide add and %soft softmax are not fused: phase 1, dominator %sum add: the path to the dominator may be injective or a reduction, but is opaque
// DOMINATORS-NEXT: fuse-ops: %soft softmax and %sum add are not fused: %soft softmax is opaque
// DOMINATORS-NEXT: fuse-ops: %mean reduce_mean and %less sub are not fused: phase 1, dominator %less sub: a reduction is not merged into its users
// DOMINATORS-NEXT: fuse-ops: %shown abs and %one neg are not fused: %shown abs is returned or used inside a region
// DOMINATORS-NEXT: fuse-ops: %one neg and %two exp are not fused: %one neg has no post-dominator: its uses lead to no common op
// DOMINATORS-NEXT: fuse-ops: %one neg and %three sin are not fused: %one neg has no post-dominator: its uses lead to no common op

/// The number of ops of a group beyond the limit; and at level 0 nothing is fused.
// DEPTH:      fuse-ops: %small conv2d and %wide add are not fused: phase 0, dominator %wide add: the path to the dominator has to be elementwise, but is broadcast
// DEPTH-NEXT: fuse-ops: %first relu and %conv conv2d are not fused: phase 0, dominator %conv conv2d: the path to the dominator may be injective or a reduction, but is complex
// DEPTH-NEXT: fuse-ops: %relu relu and %turned transpose are not fused: phase 0, dominator %turned transpose: the group would have at least 3 ops, more than max-depth=2
// DEPTH-NEXT: fuse-ops: %wide add and %sum add are not fused: phase 0, dominator %sum add: the group would have at least 3 ops, more than max-depth=2
// DEPTH-NEXT: fuse-ops: %wide add and %soft softmax are not fused: phase 0, dominator %sum add: the group would have at least 3 ops, more than max-depth=2
// DEPTH-NEXT: fuse-ops: %soft softmax and %sum add are not fused: %soft softmax is opaque
// DEPTH-NEXT: fuse-ops: %mean reduce_mean and %less sub are not fused: phase 0, dominator %less sub: the group would have at least 3 ops, more than max-depth=2
// DEPTH-NEXT: fuse-ops: %shown abs and %one neg are not fused: %shown abs is returned or used inside a region
// DEPTH-NEXT: fuse-ops: %one neg and %two exp are not fused: %one neg has no post-dominator: its uses lead to no common op
// DEPTH-NEXT: fuse-ops: %one neg and %three sin are not fused: %one neg has no post-dominator: its uses lead to no common op
// LEVEL:      fuse-ops: %small conv2d and %wide add are not fused: opt-level=0 fuses nothing

/// On hardware: no stage, no way to it, or waiting for what is outside.
// OPU:      fuse-ops-hw: %small conv2d and %wide add are not fused: the group of %small conv2d was already closed when %wide add was visited (only the newest group can grow)
// OPU-NEXT: fuse-ops-hw: %first relu and %conv conv2d are not fused: %conv conv2d runs on ipa, not reachable from compare
// OPU-NEXT: fuse-ops-hw: %relu relu and %turned transpose are not fused: %turned transpose: no stage runs it
// OPU-NEXT: fuse-ops-hw: %turned transpose and %wide add are not fused: %turned transpose: no stage runs it
// OPU-NEXT: fuse-ops-hw: %wide add and %sum add are not fused: %sum add would make a cycle: npu.softmax, outside the group, depends on it
// OPU-NEXT: fuse-ops-hw: %wide add and %soft softmax are not fused: %soft softmax: no stage runs it
// OPU-NEXT: fuse-ops-hw: %soft softmax and %sum add are not fused: %soft softmax: no stage runs it
// OPU-NEXT: fuse-ops-hw: %sum add and %mean reduce_mean are not fused: %mean reduce_mean: no stage runs it
// OPU-NEXT: fuse-ops-hw: %mean reduce_mean and %less sub are not fused: %mean reduce_mean: no stage runs it
// OPU-NEXT: fuse-ops-hw: %less sub and %shown abs are not fused: %less sub: no stage runs it
// OPU-NEXT: fuse-ops-hw: %shown abs and %one neg are not fused: %shown abs: no stage runs it
// OPU-NEXT: fuse-ops-hw: %one neg and %two exp are not fused: %one neg: no stage runs it
// OPU-NEXT: fuse-ops-hw: %one neg and %three sin are not fused: %one neg: no stage runs it
// PLOVER:      fuse-ops-hw: %small conv2d and %wide add are not fused: the group of %small conv2d was already closed when %wide add was visited (only the newest group can grow)
// PLOVER-NEXT: fuse-ops-hw: %first relu and %conv conv2d are not fused: %conv conv2d runs on mac, not reachable from activate
// PLOVER-NEXT: fuse-ops-hw: %turned transpose and %wide add are not fused: %wide add runs on join, not reachable from turn_out
// PLOVER-NEXT: fuse-ops-hw: %wide add and %sum add are not fused: %sum add runs on join, not reachable from join
// PLOVER-NEXT: fuse-ops-hw: %wide add and %soft softmax are not fused: %soft softmax: no stage runs it
// PLOVER-NEXT: fuse-ops-hw: %soft softmax and %sum add are not fused: %soft softmax: no stage runs it
// PLOVER-NEXT: fuse-ops-hw: %sum add and %mean reduce_mean are not fused: %mean reduce_mean: no stage runs it
// PLOVER-NEXT: fuse-ops-hw: %mean reduce_mean and %less sub are not fused: %mean reduce_mean: no stage runs it
// PLOVER-NEXT: fuse-ops-hw: %less sub and %shown abs are not fused: %shown abs: no stage runs it
// PLOVER-NEXT: fuse-ops-hw: %shown abs and %one neg are not fused: %shown abs: no stage runs it
// PLOVER-NEXT: fuse-ops-hw: %one neg and %two exp are not fused: %one neg: no stage runs it
// PLOVER-NEXT: fuse-ops-hw: %one neg and %three sin are not fused: %one neg: no stage runs it

/// The passes in npu-default: what fuse-ops-hw sees behind the others. Without a pass that fuses there is nothing to ask.
// DEFAULT:      fuse-ops-hw: %small conv2d and %small_1 reshape are not fused: the group of %small conv2d was already closed when %small_1 reshape was visited (only the newest group can grow)
// DEFAULT-NEXT: fuse-ops-hw: %x_1 transpose and %first relu are not fused: %x_1 transpose: no stage runs it
// DEFAULT-NEXT: fuse-ops-hw: %first relu and %conv conv2d are not fused: %conv conv2d runs on ipa, not reachable from compare
// NOTHING: npu-opt: error: argument --why-not-fused: no pass in the pipeline fuses ops (--fuse-ops, --fuse-ops-hw)

func.func @main(%x: tensor<1x4x4x4xf32>, %y: tensor<1x4x4x4xf32>, %s: tensor<1x4x1x1xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) {
  %k = npu.constant dense<0.5> : tensor<4x4x1x1xf32>
  %first = npu.relu %x : tensor<1x4x4x4xf32>
  %conv = npu.conv2d %first, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %relu = npu.relu %conv : tensor<1x4x4x4xf32>
  %turned = npu.transpose %relu permutation = [0, 1, 3, 2] : tensor<1x4x4x4xf32>
  %small = npu.conv2d %s, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x1x1xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x1x1xf32>
  %wide = npu.add %small, %turned : (tensor<1x4x1x1xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %soft = npu.softmax %wide axis = 1 : tensor<1x4x4x4xf32>
  %sum = npu.add %soft, %wide : tensor<1x4x4x4xf32>
  %mean = npu.reduce_mean %sum axes = [3] keep : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x1xf32>
  %less = npu.sub %y, %mean : (tensor<1x4x4x4xf32>, tensor<1x4x4x1xf32>) -> tensor<1x4x4x4xf32>
  %shown = npu.abs %less : tensor<1x4x4x4xf32>
  %one = npu.neg %shown : tensor<1x4x4x4xf32>
  %two = npu.exp %one : tensor<1x4x4x4xf32>
  %three = npu.sin %one : tensor<1x4x4x4xf32>
  func.return %shown, %two, %three : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>
}
