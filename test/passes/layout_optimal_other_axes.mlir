// RUN: npu-opt %s --layout-optimal --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-optimal --layout-optimal --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-optimal --canonicalize --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset-npu --layout-optimal --stats --split-input-file -o /dev/null 2>&1 | filecheck %s --check-prefix=LEFT
// RUN: npu-opt %s --layout-optimal --split-input-file --why=%relu 2>&1 >/dev/null | filecheck %s --check-prefix=WHY

/// The merged channels and rows of features in NHWC are not next to each other, but relu does not mind: it works on the
/// features themselves, and nothing moves between the convolutions.
// CHECK-LABEL: func.func @relu_in_reshape
// CHECK-SAME:    (%x: tensor<1x4x6x6xf32, #npu.layout<NCHW>>, %k: tensor<4x4x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x4x6x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x4x6x6xf32, #npu.layout<NCHW>>) -> tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %k_1 = npu.reshape %k : (tensor<4x4x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x1x4x4xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %first = npu.conv2d %x_1, %k_1 : (tensor<1x6x6x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %relu = npu.relu %first : tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y = npu.conv2d %relu, %k_1 : (tensor<1x6x6x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y_1 = npu.transpose %y permutation = [0, 3, 1, 2] : (tensor<1x6x6x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %y_1 : tensor<1x4x6x6xf32, #npu.layout<NCHW>>
// LEFT: layout-optimal: 2 transposes, 1152 bytes: proved minimum
// WHY: layout-optimal: %relu is stored as 1x6x6x4, which is no permutation of Tensor
// WHY-NEXT: because %first conv2d demands NHWC of data (opu.toml:21)
// WHY-NEXT: in all: 2 transposes, 1152 bytes: proved minimum
// WHY-NEXT: without the demand of conv2d on data (opu.toml:21): 2 to 0 transposes, 1152 to 0 bytes
func.func @relu_in_reshape(%x: tensor<1x4x6x6xf32>, %k: tensor<4x4x1x1xf32>) -> tensor<1x4x6x6xf32> {
  %first = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x4x6x6xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x6x6xf32>
  %lines = npu.reshape %first : (tensor<1x4x6x6xf32>) -> tensor<1x24x6xf32>
  %relu = npu.relu %lines : tensor<1x24x6xf32>
  %image = npu.reshape %relu : (tensor<1x24x6xf32>) -> tensor<1x4x6x6xf32>
  %y = npu.conv2d %image, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x4x6x6xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x6x6xf32>
  return %y : tensor<1x4x6x6xf32>
}

// -----

