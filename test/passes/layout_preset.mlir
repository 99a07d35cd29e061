// RUN: npu-opt %s --layout-preset --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset --layout-preset --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset="strategy=regions-plus target=opu" --split-input-file | filecheck %s

/// A graph without layouts gets them, and transposes where its features come in and go out. A kernel that is a constant
/// is stored in the order that it needs.
// CHECK-LABEL: func.func @uncoloured
// CHECK-SAME:    (%x: tensor<1x3x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x4x8x8xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x3x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x8x8x3xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %kernel = npu.constant dense<5.000000e-01> : tensor<4x3x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:    %kernel_1 = npu.reshape %kernel : (tensor<4x3x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x1x4x3xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %kernel_1 : (tensor<1x8x8x3xf32, #npu.layout<NHWC>>, tensor<1x1x4x3xf32, #npu.layout<HWOI>>) -> tensor<1x8x8x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %relu = npu.relu %conv : tensor<1x8x8x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %relu_1 = npu.transpose %relu permutation = [0, 3, 1, 2] : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x8x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %relu_1 : tensor<1x4x8x8xf32, #npu.layout<NCHW>>
func.func @uncoloured(%x: tensor<1x3x8x8xf32>) -> tensor<1x4x8x8xf32> {
  %kernel = npu.constant dense<0.5> : tensor<4x3x1x1xf32>
  %conv = npu.conv2d %x, %kernel data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<1x4x8x8xf32>
  %relu = npu.relu %conv : tensor<1x4x8x8xf32>
  func.return %relu : tensor<1x4x8x8xf32>
}

// -----

/// Nothing demands a layout, so nothing moves.
// CHECK-LABEL: func.func @no_demand
// CHECK-SAME:    (%x: tensor<1x3x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x3x8x8xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %relu = npu.relu %x : tensor<1x3x8x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %relu : tensor<1x3x8x8xf32, #npu.layout<NCHW>>
func.func @no_demand(%x: tensor<1x3x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x3x8x8xf32, #npu.layout<NCHW>> {
  %relu = npu.relu %x : tensor<1x3x8x8xf32, #npu.layout<NCHW>>
  func.return %relu : tensor<1x3x8x8xf32, #npu.layout<NCHW>>
}

// -----

/// A demand on any op of a region is one on all of it. Attributes that name axes go along.
// CHECK-LABEL: func.func @region
// CHECK-SAME:    (%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x16x6x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %soft = npu.softmax %x_1 axis = 3 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %both = npu.concat %x_1, %soft axis = 3 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x16xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %pad = npu.pad %both low = [0, 1, 0, 0] high = [0, 1, 0, 0] : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x6x6x16xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %pad_1 = npu.transpose %pad permutation = [0, 3, 1, 2] : (tensor<1x6x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x16x6x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %pad_1 : tensor<1x16x6x6xf32, #npu.layout<NCHW>>
func.func @region(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x16x6x6xf32, #npu.layout<NCHW>> {
  %soft = npu.softmax %x axis = 1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %both = npu.concat %x, %soft axis = 1
    : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>)
    -> tensor<1x16x4x6xf32, #npu.layout<NCHW>>
  %pad = npu.pad %both low = [0, 0, 1, 0] high = [0, 0, 1, 0]
    : (tensor<1x16x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x16x6x6xf32, #npu.layout<NCHW>>
  func.return %pad : tensor<1x16x6x6xf32, #npu.layout<NCHW>>
}

// -----

