// RUN: npu-opt %s --layout-preset-npu --split-input-file | filecheck %s --check-prefix=GREEDY
// RUN: npu-opt %s --layout-preset-npu="strategy=record" --split-input-file | filecheck %s --check-prefix=RECORD
// RUN: npu-opt %s --layout-preset-npu="target=plover" --split-input-file | filecheck %s --check-prefix=PLOVER
// RUN: npu-opt %s --layout-preset-npu --layout-preset-npu --split-input-file | filecheck %s --check-prefix=GREEDY
// RUN: npu-opt %s --layout-preset-npu="strategy=record" --layout-preset-npu="strategy=record" --split-input-file | filecheck %s --check-prefix=RECORD
// RUN: npu-opt %s --layout-preset-npu --layout-preset-npu --target=plover --split-input-file | filecheck %s --check-prefix=PLOVER

/// The convolution gets what it demands, once for both that read it; what is behind follows, up to the return. A graph
/// without layouts gets them first.
// GREEDY-LABEL: func.func @uncoloured
// GREEDY-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>> {
// GREEDY-NEXT:    %k = npu.constant dense<5.000000e-01> : tensor<4x4x1x1xf32, #npu.layout<OIHW>>
// GREEDY-NEXT:    %k_1 = npu.reshape %k : (tensor<4x4x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x1x4x4xf32, #npu.layout<HWOI>>
// GREEDY-NEXT:    %relu = npu.relu %x : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// GREEDY-NEXT:    %relu_1 = npu.transpose %relu permutation = [0, 2, 3, 1] : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %conv1 = npu.conv2d %relu_1, %k_1 : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %conv2 = npu.conv2d %relu_1, %k_1 : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %sum = npu.add %conv1, %conv2 : tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %sum_1 = npu.transpose %sum permutation = [0, 3, 1, 2] : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// GREEDY-NEXT:    func.return %sum_1 : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// RECORD-LABEL: func.func @uncoloured
// RECORD-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>> {
// RECORD-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %k = npu.constant dense<5.000000e-01> : tensor<4x4x1x1xf32, #npu.layout<OIHW>>
// RECORD-NEXT:    %k_1 = npu.reshape %k : (tensor<4x4x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x1x4x4xf32, #npu.layout<HWOI>>
// RECORD-NEXT:    %relu = npu.relu %x_1 : tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %conv1 = npu.conv2d %relu, %k_1 : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %conv2 = npu.conv2d %relu, %k_1 : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %sum = npu.add %conv1, %conv2 : tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %sum_1 = npu.transpose %sum permutation = [0, 3, 1, 2] : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// RECORD-NEXT:    func.return %sum_1 : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// PLOVER-LABEL: func.func @uncoloured
// PLOVER-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>> {
// PLOVER-NEXT:    %k = npu.constant dense<5.000000e-01> : tensor<4x4x1x1xf32, #npu.layout<OIHW>>
// PLOVER-NEXT:    %relu = npu.relu %x : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// PLOVER-NEXT:    %conv1 = npu.conv2d %relu, %k : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>, tensor<4x4x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// PLOVER-NEXT:    %conv2 = npu.conv2d %relu, %k : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>, tensor<4x4x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// PLOVER-NEXT:    %sum = npu.add %conv1, %conv2 : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// PLOVER-NEXT:    func.return %sum : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
func.func @uncoloured(%x: tensor<1x4x3x2xf32>) -> tensor<1x4x3x2xf32> {
  %k = npu.constant dense<0.5> : tensor<4x4x1x1xf32>
  %relu = npu.relu %x : tensor<1x4x3x2xf32>
  %conv1 = npu.conv2d %relu, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x4x3x2xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x3x2xf32>
  %conv2 = npu.conv2d %relu, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x4x3x2xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x3x2xf32>
  %sum = npu.add %conv1, %conv2 : tensor<1x4x3x2xf32>
  func.return %sum : tensor<1x4x3x2xf32>
}

// -----

