// RUN: npu-opt %s --allow-unregistered-dialect --fuse-ops-hw --split-input-file | filecheck %s
// RUN: npu-opt %s --allow-unregistered-dialect --fuse-ops-hw --fuse-ops-hw --split-input-file | filecheck %s

/// A side effect in between uses a result of the group, so the call moves before it.
// CHECK-LABEL: func.func @shown
// CHECK-SAME:    (%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
// CHECK-NEXT:    %a, %b = func.call @fused_relu_clip(%x) : (tensor<1x4x4x4xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>)
// CHECK-NEXT:    "other.print"(%a) : (tensor<1x4x4x4xf32>) -> ()
// CHECK-NEXT:    func.return %b : tensor<1x4x4x4xf32>
// CHECK-LABEL: func.func private @fused_relu_clip
// CHECK-SAME:    (%x: tensor<1x4x4x4xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) attributes {npu.primitive} {
// CHECK-NEXT:    %a = npu.relu %x : tensor<1x4x4x4xf32>
// CHECK-NEXT:    %b = npu.clip %a min = 0.000000e+00 max = 1.000000e+00 : tensor<1x4x4x4xf32>
// CHECK-NEXT:    func.return %a, %b : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>
func.func @shown(%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %a = npu.relu %x : tensor<1x4x4x4xf32>
  "other.print"(%a) : (tensor<1x4x4x4xf32>) -> ()
  %b = npu.clip %a min = 0.0 max = 1.0 : tensor<1x4x4x4xf32>
  func.return %b : tensor<1x4x4x4xf32>
}

// -----

/// A read cannot move before the write that precedes it, so the sum does not join.
// CHECK-LABEL: func.func @written_first
// CHECK-SAME:    (%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
// CHECK-NEXT:    %a = npu.relu %x : tensor<1x4x4x4xf32>
// CHECK-NEXT:    "other.print"(%a) : (tensor<1x4x4x4xf32>) -> ()
// CHECK-NEXT:    %r = "other.read"() : () -> tensor<1x4x4x4xf32>
// CHECK-NEXT:    %c = npu.add %a, %r : tensor<1x4x4x4xf32>
// CHECK-NEXT:    func.return %c : tensor<1x4x4x4xf32>
func.func @written_first(%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %a = npu.relu %x : tensor<1x4x4x4xf32>
  "other.print"(%a) : (tensor<1x4x4x4xf32>) -> ()
  %r = "other.read"() : () -> tensor<1x4x4x4xf32>
  %c = npu.add %a, %r : tensor<1x4x4x4xf32>
  func.return %c : tensor<1x4x4x4xf32>
}

// -----

/// Code in a region reads the group, and the sum reads what comes of it.
// CHECK-LABEL: func.func @region
// CHECK-SAME:    (%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
// CHECK-NEXT:    %a = npu.relu %x : tensor<1x4x4x4xf32>
// CHECK-NEXT:    %r = "other.region"() ({
// CHECK-NEXT:    %z = npu.abs %a : tensor<1x4x4x4xf32>
// CHECK-NEXT:    "other.yield"(%z) : (tensor<1x4x4x4xf32>) -> ()
// CHECK-NEXT:    }) : () -> tensor<1x4x4x4xf32>
// CHECK-NEXT:    %c = npu.add %r, %a : tensor<1x4x4x4xf32>
// CHECK-NEXT:    func.return %c : tensor<1x4x4x4xf32>
func.func @region(%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %a = npu.relu %x : tensor<1x4x4x4xf32>
  %r = "other.region"() ({
  %z = npu.abs %a : tensor<1x4x4x4xf32>
  "other.yield"(%z) : (tensor<1x4x4x4xf32>) -> ()
  }) : () -> tensor<1x4x4x4xf32>
  %c = npu.add %r, %a : tensor<1x4x4x4xf32>
  func.return %c : tensor<1x4x4x4xf32>
}

// -----