/// The same where all axes are one.
// CHECK-LABEL: func.func @relu_in_flatten
// CHECK-SAME:    (%x: tensor<1x4x6x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x4x6x6xf32, #npu.layout<NCHW>>) -> tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m1 = npu.mirror %x_1 axes = [1] : tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %relu = npu.relu %m1 : tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m2 = npu.mirror %relu axes = [1] : tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m2_1 = npu.transpose %m2 permutation = [0, 3, 1, 2] : (tensor<1x6x6x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %m2_1 : tensor<1x4x6x6xf32, #npu.layout<NCHW>>
// LEFT: layout-optimal: 2 transposes, 1152 bytes: proved minimum
func.func @relu_in_flatten(%x: tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> {
  %m1 = npu.mirror %x axes = [2] data_layout = <NCHW> : tensor<1x4x6x6xf32>
  %flat = npu.reshape %m1 : (tensor<1x4x6x6xf32>) -> tensor<144xf32>
  %relu = npu.relu %flat : tensor<144xf32>
  %image = npu.reshape %relu : (tensor<144xf32>) -> tensor<1x4x6x6xf32>
  %m2 = npu.mirror %image axes = [2] data_layout = <NCHW> : tensor<1x4x6x6xf32>
  return %m2 : tensor<1x4x6x6xf32>
}

// -----

/// A softmax along the width means the same for every channel and row, however those are stored.
// CHECK-LABEL: func.func @softmax_of_merged_batch
// CHECK-SAME:    (%x: tensor<1x4x6x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x4x6x6xf32, #npu.layout<NCHW>>) -> tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m1 = npu.mirror %x_1 axes = [1] : tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %softmax = npu.softmax %m1 axis = 2 : tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m2 = npu.mirror %softmax axes = [1] : tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m2_1 = npu.transpose %m2 permutation = [0, 3, 1, 2] : (tensor<1x6x6x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %m2_1 : tensor<1x4x6x6xf32, #npu.layout<NCHW>>
// LEFT: layout-optimal: 2 transposes, 1152 bytes: proved minimum
func.func @softmax_of_merged_batch(%x: tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> {
  %m1 = npu.mirror %x axes = [2] data_layout = <NCHW> : tensor<1x4x6x6xf32>
  %lines = npu.reshape %m1 : (tensor<1x4x6x6xf32>) -> tensor<24x6xf32>
  %softmax = npu.softmax %lines axis = 1 : tensor<24x6xf32>
  %image = npu.reshape %softmax : (tensor<24x6xf32>) -> tensor<1x4x6x6xf32>
  %m2 = npu.mirror %image axes = [2] data_layout = <NCHW> : tensor<1x4x6x6xf32>
  return %m2 : tensor<1x4x6x6xf32>
}

// -----

/// A softmax has one axis. Its pieces are not adjacent in NHWC, so a conversion is needed before and after it.
// CHECK-LABEL: func.func @softmax_of_a_cut_axis
// CHECK-SAME:    (%x: tensor<1x4x6x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x4x6x6xf32, #npu.layout<NCHW>>) -> tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m1 = npu.mirror %x_1 axes = [1] : tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m1_1 = npu.transpose %m1 permutation = [0, 3, 1, 2] : (tensor<1x6x6x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %lines = npu.reshape %m1_1 : (tensor<1x4x6x6xf32, #npu.layout<NCHW>>) -> tensor<24x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %softmax = npu.softmax %lines axis = 0 : tensor<24x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %image = npu.reshape %softmax : (tensor<24x6xf32, #npu.layout<Tensor>>) -> tensor<1x4x6x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %image_1 = npu.transpose %image permutation = [0, 2, 3, 1] : (tensor<1x4x6x6xf32, #npu.layout<NCHW>>) -> tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m2 = npu.mirror %image_1 axes = [1] : tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m2_1 = npu.transpose %m2 permutation = [0, 3, 1, 2] : (tensor<1x6x6x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %m2_1 : tensor<1x4x6x6xf32, #npu.layout<NCHW>>
// LEFT: layout-optimal: 4 transposes, 2304 bytes: proved minimum
func.func @softmax_of_a_cut_axis(%x: tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> {
  %m1 = npu.mirror %x axes = [2] data_layout = <NCHW> : tensor<1x4x6x6xf32>
  %lines = npu.reshape %m1 : (tensor<1x4x6x6xf32>) -> tensor<24x6xf32>
  %softmax = npu.softmax %lines axis = 0 : tensor<24x6xf32>
  %image = npu.reshape %softmax : (tensor<24x6xf32>) -> tensor<1x4x6x6xf32>
  %m2 = npu.mirror %image axes = [2] data_layout = <NCHW> : tensor<1x4x6x6xf32>
  return %m2 : tensor<1x4x6x6xf32>
}

// -----

/// Adjacent pieces are one axis, in another order than before.
// CHECK-LABEL: func.func @softmax_of_a_flatten
// CHECK-SAME:    (%x: tensor<1x4x6x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x4x6x6xf32, #npu.layout<NCHW>>) -> tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m1 = npu.mirror %x_1 axes = [1] : tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %flat = npu.relabel %m1 : (tensor<1x6x6x4xf32, #npu.layout<NHWC>>) -> tensor<1x6x6x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %flat_1 = npu.reshape %flat : (tensor<1x6x6x4xf32, #npu.layout<Tensor>>) -> tensor<1x144xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %softmax = npu.softmax %flat_1 axis = 1 : tensor<1x144xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %image = npu.reshape %softmax : (tensor<1x144xf32, #npu.layout<Tensor>>) -> tensor<1x6x6x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %image_1 = npu.relabel %image : (tensor<1x6x6x4xf32, #npu.layout<Tensor>>) -> tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m2 = npu.mirror %image_1 axes = [1] : tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m2_1 = npu.transpose %m2 permutation = [0, 3, 1, 2] : (tensor<1x6x6x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %m2_1 : tensor<1x4x6x6xf32, #npu.layout<NCHW>>
// LEFT: layout-optimal: 2 transposes, 1152 bytes: proved minimum
func.func @softmax_of_a_flatten(%x: tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> {
  %m1 = npu.mirror %x axes = [2] data_layout = <NCHW> : tensor<1x4x6x6xf32>
  %flat = npu.reshape %m1 : (tensor<1x4x6x6xf32>) -> tensor<1x144xf32>
  %softmax = npu.softmax %flat axis = 1 : tensor<1x144xf32>
  %image = npu.reshape %softmax : (tensor<1x144xf32>) -> tensor<1x4x6x6xf32>
  %m2 = npu.mirror %image axes = [2] data_layout = <NCHW> : tensor<1x4x6x6xf32>
  return %m2 : tensor<1x4x6x6xf32>
}

// -----

/// A slice takes elements from the middle of an axis: in pieces it would not know them again.
// CHECK-LABEL: func.func @slice_across_a_cut
// CHECK-SAME:    (%x: tensor<1x4x6x6xf32, #npu.layout<NCHW>>) -> tensor<1x7x6xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x4x6x6xf32, #npu.layout<NCHW>>) -> tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m1 = npu.mirror %x_1 axes = [1] : tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m1_1 = npu.transpose %m1 permutation = [0, 3, 1, 2] : (tensor<1x6x6x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %lines = npu.reshape %m1_1 : (tensor<1x4x6x6xf32, #npu.layout<NCHW>>) -> tensor<1x24x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %some = npu.slice %lines starts = [0, 3, 0] limits = [1, 10, 6] : (tensor<1x24x6xf32, #npu.layout<Tensor>>) -> tensor<1x7x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %y = npu.relu %some : tensor<1x7x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %y : tensor<1x7x6xf32, #npu.layout<Tensor>>
// LEFT: layout-optimal: 2 transposes, 1152 bytes: proved minimum
func.func @slice_across_a_cut(%x: tensor<1x4x6x6xf32>) -> tensor<1x7x6xf32> {
  %m1 = npu.mirror %x axes = [2] data_layout = <NCHW> : tensor<1x4x6x6xf32>
  %lines = npu.reshape %m1 : (tensor<1x4x6x6xf32>) -> tensor<1x24x6xf32>
  %some = npu.slice %lines starts = [0, 3, 0] limits = [1, 10, 6] : (tensor<1x24x6xf32>) -> tensor<1x7x6xf32>
  %y = npu.relu %some : tensor<1x7x6xf32>
  return %y : tensor<1x7x6xf32>
}

// -----

/// An axis may be cut if a slice takes all of it, whatever its limit, or if a pad adds nothing to it.
// CHECK-LABEL: func.func @slice_beside_a_cut
// CHECK-SAME:    (%x: tensor<1x4x6x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x4x6x6xf32, #npu.layout<NCHW>>) -> tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m1 = npu.mirror %x_1 axes = [1] : tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %some = npu.slice %m1 starts = [0, 0, 1, 0] limits = [1, 9223372036854775807, 5, 9223372036854775807] : (tensor<1x6x6x4xf32, #npu.layout<NHWC>>) -> tensor<1x6x4x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %some_1 = npu.relabel %some : (tensor<1x6x4x4xf32, #npu.layout<NHWC>>) -> tensor<1x6x4x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %more = npu.pad %some_1 low = [0, 0, 1, 0] high = [0, 0, 1, 0] : (tensor<1x6x4x4xf32, #npu.layout<Tensor>>) -> tensor<1x6x6x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %image = npu.relabel %more : (tensor<1x6x6x4xf32, #npu.layout<Tensor>>) -> tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m2 = npu.mirror %image axes = [1] : tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m2_1 = npu.transpose %m2 permutation = [0, 3, 1, 2] : (tensor<1x6x6x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %m2_1 : tensor<1x4x6x6xf32, #npu.layout<NCHW>>
// LEFT: layout-optimal: 2 transposes, 1152 bytes: proved minimum
func.func @slice_beside_a_cut(%x: tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> {
  %m1 = npu.mirror %x axes = [2] data_layout = <NCHW> : tensor<1x4x6x6xf32>
  %lines = npu.reshape %m1 : (tensor<1x4x6x6xf32>) -> tensor<1x24x6xf32>
  %some = npu.slice %lines starts = [0, 0, 1] limits = [1, 24, 5] : (tensor<1x24x6xf32>) -> tensor<1x24x4xf32>
  %more = npu.pad %some low = [0, 0, 1] high = [0, 0, 1] : (tensor<1x24x4xf32>) -> tensor<1x24x6xf32>
  %image = npu.reshape %more : (tensor<1x24x6xf32>) -> tensor<1x4x6x6xf32>
  %m2 = npu.mirror %image axes = [2] data_layout = <NCHW> : tensor<1x4x6x6xf32>
  return %m2 : tensor<1x4x6x6xf32>
}

// -----

/// A sum does not depend on the order of its axes.
// CHECK-LABEL: func.func @reduction_of_a_flatten
// CHECK-SAME:    (%x: tensor<1x4x6x6xf32, #npu.layout<NCHW>>) -> tensor<1xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x4x6x6xf32, #npu.layout<NCHW>>) -> tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m1 = npu.mirror %x_1 axes = [1] : tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y = npu.reduce_sum %m1 axes = [1, 2, 3] : (tensor<1x6x6x4xf32, #npu.layout<NHWC>>) -> tensor<1xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %y : tensor<1xf32, #npu.layout<Tensor>>
// LEFT: layout-optimal: 1 transpose, 576 bytes: proved minimum
func.func @reduction_of_a_flatten(%x: tensor<1x4x6x6xf32>) -> tensor<1xf32> {
  %m1 = npu.mirror %x axes = [2] data_layout = <NCHW> : tensor<1x4x6x6xf32>
  %flat = npu.reshape %m1 : (tensor<1x4x6x6xf32>) -> tensor<1x144xf32>
  %y = npu.reduce_sum %flat axes = [1] : (tensor<1x144xf32>) -> tensor<1xf32>
  return %y : tensor<1xf32>
}

// -----

/// Two operands of two families, and one that is repeated: what is one number for each channel and row is cut as well.
// CHECK-LABEL: func.func @sum_of_two
// CHECK-SAME:    (%x: tensor<1x4x6x5xf32, #npu.layout<NCHW>>, %z: tensor<1x4x6x5xf32, #npu.layout<NCHW>>, %s: tensor<24x1xf32, #npu.layout<Tensor>>) -> tensor<1x4x6x5xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x4x6x5xf32, #npu.layout<NCHW>>) -> tensor<1x6x5x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %z_1 = npu.transpose %z permutation = [0, 2, 3, 1] : (tensor<1x4x6x5xf32, #npu.layout<NCHW>>) -> tensor<1x6x5x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %s_1 = npu.reshape %s : (tensor<24x1xf32, #npu.layout<Tensor>>) -> tensor<4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %m1 = npu.mirror %x_1 axes = [1] : tensor<1x6x5x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m2 = npu.mirror %z_1 axes = [2] : tensor<1x6x5x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %sum = npu.add %m1, %m2 : tensor<1x6x5x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %s_2 = npu.transpose %s_1 permutation = [1, 0] : (tensor<4x6xf32, #npu.layout<Tensor>>) -> tensor<6x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %s_3 = npu.reshape %s_2 : (tensor<6x4xf32, #npu.layout<Tensor>>) -> tensor<1x6x1x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %s_4 = npu.relabel %s_3 : (tensor<1x6x1x4xf32, #npu.layout<Tensor>>) -> tensor<1x6x1x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %scaled = npu.mul %sum, %s_4 : (tensor<1x6x5x4xf32, #npu.layout<NHWC>>, tensor<1x6x1x4xf32, #npu.layout<NHWC>>) -> tensor<1x6x5x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m3 = npu.mirror %scaled axes = [1] : tensor<1x6x5x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m3_1 = npu.transpose %m3 permutation = [0, 3, 1, 2] : (tensor<1x6x5x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x5xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %m3_1 : tensor<1x4x6x5xf32, #npu.layout<NCHW>>
// LEFT: layout-optimal: 4 transposes, 1536 bytes: proved minimum
func.func @sum_of_two(%x: tensor<1x4x6x5xf32>, %z: tensor<1x4x6x5xf32>, %s: tensor<24x1xf32>) -> tensor<1x4x6x5xf32> {
  %m1 = npu.mirror %x axes = [2] data_layout = <NCHW> : tensor<1x4x6x5xf32>
  %m2 = npu.mirror %z axes = [3] data_layout = <NCHW> : tensor<1x4x6x5xf32>
  %lines1 = npu.reshape %m1 : (tensor<1x4x6x5xf32>) -> tensor<24x5xf32>
  %lines2 = npu.reshape %m2 : (tensor<1x4x6x5xf32>) -> tensor<24x5xf32>
  %sum = npu.add %lines1, %lines2 : tensor<24x5xf32>
  %scaled = npu.mul %sum, %s : (tensor<24x5xf32>, tensor<24x1xf32>) -> tensor<24x5xf32>
  %image = npu.reshape %scaled : (tensor<24x5xf32>) -> tensor<1x4x6x5xf32>
  %m3 = npu.mirror %image axes = [2] data_layout = <NCHW> : tensor<1x4x6x5xf32>
  return %m3 : tensor<1x4x6x5xf32>
}

// -----

/// A batch of unknown size is left alone: only the axis beside it is cut.
// CHECK-LABEL: func.func @unknown_batch
// CHECK-SAME:    (%x: tensor<?x4x6x6xf32, #npu.layout<NCHW>>) -> tensor<?x4x6x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<?x4x6x6xf32, #npu.layout<NCHW>>) -> tensor<?x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m1 = npu.mirror %x_1 axes = [1] : tensor<?x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %relu = npu.relu %m1 : tensor<?x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m2 = npu.mirror %relu axes = [1] : tensor<?x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m2_1 = npu.transpose %m2 permutation = [0, 3, 1, 2] : (tensor<?x6x6x4xf32, #npu.layout<NHWC>>) -> tensor<?x4x6x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %m2_1 : tensor<?x4x6x6xf32, #npu.layout<NCHW>>
// LEFT: layout-optimal: 2 transposes, ~1152 bytes (unknown sizes count as 64, first ones as 1): proved minimum
func.func @unknown_batch(%x: tensor<?x4x6x6xf32>) -> tensor<?x4x6x6xf32> {
  %m1 = npu.mirror %x axes = [2] data_layout = <NCHW> : tensor<?x4x6x6xf32>
  %lines = npu.reshape %m1 : (tensor<?x4x6x6xf32>) -> tensor<?x24x6xf32>
  %relu = npu.relu %lines : tensor<?x24x6xf32>
  %image = npu.reshape %relu : (tensor<?x24x6xf32>) -> tensor<?x4x6x6xf32>
  %m2 = npu.mirror %image axes = [2] data_layout = <NCHW> : tensor<?x4x6x6xf32>
  return %m2 : tensor<?x4x6x6xf32>
}

// -----

/// An unknown size is not split: its pieces are not known.
// CHECK-LABEL: func.func @unknown_rows
// CHECK-SAME:    (%x: tensor<1x4x?x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x?x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x4x?x6xf32, #npu.layout<NCHW>>) -> tensor<1x?x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m1 = npu.mirror %x_1 axes = [1] : tensor<1x?x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m1_1 = npu.transpose %m1 permutation = [0, 3, 1, 2] : (tensor<1x?x6x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x?x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %lines = npu.reshape %m1_1 : (tensor<1x4x?x6xf32, #npu.layout<NCHW>>) -> tensor<1x?x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %relu = npu.relu %lines : tensor<1x?x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %image = npu.reshape %relu : (tensor<1x?x6xf32, #npu.layout<Tensor>>) -> tensor<1x4x?x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %image_1 = npu.transpose %image permutation = [0, 2, 3, 1] : (tensor<1x4x?x6xf32, #npu.layout<NCHW>>) -> tensor<1x?x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m2 = npu.mirror %image_1 axes = [1] : tensor<1x?x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m2_1 = npu.transpose %m2 permutation = [0, 3, 1, 2] : (tensor<1x?x6x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x?x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %m2_1 : tensor<1x4x?x6xf32, #npu.layout<NCHW>>
// LEFT: layout-optimal: 4 transposes, ~24576 bytes (unknown sizes count as 64, first ones as 1): proved minimum
func.func @unknown_rows(%x: tensor<1x4x?x6xf32>) -> tensor<1x4x?x6xf32> {
  %m1 = npu.mirror %x axes = [2] data_layout = <NCHW> : tensor<1x4x?x6xf32>
  %lines = npu.reshape %m1 : (tensor<1x4x?x6xf32>) -> tensor<1x?x6xf32>
  %relu = npu.relu %lines : tensor<1x?x6xf32>
  %image = npu.reshape %relu : (tensor<1x?x6xf32>) -> tensor<1x4x?x6xf32>
  %m2 = npu.mirror %image axes = [2] data_layout = <NCHW> : tensor<1x4x?x6xf32>
  return %m2 : tensor<1x4x?x6xf32>
}

// -----

/// The result is small, so that it is moved behind the relu, which works on it with two axes.
// CHECK-LABEL: func.func @small_result
// CHECK-SAME:    (%x: tensor<1x4x6x6xf32, #npu.layout<NCHW>>) -> tensor<24xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x4x6x6xf32, #npu.layout<NCHW>>) -> tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m1 = npu.mirror %x_1 axes = [1] : tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %mean = npu.reduce_mean %m1 axes = [2] : (tensor<1x6x6x4xf32, #npu.layout<NHWC>>) -> tensor<1x6x4xf32, #npu.layout<Tensor, [0, 2, 1]>>
// CHECK-NEXT:    %mean_1 = npu.transpose %mean permutation = [0, 2, 1] : (tensor<1x6x4xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %lines = npu.reshape %mean_1 : (tensor<1x4x6xf32, #npu.layout<Tensor>>) -> tensor<24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %y = npu.relu %lines : tensor<24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %y : tensor<24xf32, #npu.layout<Tensor>>
// LEFT: layout-optimal: 2 transposes, 672 bytes: proved minimum
func.func @small_result(%x: tensor<1x4x6x6xf32>) -> tensor<24xf32> {
  %m1 = npu.mirror %x axes = [2] data_layout = <NCHW> : tensor<1x4x6x6xf32>
  %turned = npu.transpose %m1 permutation = [0, 1, 3, 2] : tensor<1x4x6x6xf32>
  %mean = npu.reduce_mean %turned axes = [2] : (tensor<1x4x6x6xf32>) -> tensor<1x4x6xf32>
  %lines = npu.reshape %mean : (tensor<1x4x6xf32>) -> tensor<24xf32>
  %y = npu.relu %lines : tensor<24xf32>
  return %y : tensor<24xf32>
}

// -----

/// A running sum depends on the positions along its axis, so it has no form over pieces of that axis.
// CHECK-LABEL: func.func @running_sum(
// CHECK-SAME:    %x: tensor<3x2x2x2xf32, #npu.layout<NCHW>>) -> tensor<3x2x2x2xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<3x2x2x2xf32, #npu.layout<NCHW>>) -> tensor<3x2x2x2xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.mirror %x_1 axes = [1] : tensor<3x2x2x2xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<3x2x2x2xf32, #npu.layout<NHWC>>) -> tensor<3x2x2x2xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %r = npu.reshape %a_1 : (tensor<3x2x2x2xf32, #npu.layout<NCHW>>) -> tensor<24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %s = npu.cumsum %r axis = 0 : tensor<24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %t = npu.reshape %s : (tensor<24xf32, #npu.layout<Tensor>>) -> tensor<3x2x2x2xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %t_1 = npu.transpose %t permutation = [0, 2, 3, 1] : (tensor<3x2x2x2xf32, #npu.layout<NCHW>>) -> tensor<3x2x2x2xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b = npu.mirror %t_1 axes = [1] : tensor<3x2x2x2xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b_1 = npu.transpose %b permutation = [0, 3, 1, 2] : (tensor<3x2x2x2xf32, #npu.layout<NHWC>>) -> tensor<3x2x2x2xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %b_1 : tensor<3x2x2x2xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @running_sum(%x: tensor<3x2x2x2xf32, #npu.layout<NCHW>>) -> tensor<3x2x2x2xf32, #npu.layout<NCHW>> {
  %a = npu.mirror %x axes = [2] : tensor<3x2x2x2xf32, #npu.layout<NCHW>>
  %r = npu.reshape %a : (tensor<3x2x2x2xf32, #npu.layout<NCHW>>) -> tensor<24xf32>
  %s = npu.cumsum %r axis = 0 : tensor<24xf32>
  %t = npu.reshape %s : (tensor<24xf32>) -> tensor<3x2x2x2xf32, #npu.layout<NCHW>>
  %b = npu.mirror %t axes = [2] : tensor<3x2x2x2xf32, #npu.layout<NCHW>>
  return %b : tensor<3x2x2x2xf32, #npu.layout<NCHW>>
}

// -----

/// No transpose leads from windows of 3 rows to windows of 2 rows: the sum between them keeps its axes.
// CHECK-LABEL: func.func @windows_of_two_sizes
// CHECK-SAME:    (%x: tensor<6x4xf32, #npu.layout<Tensor>>, %w: tensor<1x4x4xf32, #npu.layout<NTensor>>) -> tensor<6x4xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %rows = npu.reshape %x : (tensor<6x4xf32, #npu.layout<Tensor>>) -> tensor<2x3x4xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %far = npu.transpose %rows permutation = [1, 0, 2] : (tensor<2x3x4xf32, #npu.layout<NTensor>>) -> tensor<3x2x4xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %product = npu.matmul %far, %w : (tensor<3x2x4xf32, #npu.layout<NTensor>>, tensor<1x4x4xf32, #npu.layout<NTensor>>) -> tensor<3x2x4xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %near = npu.transpose %product permutation = [1, 0, 2] : (tensor<3x2x4xf32, #npu.layout<NTensor>>) -> tensor<2x3x4xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %back = npu.reshape %near : (tensor<2x3x4xf32, #npu.layout<NTensor>>) -> tensor<6x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %sum = npu.add %x, %back : tensor<6x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %other = npu.reshape %sum : (tensor<6x4xf32, #npu.layout<Tensor>>) -> tensor<3x2x4xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %other_far = npu.transpose %other permutation = [1, 0, 2] : (tensor<3x2x4xf32, #npu.layout<NTensor>>) -> tensor<2x3x4xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %other_product = npu.matmul %other_far, %w : (tensor<2x3x4xf32, #npu.layout<NTensor>>, tensor<1x4x4xf32, #npu.layout<NTensor>>) -> tensor<2x3x4xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %other_near = npu.transpose %other_product permutation = [1, 0, 2] : (tensor<2x3x4xf32, #npu.layout<NTensor>>) -> tensor<3x2x4xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %other_back = npu.reshape %other_near : (tensor<3x2x4xf32, #npu.layout<NTensor>>) -> tensor<6x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %last = npu.add %sum, %other_back : tensor<6x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %last : tensor<6x4xf32, #npu.layout<Tensor>>
// LEFT: layout-optimal: 4 transposes, 384 bytes: proved minimum
func.func @windows_of_two_sizes(%x: tensor<6x4xf32>, %w: tensor<1x4x4xf32>) -> tensor<6x4xf32> {
  %rows = npu.reshape %x : (tensor<6x4xf32>) -> tensor<2x3x4xf32>
  %far = npu.transpose %rows permutation = [1, 0, 2] : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
  %product = npu.matmul %far, %w : (tensor<3x2x4xf32>, tensor<1x4x4xf32>) -> tensor<3x2x4xf32>
  %near = npu.transpose %product permutation = [1, 0, 2] : (tensor<3x2x4xf32>) -> tensor<2x3x4xf32>
  %back = npu.reshape %near : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %sum = npu.add %x, %back : tensor<6x4xf32>
  %other = npu.reshape %sum : (tensor<6x4xf32>) -> tensor<3x2x4xf32>
  %other_far = npu.transpose %other permutation = [1, 0, 2] : (tensor<3x2x4xf32>) -> tensor<2x3x4xf32>
  %other_product = npu.matmul %other_far, %w : (tensor<2x3x4xf32>, tensor<1x4x4xf32>) -> tensor<2x3x4xf32>
  %other_near = npu.transpose %other_product permutation = [1, 0, 2] : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
  %other_back = npu.reshape %other_near : (tensor<3x2x4xf32>) -> tensor<6x4xf32>
  %last = npu.add %sum, %other_back : tensor<6x4xf32>
  return %last : tensor<6x4xf32>
}

// -----

/// A reshape to more than six axes, which no order can permute, reads the value in its own order.
// CHECK-LABEL: func.func @rank_of_seven
// CHECK-SAME:    (%x: tensor<1x4x6x6xf32, #npu.layout<NCHW>>, %k: tensor<4x4x1x1xf32, #npu.layout<OIHW>>) -> tensor<2x2x2x3x2x3x1xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x4x6x6xf32, #npu.layout<NCHW>>) -> tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %k_1 = npu.reshape %k : (tensor<4x4x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x1x4x4xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %k_1 : (tensor<1x6x6x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x6x6x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %parts = npu.reshape %conv_1 : (tensor<1x4x6x6xf32, #npu.layout<NCHW>>) -> tensor<2x2x2x3x2x3x1xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %parts : tensor<2x2x2x3x2x3x1xf32, #npu.layout<Tensor>>
func.func @rank_of_seven(%x: tensor<1x4x6x6xf32, #npu.layout<NCHW>>, %k: tensor<4x4x1x1xf32, #npu.layout<OIHW>>) -> tensor<2x2x2x3x2x3x1xf32> {
  %conv = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x4x6x6xf32, #npu.layout<NCHW>>, tensor<4x4x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x4x6x6xf32, #npu.layout<NCHW>>
  %parts = npu.reshape %conv : (tensor<1x4x6x6xf32, #npu.layout<NCHW>>) -> tensor<2x2x2x3x2x3x1xf32>
  return %parts : tensor<2x2x2x3x2x3x1xf32>
}

// -----

/// A split of an axis that another view of the data merges with its neighbour is not written with the axes of that view.
// CHECK-LABEL: func.func @split_of_part
// CHECK-SAME:    (%x: tensor<4x7x24xf32, #npu.layout<Tensor>>) -> (tensor<4x7x12xf32, #npu.layout<Tensor>>, tensor<4x7x12xf32, #npu.layout<Tensor>>) {
// CHECK-NEXT:    %parts = npu.reshape %x : (tensor<4x7x24xf32, #npu.layout<Tensor>>) -> tensor<2x2x7x3x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %a, %b = npu.split %parts axis = 4 sizes = [4, 4] : (tensor<2x2x7x3x8xf32, #npu.layout<Tensor>>) -> (tensor<2x2x7x3x4xf32, #npu.layout<Tensor>>, tensor<2x2x7x3x4xf32, #npu.layout<Tensor>>)
// CHECK-NEXT:    %a_back = npu.reshape %a : (tensor<2x2x7x3x4xf32, #npu.layout<Tensor>>) -> tensor<4x7x12xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %b_back = npu.reshape %b : (tensor<2x2x7x3x4xf32, #npu.layout<Tensor>>) -> tensor<4x7x12xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %a_back, %b_back : tensor<4x7x12xf32, #npu.layout<Tensor>>, tensor<4x7x12xf32, #npu.layout<Tensor>>
func.func @split_of_part(%x: tensor<4x7x24xf32, #npu.layout<Tensor>>) -> (tensor<4x7x12xf32>, tensor<4x7x12xf32>) {
  %parts = npu.reshape %x : (tensor<4x7x24xf32, #npu.layout<Tensor>>) -> tensor<2x2x7x3x8xf32>
  %moved = npu.transpose %parts permutation = [3, 0, 2, 1, 4] : (tensor<2x2x7x3x8xf32>) -> tensor<3x2x7x2x8xf32>
  %all = npu.reshape %moved : (tensor<3x2x7x2x8xf32>) -> tensor<3x28x8xf32>
  %a, %b = npu.split %all axis = 2 sizes = [4, 4] : (tensor<3x28x8xf32>) -> (tensor<3x28x4xf32>, tensor<3x28x4xf32>)
  %a_parts = npu.reshape %a : (tensor<3x28x4xf32>) -> tensor<3x2x7x2x4xf32>
  %a_moved = npu.transpose %a_parts permutation = [1, 3, 2, 0, 4] : (tensor<3x2x7x2x4xf32>) -> tensor<2x2x7x3x4xf32>
  %a_back = npu.reshape %a_moved : (tensor<2x2x7x3x4xf32>) -> tensor<4x7x12xf32>
  %b_parts = npu.reshape %b : (tensor<3x28x4xf32>) -> tensor<3x2x7x2x4xf32>
  %b_moved = npu.transpose %b_parts permutation = [1, 3, 2, 0, 4] : (tensor<3x2x7x2x4xf32>) -> tensor<2x2x7x3x4xf32>
  %b_back = npu.reshape %b_moved : (tensor<2x2x7x3x4xf32>) -> tensor<4x7x12xf32>
  return %a_back, %b_back : tensor<4x7x12xf32>, tensor<4x7x12xf32>
}