/// Without a demand on the way greedy leaves everything unchanged.
// GREEDY-LABEL: func.func @no_demand
// GREEDY-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>> {
// GREEDY-NEXT:    %relu = npu.relu %x : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// GREEDY-NEXT:    func.return %relu : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// RECORD-LABEL: func.func @no_demand
// RECORD-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>> {
// RECORD-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %relu = npu.relu %x_1 : tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %relu_1 = npu.transpose %relu permutation = [0, 3, 1, 2] : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// RECORD-NEXT:    func.return %relu_1 : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// PLOVER-LABEL: func.func @no_demand
// PLOVER-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>> {
// PLOVER-NEXT:    %relu = npu.relu %x : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// PLOVER-NEXT:    func.return %relu : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
func.func @no_demand(%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>> {
  %relu = npu.relu %x : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
  func.return %relu : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
}

// -----

/// A transpose of the input takes what comes and gives what it gave.
// GREEDY-LABEL: func.func @present
// GREEDY-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>, %k: tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x4x2x3xf32, #npu.layout<NCHW>> {
// GREEDY-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %conv = npu.conv2d %x_1, %k : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %swap = npu.transpose %conv permutation = [0, 3, 2, 1] : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x2x3xf32, #npu.layout<NCHW>>
// GREEDY-NEXT:    func.return %swap : tensor<1x4x2x3xf32, #npu.layout<NCHW>>
// RECORD-LABEL: func.func @present
// RECORD-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>, %k: tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x4x2x3xf32, #npu.layout<NCHW>> {
// RECORD-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %conv = npu.conv2d %x_1, %k : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// RECORD-NEXT:    %swap = npu.transpose %conv_1 permutation = [0, 1, 3, 2] : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x2x3xf32, #npu.layout<NCHW>>
// RECORD-NEXT:    func.return %swap : tensor<1x4x2x3xf32, #npu.layout<NCHW>>
// PLOVER-LABEL: func.func @present
// PLOVER-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>, %k: tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x4x2x3xf32, #npu.layout<NCHW>> {
// PLOVER-NEXT:    %k_1 = npu.reshape %k : (tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<4x4x1x1xf32, #npu.layout<OIHW>>
// PLOVER-NEXT:    %conv = npu.conv2d %x, %k_1 : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>, tensor<4x4x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// PLOVER-NEXT:    %swap = npu.transpose %conv permutation = [0, 1, 3, 2] : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x2x3xf32, #npu.layout<NCHW>>
// PLOVER-NEXT:    func.return %swap : tensor<1x4x2x3xf32, #npu.layout<NCHW>>
func.func @present(%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>, %k: tensor<1x1x4x4xf32, #npu.layout<HWOI>>)
    -> tensor<1x4x2x3xf32, #npu.layout<NCHW>> {
  %conv = npu.conv2d %x, %k
    : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>)
    -> tensor<1x4x3x2xf32, #npu.layout<NCHW>>
  %swap = npu.transpose %conv permutation = [0, 1, 3, 2]
    : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x2x3xf32, #npu.layout<NCHW>>
  func.return %swap : tensor<1x4x2x3xf32, #npu.layout<NCHW>>
}

// -----

/// A tensor that is computed from features keeps its order, since its operand is converted back.
// GREEDY-LABEL: func.func @tensor
// GREEDY-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x6xf32, #npu.layout<Tensor>> {
// GREEDY-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %mirror = npu.mirror %x_1 axes = [1] : tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %mirror_1 = npu.transpose %mirror permutation = [0, 3, 1, 2] : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// GREEDY-NEXT:    %tokens = npu.reshape %mirror_1 : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x6xf32, #npu.layout<Tensor>>
// GREEDY-NEXT:    func.return %tokens : tensor<1x4x6xf32, #npu.layout<Tensor>>
// RECORD-LABEL: func.func @tensor
// RECORD-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x6xf32, #npu.layout<Tensor>> {
// RECORD-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %mirror = npu.mirror %x_1 axes = [1] : tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %mirror_1 = npu.transpose %mirror permutation = [0, 3, 1, 2] : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// RECORD-NEXT:    %tokens = npu.reshape %mirror_1 : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x6xf32, #npu.layout<Tensor>>
// RECORD-NEXT:    func.return %tokens : tensor<1x4x6xf32, #npu.layout<Tensor>>
// PLOVER-LABEL: func.func @tensor
// PLOVER-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x6xf32, #npu.layout<Tensor>> {
// PLOVER-NEXT:    %mirror = npu.mirror %x axes = [2] : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// PLOVER-NEXT:    %tokens = npu.reshape %mirror : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x6xf32, #npu.layout<Tensor>>
// PLOVER-NEXT:    func.return %tokens : tensor<1x4x6xf32, #npu.layout<Tensor>>
func.func @tensor(%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x6xf32, #npu.layout<Tensor>> {
  %mirror = npu.mirror %x axes = [2]
    : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
  %tokens = npu.reshape %mirror : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x6xf32, #npu.layout<Tensor>>
  func.return %tokens : tensor<1x4x6xf32, #npu.layout<Tensor>>
}