/// A value that leaves its region is put back right behind the op that gives it, once for all who read it there.
// CHECK-LABEL: func.func @leaving
// CHECK-SAME:    (%x: tensor<1x4x4x6xf32, #npu.layout<NHWC>>, %kernel: tensor<1x1x6x6xf32, #npu.layout<HWOI>>) -> (tensor<4x24xf32, #npu.layout<Tensor>>, tensor<1x6x4x4xf32, #npu.layout<NCHW>>) {
// CHECK-NEXT:    %nchw = npu.transpose %x permutation = [0, 3, 1, 2] : (tensor<1x4x4x6xf32, #npu.layout<NHWC>>) -> tensor<1x6x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %nchw_1 = npu.transpose %nchw permutation = [0, 2, 3, 1] : (tensor<1x6x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x6xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %nchw_1, %kernel : (tensor<1x4x4x6xf32, #npu.layout<NHWC>>, tensor<1x1x6x6xf32, #npu.layout<HWOI>>) -> tensor<1x4x4x6xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x4x6xf32, #npu.layout<NHWC>>) -> tensor<1x6x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %relu = npu.relu %conv : tensor<1x4x4x6xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %flat = npu.reshape %conv_1 : (tensor<1x6x4x4xf32, #npu.layout<NCHW>>) -> tensor<4x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %flat, %conv_1 : tensor<4x24xf32, #npu.layout<Tensor>>, tensor<1x6x4x4xf32, #npu.layout<NCHW>>
func.func @leaving(%x: tensor<1x4x4x6xf32, #npu.layout<NHWC>>, %kernel: tensor<1x1x6x6xf32, #npu.layout<HWOI>>)
    -> (tensor<4x24xf32, #npu.layout<Tensor>>, tensor<1x6x4x4xf32, #npu.layout<NCHW>>) {
  %nchw = npu.transpose %x permutation = [0, 3, 1, 2]
    : (tensor<1x4x4x6xf32, #npu.layout<NHWC>>) -> tensor<1x6x4x4xf32, #npu.layout<NCHW>>
  %conv = npu.conv2d %nchw, %kernel
    : (tensor<1x6x4x4xf32, #npu.layout<NCHW>>, tensor<1x1x6x6xf32, #npu.layout<HWOI>>)
    -> tensor<1x6x4x4xf32, #npu.layout<NCHW>>
  %relu = npu.relu %conv : tensor<1x6x4x4xf32, #npu.layout<NCHW>>
  %flat = npu.reshape %conv : (tensor<1x6x4x4xf32, #npu.layout<NCHW>>) -> tensor<4x24xf32, #npu.layout<Tensor>>
  func.return %flat, %conv : tensor<4x24xf32, #npu.layout<Tensor>>, tensor<1x6x4x4xf32, #npu.layout<NCHW>>
}

// -----

/// An axis of one element may be anywhere: a reshape moves it, and no transpose is needed.
// CHECK-LABEL: func.func @unit_axes
// CHECK-SAME:    (%x: tensor<1x8x1x1xf32, #npu.layout<NCHW>>, %kernel: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x1x1xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.reshape %x : (tensor<1x8x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x1x1x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %kernel : (tensor<1x1x1x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x1x1x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv_1 = npu.reshape %conv : (tensor<1x1x1x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x1x1xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %conv_1 : tensor<1x8x1x1xf32, #npu.layout<NCHW>>
func.func @unit_axes(%x: tensor<1x8x1x1xf32, #npu.layout<NCHW>>, %kernel: tensor<1x1x8x8xf32, #npu.layout<HWOI>>)
    -> tensor<1x8x1x1xf32, #npu.layout<NCHW>> {
  %conv = npu.conv2d %x, %kernel
    : (tensor<1x8x1x1xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>)
    -> tensor<1x8x1x1xf32, #npu.layout<NCHW>>
  func.return %conv : tensor<1x8x1x1xf32, #npu.layout<NCHW>>
}

// -----

/// Dynamic sizes.
// CHECK-LABEL: func.func @dynamic
// CHECK-SAME:    (%x: tensor<?x8x?x?xf32, #npu.layout<NCHW>>, %kernel: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<?x8x1x?xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<?x8x?x?xf32, #npu.layout<NCHW>>) -> tensor<?x?x?x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %kernel : (tensor<?x?x?x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<?x?x?x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %row = npu.reduce_max %conv axes = [1] keep : (tensor<?x?x?x8xf32, #npu.layout<NHWC>>) -> tensor<?x1x?x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %row_1 = npu.transpose %row permutation = [0, 3, 1, 2] : (tensor<?x1x?x8xf32, #npu.layout<NHWC>>) -> tensor<?x8x1x?xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %row_1 : tensor<?x8x1x?xf32, #npu.layout<NCHW>>
func.func @dynamic(%x: tensor<?x8x?x?xf32, #npu.layout<NCHW>>, %kernel: tensor<1x1x8x8xf32, #npu.layout<HWOI>>)
    -> tensor<?x8x1x?xf32, #npu.layout<NCHW>> {
  %conv = npu.conv2d %x, %kernel
    : (tensor<?x8x?x?xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>)
    -> tensor<?x8x?x?xf32, #npu.layout<NCHW>>
  %row = npu.reduce_max %conv axes = [2] keep
    : (tensor<?x8x?x?xf32, #npu.layout<NCHW>>) -> tensor<?x8x1x?xf32, #npu.layout<NCHW>>
  func.return %row : tensor<?x8x1x?xf32, #npu.layout<NCHW>>
}

// -----

/// Two views of one stored tensor are read in one order: one transpose, and a relabel of what it gives.
// CHECK-LABEL: func.func @views
// CHECK-SAME:    (%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>, %kernel: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x8x4x4xf32, #npu.layout<Tensor>>) {
// CHECK-NEXT:    %nchw = npu.transpose %x permutation = [0, 3, 1, 2] : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %tensor = npu.relabel %nchw : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %nchw_1 = npu.transpose %nchw permutation = [0, 2, 3, 1] : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %nchw_2 = npu.relabel %nchw_1 : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// CHECK-NEXT:    %conv = npu.conv2d %nchw_1, %kernel : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %second = npu.relabel %nchw_2 : (tensor<1x4x4x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv2 = npu.conv2d %second, %kernel : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %sum = npu.add %conv, %conv2 : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %sum_1 = npu.transpose %sum permutation = [0, 3, 1, 2] : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %sum_1, %tensor : tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x8x4x4xf32, #npu.layout<Tensor>>
func.func @views(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>, %kernel: tensor<1x1x8x8xf32, #npu.layout<HWOI>>)
    -> (tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x8x4x4xf32, #npu.layout<Tensor>>) {
  %nchw = npu.transpose %x permutation = [0, 3, 1, 2]
    : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %tensor = npu.relabel %nchw : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x4xf32, #npu.layout<Tensor>>
  %conv = npu.conv2d %nchw, %kernel
    : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>)
    -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %second = npu.relabel %tensor
    : (tensor<1x8x4x4xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %conv2 = npu.conv2d %second, %kernel
    : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>)
    -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %sum = npu.add %conv, %conv2
    : tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  func.return %sum, %tensor : tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x8x4x4xf32, #npu.layout<Tensor>>
}

// -----

/// A call and its callee have the layouts of the signature.
// CHECK-LABEL: func.func private @callee
// CHECK-SAME:    (%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %mirror = npu.mirror %x_1 axes = [1] : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %mirror_1 = npu.transpose %mirror permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %mirror_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-LABEL: func.func @caller
// CHECK-SAME:    (%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %turned = npu.mirror %x_1 axes = [2] : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %turned_1 = npu.transpose %turned permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %called = func.call @callee(%turned_1) : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %called_1 = npu.transpose %called permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %back = npu.mirror %called_1 axes = [2] : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %back_1 = npu.transpose %back permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %back_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
func.func private @callee(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %mirror = npu.mirror %x axes = [2]
    : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  func.return %mirror : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}
func.func @caller(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %turned = npu.mirror %x axes = [3]
    : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %called = func.call @callee(%turned)
    : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %back = npu.mirror %called axes = [3]
    : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  func.return %back : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Nothing is known of what another system's op does, so it reads what it read.
// CHECK-LABEL: func.func @opaque
// CHECK-SAME:    (%x: tensor<1x8x4x6xf32, #npu.layout<NHWC>>) -> tensor<1x8x6x4xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %mirror = npu.mirror %x axes = [2] : tensor<1x8x4x6xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %foreign = npu.opaque "other.op"(%mirror) : (tensor<1x8x4x6xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NHCW>>
// CHECK-NEXT:    %foreign_1 = npu.transpose %foreign permutation = [0, 1, 3, 2] : (tensor<1x8x4x6xf32, #npu.layout<NHCW>>) -> tensor<1x8x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %again = npu.mirror %foreign_1 axes = [1] : tensor<1x8x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %again_1 = npu.transpose %again permutation = [0, 1, 3, 2] : (tensor<1x8x6x4xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NHCW>>
// CHECK-NEXT:    %nhwc = npu.transpose %again_1 permutation = [0, 1, 3, 2] : (tensor<1x8x4x6xf32, #npu.layout<NHCW>>) -> tensor<1x8x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %nhwc : tensor<1x8x6x4xf32, #npu.layout<NHWC>>
func.func @opaque(%x: tensor<1x8x4x6xf32, #npu.layout<NHWC>>) -> tensor<1x8x6x4xf32, #npu.layout<NHWC>> {
  %mirror = npu.mirror %x axes = [2]
    : tensor<1x8x4x6xf32, #npu.layout<NHWC>>
  %foreign = npu.opaque "other.op"(%mirror)
    : (tensor<1x8x4x6xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NHCW>>
  %again = npu.mirror %foreign axes = [1]
    : tensor<1x8x4x6xf32, #npu.layout<NHCW>>
  %nhwc = npu.transpose %again permutation = [0, 1, 3, 2]
    : (tensor<1x8x4x6xf32, #npu.layout<NHCW>>) -> tensor<1x8x6x4xf32, #npu.layout<NHWC>>
  func.return %nhwc : tensor<1x8x6x4xf32, #npu.layout<NHWC>>
}

// -----

/// The order of the operands of an op decides nothing: %m is a Feature in both, and the demand on %o is met.
// CHECK-LABEL: func.func @feature_first(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>, %t: tensor<1x192xf32, #npu.layout<Tensor>>) -> tensor<1x16x1x1xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %w_1 = npu.reshape %w : (tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x1x8x8xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %a = npu.conv2d %x_1, %w_1 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %g = npu.reshape %t : (tensor<1x192xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %g_1 = npu.transpose %g permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// CHECK-NEXT:    %0 = npu.relabel %g_1 : (tensor<1x4x6x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m = npu.mul %a, %0 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %o = npu.concat %m, %a axis = 3 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x16xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %p = npu.reduce_mean %o axes = [1, 2] keep : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x1x1x16xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %p_1 = npu.reshape %p : (tensor<1x1x1x16xf32, #npu.layout<NHWC>>) -> tensor<1x16x1x1xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %p_1 : tensor<1x16x1x1xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
// CHECK-LABEL: func.func @feature_last(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>, %t: tensor<1x192xf32, #npu.layout<Tensor>>) -> tensor<1x16x1x1xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %w_1 = npu.reshape %w : (tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x1x8x8xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %a = npu.conv2d %x_1, %w_1 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %g = npu.reshape %t : (tensor<1x192xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %g_1 = npu.transpose %g permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// CHECK-NEXT:    %0 = npu.relabel %g_1 : (tensor<1x4x6x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m = npu.mul %0, %a : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %o = npu.concat %m, %a axis = 3 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x16xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %p = npu.reduce_mean %o axes = [1, 2] keep : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x1x1x16xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %p_1 = npu.reshape %p : (tensor<1x1x1x16xf32, #npu.layout<NHWC>>) -> tensor<1x16x1x1xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %p_1 : tensor<1x16x1x1xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @feature_first(%x: tensor<1x8x4x6xf32>, %w: tensor<8x8x1x1xf32>, %t: tensor<1x192xf32>) -> tensor<1x16x1x1xf32> {
  %a = npu.conv2d %x, %w data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %g = npu.reshape %t : (tensor<1x192xf32>) -> tensor<1x8x4x6xf32>
  %m = npu.mul %a, %g : tensor<1x8x4x6xf32>
  %o = npu.concat %m, %a axis = 1 : (tensor<1x8x4x6xf32>, tensor<1x8x4x6xf32>) -> tensor<1x16x4x6xf32>
  %p = npu.reduce_mean %o axes = [2, 3] keep : (tensor<1x16x4x6xf32>) -> tensor<1x16x1x1xf32>
  return %p : tensor<1x16x1x1xf32>
}
func.func @feature_last(%x: tensor<1x8x4x6xf32>, %w: tensor<8x8x1x1xf32>, %t: tensor<1x192xf32>) -> tensor<1x16x1x1xf32> {
  %a = npu.conv2d %x, %w data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %g = npu.reshape %t : (tensor<1x192xf32>) -> tensor<1x8x4x6xf32>
  %m = npu.mul %g, %a : tensor<1x8x4x6xf32>
  %o = npu.concat %m, %a axis = 1 : (tensor<1x8x4x6xf32>, tensor<1x8x4x6xf32>) -> tensor<1x16x4x6xf32>
  %p = npu.reduce_mean %o axes = [2, 3] keep : (tensor<1x16x4x6xf32>) -> tensor<1x16x1x1xf32>
  return %p : tensor<1x16x1x1xf32>
}

// -----

/// Behind one op, transposes are in the order of its results; a value that is only returned is converted at the end.
// CHECK-LABEL:  func.func @insertion(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x5x6x4xf32, #npu.layout<NCWH>>, tensor<1x3x6x4xf32, #npu.layout<NCWH>>) {
// CHECK-NEXT:     %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:     %w_1 = npu.reshape %w : (tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x1x8x8xf32, #npu.layout<HWOI>>
// CHECK-NEXT:     %a = npu.conv2d %x_1, %w_1 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:     %b = npu.relu %a : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:     %p, %q = npu.split %a axis = 3 sizes = [3, 5] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> (tensor<1x4x6x3xf32, #npu.layout<NHWC>>, tensor<1x4x6x5xf32, #npu.layout<NHWC>>)
// CHECK-NEXT:     %p_1 = npu.transpose %p permutation = [0, 3, 1, 2] : (tensor<1x4x6x3xf32, #npu.layout<NHWC>>) -> tensor<1x3x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:     %q_1 = npu.transpose %q permutation = [0, 3, 1, 2] : (tensor<1x4x6x5xf32, #npu.layout<NHWC>>) -> tensor<1x5x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:     %r = npu.transpose %q_1 permutation = [0, 1, 3, 2] : (tensor<1x5x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x5x6x4xf32, #npu.layout<NCWH>>
// CHECK-NEXT:     %s = npu.transpose %p_1 permutation = [0, 1, 3, 2] : (tensor<1x3x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x3x6x4xf32, #npu.layout<NCWH>>
// CHECK-NEXT:     %b_1 = npu.transpose %b permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:     func.return %b_1, %r, %s : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x5x6x4xf32, #npu.layout<NCWH>>, tensor<1x3x6x4xf32, #npu.layout<NCWH>>
func.func @insertion(%x: tensor<1x8x4x6xf32>, %w: tensor<8x8x1x1xf32>) -> (tensor<1x8x4x6xf32>, tensor<1x5x6x4xf32>, tensor<1x3x6x4xf32>) {
  %a = npu.conv2d %x, %w data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %b = npu.relu %a : tensor<1x8x4x6xf32>
  %p, %q = npu.split %a axis = 1 sizes = [3, 5] : (tensor<1x8x4x6xf32>) -> (tensor<1x3x4x6xf32>, tensor<1x5x4x6xf32>)
  %r = npu.transpose %q permutation = [0, 1, 3, 2] : (tensor<1x5x4x6xf32>) -> tensor<1x5x6x4xf32>
  %s = npu.transpose %p permutation = [0, 1, 3, 2] : (tensor<1x3x4x6xf32>) -> tensor<1x3x6x4xf32>
  return %b, %r, %s : tensor<1x8x4x6xf32>, tensor<1x5x6x4xf32>, tensor<1x3x6x4xf32>
}

// -----

/// Views of one value in two blocks are converted in each of them: neither block sees the other one.
// CHECK-LABEL: func.func @two_blocks(
// CHECK-SAME:    %c: i1, %x: tensor<8x4x1x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x4xf32, #npu.layout<HWOI>>) {
// CHECK-NEXT:    scf.if %c {
// CHECK-NEXT:      %r = npu.reshape %x : (tensor<8x4x1x6xf32, #npu.layout<NCHW>>) -> tensor<8x4x6x1xf32, #npu.layout<NCHW>>
// CHECK-NEXT:      %r_1 = npu.transpose %r permutation = [0, 2, 3, 1] : (tensor<8x4x6x1xf32, #npu.layout<NCHW>>) -> tensor<8x6x1x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:      %a = npu.conv2d %r_1, %w : (tensor<8x6x1x4xf32, #npu.layout<NHWC>>, tensor<1x1x8x4xf32, #npu.layout<HWOI>>) -> tensor<8x6x1x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:      %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<8x6x1x8xf32, #npu.layout<NHWC>>) -> tensor<8x8x6x1xf32, #npu.layout<NCHW>>
// CHECK-NEXT:      npu.opaque "vendor.log"(%a_1) : (tensor<8x8x6x1xf32, #npu.layout<NCHW>>) -> ()
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %s = npu.reshape %x : (tensor<8x4x1x6xf32, #npu.layout<NCHW>>) -> tensor<8x4x6x1xf32, #npu.layout<NCHW>>
// CHECK-NEXT:      %s_1 = npu.transpose %s permutation = [0, 2, 3, 1] : (tensor<8x4x6x1xf32, #npu.layout<NCHW>>) -> tensor<8x6x1x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:      %b = npu.conv2d %s_1, %w : (tensor<8x6x1x4xf32, #npu.layout<NHWC>>, tensor<1x1x8x4xf32, #npu.layout<HWOI>>) -> tensor<8x6x1x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:      %b_1 = npu.transpose %b permutation = [0, 3, 1, 2] : (tensor<8x6x1x8xf32, #npu.layout<NHWC>>) -> tensor<8x8x6x1xf32, #npu.layout<NCHW>>
// CHECK-NEXT:      npu.opaque "vendor.send"(%b_1) : (tensor<8x8x6x1xf32, #npu.layout<NCHW>>) -> ()
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
func.func @two_blocks(%c: i1, %x: tensor<8x4x1x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x4xf32, #npu.layout<HWOI>>) {
  scf.if %c {
    %r = npu.reshape %x : (tensor<8x4x1x6xf32, #npu.layout<NCHW>>) -> tensor<8x4x6x1xf32, #npu.layout<NCHW>>
    %a = npu.conv2d %r, %w : (tensor<8x4x6x1xf32, #npu.layout<NCHW>>, tensor<1x1x8x4xf32, #npu.layout<HWOI>>) -> tensor<8x8x6x1xf32, #npu.layout<NCHW>>
    npu.opaque "vendor.log"(%a) : (tensor<8x8x6x1xf32, #npu.layout<NCHW>>) -> ()
  } else {
    %s = npu.reshape %x : (tensor<8x4x1x6xf32, #npu.layout<NCHW>>) -> tensor<8x4x6x1xf32, #npu.layout<NCHW>>
    %b = npu.conv2d %s, %w : (tensor<8x4x6x1xf32, #npu.layout<NCHW>>, tensor<1x1x8x4xf32, #npu.layout<HWOI>>) -> tensor<8x8x6x1xf32, #npu.layout<NCHW>>
    npu.opaque "vendor.send"(%b) : (tensor<8x8x6x1xf32, #npu.layout<NCHW>>) -> ()
  }
  return
}