/// One group reads what the other makes before its last op: the calls change places.
// CHECK-LABEL: func.func @two_results
// CHECK-SAME:    (%x: tensor<1x4x4x4xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) {
// CHECK-NEXT:    %a, %d = func.call @fused_relu_clip(%x) : (tensor<1x4x4x4xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>)
// CHECK-NEXT:    %c = func.call @fused_pad_max_pool(%a) : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
// CHECK-NEXT:    func.return %d, %c : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>
// CHECK-LABEL: func.func private @fused_relu_clip
// CHECK-SAME:    (%x: tensor<1x4x4x4xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) attributes {npu.primitive} {
// CHECK-NEXT:    %a = npu.relu %x : tensor<1x4x4x4xf32>
// CHECK-NEXT:    %d = npu.clip %a min = 0.000000e+00 max = 1.000000e+00 : tensor<1x4x4x4xf32>
// CHECK-NEXT:    func.return %a, %d : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>
// CHECK-LABEL: func.func private @fused_pad_max_pool
// CHECK-SAME:    (%a: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> attributes {npu.primitive} {
// CHECK-NEXT:    %b = npu.pad %a low = [0, 0, 1, 0] high = [0, 0, 0, 0] : (tensor<1x4x4x4xf32>) -> tensor<1x4x5x4xf32>
// CHECK-NEXT:    %c = npu.max_pool %b window = [2, 1] strides = [1, 1] data_layout = <NCHW> : (tensor<1x4x5x4xf32>) -> tensor<1x4x4x4xf32>
// CHECK-NEXT:    func.return %c : tensor<1x4x4x4xf32>
func.func @two_results(%x: tensor<1x4x4x4xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) {
  %a = npu.relu %x : tensor<1x4x4x4xf32>
  %b = npu.pad %a low = [0, 0, 1, 0] high = [0, 0, 0, 0] : (tensor<1x4x4x4xf32>) -> tensor<1x4x5x4xf32>
  %c = npu.max_pool %b window = [2, 1] strides = [1, 1] data_layout = <NCHW> : (tensor<1x4x5x4xf32>) -> tensor<1x4x4x4xf32>
  %d = npu.clip %a min = 0.0 max = 1.0 : tensor<1x4x4x4xf32>
  func.return %d, %c : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>
}

// -----

/// Calls of fused functions have no effects, so they are visited when they are read, as the ops in them were, and
/// not in program order: the first convolution does not directly follow the pad now.
// CHECK-LABEL: func.func @calls
// CHECK-SAME:    (%x: tensor<1x4x4x4xf32>, %y: tensor<1x5x5x4xf32>, %k: tensor<1x1x4x4xf32>) -> (tensor<1x4x5x5xf32>, tensor<1x5x5x4xf32>, tensor<1x5x5x4xf32>) {
// CHECK-NEXT:    %pad = npu.pad %x low = [0, 0, 0, 0] high = [0, 1, 1, 0] : (tensor<1x4x4x4xf32>) -> tensor<1x5x5x4xf32>
// CHECK-NEXT:    %turned = npu.transpose %pad permutation = [0, 3, 1, 2] : (tensor<1x5x5x4xf32>) -> tensor<1x4x5x5xf32>
// CHECK-NEXT:    %a = npu.conv2d %pad, %k data_layout = <NHWC> kernel_layout = <HWOI> : (tensor<1x5x5x4xf32>, tensor<1x1x4x4xf32>) -> tensor<1x5x5x4xf32>
// CHECK-NEXT:    %c = func.call @fused_conv2d_clip(%a, %k) : (tensor<1x5x5x4xf32>, tensor<1x1x4x4xf32>) -> tensor<1x5x5x4xf32>
// CHECK-NEXT:    %e = func.call @fused_conv2d_relu(%y, %k) : (tensor<1x5x5x4xf32>, tensor<1x1x4x4xf32>) -> tensor<1x5x5x4xf32>
// CHECK-NEXT:    func.return %turned, %e, %c : tensor<1x4x5x5xf32>, tensor<1x5x5x4xf32>, tensor<1x5x5x4xf32>
// CHECK-LABEL: func.func private @fused_conv2d_relu
// CHECK-SAME:    (%y: tensor<1x5x5x4xf32>, %k: tensor<1x1x4x4xf32>) -> tensor<1x5x5x4xf32> attributes {npu.primitive} {
// CHECK-NEXT:    %d = npu.conv2d %y, %k data_layout = <NHWC> kernel_layout = <HWOI> : (tensor<1x5x5x4xf32>, tensor<1x1x4x4xf32>) -> tensor<1x5x5x4xf32>
// CHECK-NEXT:    %e = npu.relu %d : tensor<1x5x5x4xf32>
// CHECK-NEXT:    func.return %e : tensor<1x5x5x4xf32>
// CHECK-LABEL: func.func private @fused_conv2d_clip
// CHECK-SAME:    (%a: tensor<1x5x5x4xf32>, %k: tensor<1x1x4x4xf32>) -> tensor<1x5x5x4xf32> attributes {npu.primitive} {
// CHECK-NEXT:    %b = npu.conv2d %a, %k data_layout = <NHWC> kernel_layout = <HWOI> : (tensor<1x5x5x4xf32>, tensor<1x1x4x4xf32>) -> tensor<1x5x5x4xf32>
// CHECK-NEXT:    %c = npu.clip %b min = 0.000000e+00 max = 1.000000e+00 : tensor<1x5x5x4xf32>
// CHECK-NEXT:    func.return %c : tensor<1x5x5x4xf32>
func.func @calls(%x: tensor<1x4x4x4xf32>, %y: tensor<1x5x5x4xf32>, %k: tensor<1x1x4x4xf32>)
    -> (tensor<1x4x5x5xf32>, tensor<1x5x5x4xf32>, tensor<1x5x5x4xf32>) {
  %pad = npu.pad %x low = [0, 0, 0, 0] high = [0, 1, 1, 0] : (tensor<1x4x4x4xf32>) -> tensor<1x5x5x4xf32>
  %turned = npu.transpose %pad permutation = [0, 3, 1, 2] : (tensor<1x5x5x4xf32>) -> tensor<1x4x5x5xf32>
  %a = npu.conv2d %pad, %k data_layout = <NHWC> kernel_layout = <HWOI>
    : (tensor<1x5x5x4xf32>, tensor<1x1x4x4xf32>) -> tensor<1x5x5x4xf32>
  %b = npu.conv2d %a, %k data_layout = <NHWC> kernel_layout = <HWOI>
    : (tensor<1x5x5x4xf32>, tensor<1x1x4x4xf32>) -> tensor<1x5x5x4xf32>
  %c = npu.clip %b min = 0.0 max = 1.0 : tensor<1x5x5x4xf32>
  %d = npu.conv2d %y, %k data_layout = <NHWC> kernel_layout = <HWOI>
    : (tensor<1x5x5x4xf32>, tensor<1x1x4x4xf32>) -> tensor<1x5x5x4xf32>
  %e = npu.relu %d : tensor<1x5x5x4xf32>
  func.return %turned, %e, %c : tensor<1x4x5x5xf32>, tensor<1x5x5x4xf32>, tensor<1x5x5x4xf32>
}

// -----

/// The call of the second function does not depend on that of the first, though it is behind it, so the sum may read both
/// the relu that the first one reads and what the second one gives; the first call moves behind the group.
// CHECK-LABEL: func.func @between
// CHECK-SAME:    (%x: tensor<1x4x4x4xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) {
// CHECK-NEXT:    %c = func.call @second(%x) : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
// CHECK-NEXT:    %a, %d = func.call @fused_relu_add(%x, %c) : (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>)
// CHECK-NEXT:    %b = func.call @first(%a) : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
// CHECK-NEXT:    func.return %d, %b : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>
// CHECK-LABEL: func.func private @first
// CHECK-SAME:    (%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> attributes {npu.primitive} {
// CHECK-NEXT:    %a = npu.exp %x : tensor<1x4x4x4xf32>
// CHECK-NEXT:    func.return %a : tensor<1x4x4x4xf32>
// CHECK-LABEL: func.func private @second
// CHECK-SAME:    (%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> attributes {npu.primitive} {
// CHECK-NEXT:    %a = npu.neg %x : tensor<1x4x4x4xf32>
// CHECK-NEXT:    func.return %a : tensor<1x4x4x4xf32>
// CHECK-LABEL: func.func private @fused_relu_add
// CHECK-SAME:    (%x: tensor<1x4x4x4xf32>, %c: tensor<1x4x4x4xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) attributes {npu.primitive} {
// CHECK-NEXT:    %a = npu.relu %x : tensor<1x4x4x4xf32>
// CHECK-NEXT:    %d = npu.add %c, %a : tensor<1x4x4x4xf32>
// CHECK-NEXT:    func.return %a, %d : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>
func.func @between(%x: tensor<1x4x4x4xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) {
  %a = npu.relu %x : tensor<1x4x4x4xf32>
  %b = func.call @first(%a) : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %c = func.call @second(%x) : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %d = npu.add %c, %a : tensor<1x4x4x4xf32>
  func.return %d, %b : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>
}
func.func private @first(%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> attributes {npu.primitive} {
  %a = npu.exp %x : tensor<1x4x4x4xf32>
  func.return %a : tensor<1x4x4x4xf32>
}
func.func private @second(%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> attributes {npu.primitive} {
  %a = npu.neg %x : tensor<1x4x4x4xf32>
  func.return %a : tensor<1x4x4x4xf32>
}
