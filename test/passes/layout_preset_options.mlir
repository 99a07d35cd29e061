// RUN: npu-opt %s --layout-preset="strategy=naive" --split-input-file | filecheck %s --check-prefix=NAIVE
// RUN: npu-opt %s --layout-preset="strategy=regions" --split-input-file | filecheck %s --check-prefix=REGIONS
// RUN: npu-opt %s --layout-preset="strategy=regions-plus" --split-input-file | filecheck %s --check-prefix=PLUS
// RUN: npu-opt %s --layout-preset="strategy=regions-plus all-regions=true" --split-input-file | filecheck %s --check-prefix=ALL
// RUN: npu-opt %s --layout-preset="target=plover" --split-input-file | filecheck %s --check-prefix=PLOVER
// RUN: npu-opt %s --layout-preset --target=plover --split-input-file | filecheck %s --check-prefix=PLOVER
// RUN: npu-opt %s --layout-preset="strategy=naive" --layout-preset="strategy=naive" --split-input-file | filecheck %s --check-prefix=NAIVE
// RUN: npu-opt %s --layout-preset="all-regions=true" --layout-preset="all-regions=true" --split-input-file | filecheck %s --check-prefix=ALL
// RUN: npu-opt %s --layout-preset="target=plover" --layout-preset="target=plover" --split-input-file | filecheck %s --check-prefix=PLOVER

/// Two convolutions with a flip of their activation as a matrix between them. By itself each op is wrapped; as regions the
/// matrix is transposed back; joined, it is flipped along another axis. The second target prefers the given order.
// NAIVE-LABEL: func.func @join
// NAIVE-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>, %k: tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>> {
// NAIVE-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// NAIVE-NEXT:    %conv1 = npu.conv2d %x_1, %k : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// NAIVE-NEXT:    %conv1_1 = npu.transpose %conv1 permutation = [0, 3, 1, 2] : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// NAIVE-NEXT:    %tokens = npu.reshape %conv1_1 : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x6xf32, #npu.layout<Tensor>>
// NAIVE-NEXT:    %flip = npu.reverse %tokens axes = [2] : tensor<1x4x6xf32, #npu.layout<Tensor>>
// NAIVE-NEXT:    %image = npu.reshape %flip : (tensor<1x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// NAIVE-NEXT:    %image_1 = npu.transpose %image permutation = [0, 2, 3, 1] : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// NAIVE-NEXT:    %conv2 = npu.conv2d %image_1, %k : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// NAIVE-NEXT:    %conv2_1 = npu.transpose %conv2 permutation = [0, 3, 1, 2] : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// NAIVE-NEXT:    func.return %conv2_1 : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// REGIONS-LABEL: func.func @join
// REGIONS-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>, %k: tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>> {
// REGIONS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv1 = npu.conv2d %x_1, %k : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv1_1 = npu.transpose %conv1 permutation = [0, 3, 1, 2] : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    %tokens = npu.reshape %conv1_1 : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x6xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %flip = npu.reverse %tokens axes = [2] : tensor<1x4x6xf32, #npu.layout<Tensor>>
// REGIONS-NEXT:    %flip_1 = npu.transpose %flip permutation = [0, 2, 1] : (tensor<1x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x6x4xf32, #npu.layout<Tensor, [0, 2, 1]>>
// REGIONS-NEXT:    %image = npu.reshape %flip_1 : (tensor<1x6x4xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv2 = npu.conv2d %image, %k : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// REGIONS-NEXT:    %conv2_1 = npu.transpose %conv2 permutation = [0, 3, 1, 2] : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    func.return %conv2_1 : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// PLUS-LABEL: func.func @join
// PLUS-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>, %k: tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>> {
// PLUS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %conv1 = npu.conv2d %x_1, %k : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %tokens = npu.reshape %conv1 : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>) -> tensor<1x6x4xf32, #npu.layout<Tensor, [0, 2, 1]>>
// PLUS-NEXT:    %flip = npu.reverse %tokens axes = [1] : tensor<1x6x4xf32, #npu.layout<Tensor, [0, 2, 1]>>
// PLUS-NEXT:    %image = npu.reshape %flip : (tensor<1x6x4xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %conv2 = npu.conv2d %image, %k : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %conv2_1 = npu.transpose %conv2 permutation = [0, 3, 1, 2] : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    func.return %conv2_1 : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// ALL-LABEL: func.func @join
// ALL-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>, %k: tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>> {
// ALL-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// ALL-NEXT:    %conv1 = npu.conv2d %x_1, %k : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// ALL-NEXT:    %tokens = npu.reshape %conv1 : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>) -> tensor<1x6x4xf32, #npu.layout<Tensor, [0, 2, 1]>>
// ALL-NEXT:    %flip = npu.reverse %tokens axes = [1] : tensor<1x6x4xf32, #npu.layout<Tensor, [0, 2, 1]>>
// ALL-NEXT:    %image = npu.reshape %flip : (tensor<1x6x4xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// ALL-NEXT:    %conv2 = npu.conv2d %image, %k : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// ALL-NEXT:    %conv2_1 = npu.transpose %conv2 permutation = [0, 3, 1, 2] : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// ALL-NEXT:    func.return %conv2_1 : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// PLOVER-LABEL: func.func @join
// PLOVER-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>, %k: tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>> {
// PLOVER-NEXT:    %k_1 = npu.reshape %k : (tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<4x4x1x1xf32, #npu.layout<OIHW>>
// PLOVER-NEXT:    %conv1 = npu.conv2d %x, %k_1 : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>, tensor<4x4x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// PLOVER-NEXT:    %tokens = npu.reshape %conv1 : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x6xf32, #npu.layout<Tensor>>
// PLOVER-NEXT:    %flip = npu.reverse %tokens axes = [2] : tensor<1x4x6xf32, #npu.layout<Tensor>>
// PLOVER-NEXT:    %image = npu.reshape %flip : (tensor<1x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// PLOVER-NEXT:    %conv2 = npu.conv2d %image, %k_1 : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>, tensor<4x4x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// PLOVER-NEXT:    func.return %conv2 : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
func.func @join(%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>, %k: tensor<1x1x4x4xf32, #npu.layout<HWOI>>)
    -> tensor<1x4x3x2xf32, #npu.layout<NCHW>> {
  %conv1 = npu.conv2d %x, %k
    : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>)
    -> tensor<1x4x3x2xf32, #npu.layout<NCHW>>
  %tokens = npu.reshape %conv1 : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x6xf32, #npu.layout<Tensor>>
  %flip = npu.reverse %tokens axes = [2]
    : tensor<1x4x6xf32, #npu.layout<Tensor>>
  %image = npu.reshape %flip : (tensor<1x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>>
  %conv2 = npu.conv2d %image, %k
    : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>)
    -> tensor<1x4x3x2xf32, #npu.layout<NCHW>>
  func.return %conv2 : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
}

// -----

/// A region without a demand moves only if all regions are asked for, or each op is wrapped.
// NAIVE-LABEL: func.func @no_demand
// NAIVE-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>> {
// NAIVE-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// NAIVE-NEXT:    %relu = npu.relu %x_1 : tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// NAIVE-NEXT:    %relu_1 = npu.transpose %relu permutation = [0, 3, 1, 2] : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// NAIVE-NEXT:    %relu_2 = npu.transpose %relu_1 permutation = [0, 2, 3, 1] : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// NAIVE-NEXT:    %abs = npu.abs %relu_2 : tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// NAIVE-NEXT:    %abs_1 = npu.transpose %abs permutation = [0, 3, 1, 2] : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// NAIVE-NEXT:    func.return %abs_1 : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// REGIONS-LABEL: func.func @no_demand
// REGIONS-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>> {
// REGIONS-NEXT:    %relu = npu.relu %x : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    %abs = npu.abs %relu : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    func.return %abs : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// PLUS-LABEL: func.func @no_demand
// PLUS-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>> {
// PLUS-NEXT:    %relu = npu.relu %x : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    %abs = npu.abs %relu : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    func.return %abs : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// ALL-LABEL: func.func @no_demand
// ALL-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>> {
// ALL-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// ALL-NEXT:    %relu = npu.relu %x_1 : tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// ALL-NEXT:    %abs = npu.abs %relu : tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// ALL-NEXT:    %abs_1 = npu.transpose %abs permutation = [0, 3, 1, 2] : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// ALL-NEXT:    func.return %abs_1 : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// PLOVER-LABEL: func.func @no_demand
// PLOVER-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>> {
// PLOVER-NEXT:    %relu = npu.relu %x : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// PLOVER-NEXT:    %abs = npu.abs %relu : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// PLOVER-NEXT:    func.return %abs : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
func.func @no_demand(%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>> {
  %relu = npu.relu %x : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
  %abs = npu.abs %relu : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
  func.return %abs : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
}

// -----

/// A function of nothing but arguments and results keeps its layouts in every form.
// NAIVE-LABEL: func.func @through
// NAIVE-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>> {
// NAIVE-NEXT:    func.return %x : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// REGIONS-LABEL: func.func @through
// REGIONS-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>> {
// REGIONS-NEXT:    func.return %x : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// PLUS-LABEL: func.func @through
// PLUS-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>> {
// PLUS-NEXT:    func.return %x : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// ALL-LABEL: func.func @through
// ALL-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>> {
// ALL-NEXT:    func.return %x : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
// PLOVER-LABEL: func.func @through
// PLOVER-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>> {
// PLOVER-NEXT:    func.return %x : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
func.func @through(%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x3x2xf32, #npu.layout<NCHW>> {
  func.return %x : tensor<1x4x3x2xf32, #npu.layout<NCHW>>
}

// -----

/// An op that demands another layout than the preferred one is a region of its own.
// NAIVE-LABEL: func.func @pixels
// NAIVE-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x4xf32, #npu.layout<NCHW>> {
// NAIVE-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// NAIVE-NEXT:    %up = npu.upsample %x_1 factors = [2, 2] : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>) -> tensor<1x6x4x4xf32, #npu.layout<NHWC>>
// NAIVE-NEXT:    %up_1 = npu.transpose %up permutation = [0, 3, 1, 2] : (tensor<1x6x4x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x4xf32, #npu.layout<NCHW>>
// NAIVE-NEXT:    %up_2 = npu.transpose %up_1 permutation = [0, 2, 3, 1] : (tensor<1x4x6x4xf32, #npu.layout<NCHW>>) -> tensor<1x6x4x4xf32, #npu.layout<NHWC>>
// NAIVE-NEXT:    %relu = npu.relu %up_2 : tensor<1x6x4x4xf32, #npu.layout<NHWC>>
// NAIVE-NEXT:    %relu_1 = npu.transpose %relu permutation = [0, 3, 1, 2] : (tensor<1x6x4x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x4xf32, #npu.layout<NCHW>>
// NAIVE-NEXT:    func.return %relu_1 : tensor<1x4x6x4xf32, #npu.layout<NCHW>>
// REGIONS-LABEL: func.func @pixels
// REGIONS-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x4xf32, #npu.layout<NCHW>> {
// REGIONS-NEXT:    %up = npu.upsample %x factors = [2, 2] : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x4xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    %relu = npu.relu %up : tensor<1x4x6x4xf32, #npu.layout<NCHW>>
// REGIONS-NEXT:    func.return %relu : tensor<1x4x6x4xf32, #npu.layout<NCHW>>
// PLUS-LABEL: func.func @pixels
// PLUS-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x4xf32, #npu.layout<NCHW>> {
// PLUS-NEXT:    %up = npu.upsample %x factors = [2, 2] : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x4xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    %relu = npu.relu %up : tensor<1x4x6x4xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    func.return %relu : tensor<1x4x6x4xf32, #npu.layout<NCHW>>
// ALL-LABEL: func.func @pixels
// ALL-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x4xf32, #npu.layout<NCHW>> {
// ALL-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// ALL-NEXT:    %up = npu.upsample %x_1 factors = [2, 2] : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>) -> tensor<1x6x4x4xf32, #npu.layout<NHWC>>
// ALL-NEXT:    %relu = npu.relu %up : tensor<1x6x4x4xf32, #npu.layout<NHWC>>
// ALL-NEXT:    %relu_1 = npu.transpose %relu permutation = [0, 3, 1, 2] : (tensor<1x6x4x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x4xf32, #npu.layout<NCHW>>
// ALL-NEXT:    func.return %relu_1 : tensor<1x4x6x4xf32, #npu.layout<NCHW>>
// PLOVER-LABEL: func.func @pixels
// PLOVER-SAME:    (%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x4xf32, #npu.layout<NCHW>> {
// PLOVER-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x3x2x4xf32, #npu.layout<NHWC>>
// PLOVER-NEXT:    %up = npu.upsample %x_1 factors = [2, 2] : (tensor<1x3x2x4xf32, #npu.layout<NHWC>>) -> tensor<1x6x4x4xf32, #npu.layout<NHWC>>
// PLOVER-NEXT:    %up_1 = npu.transpose %up permutation = [0, 3, 1, 2] : (tensor<1x6x4x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x4xf32, #npu.layout<NCHW>>
// PLOVER-NEXT:    %relu = npu.relu %up_1 : tensor<1x4x6x4xf32, #npu.layout<NCHW>>
// PLOVER-NEXT:    func.return %relu : tensor<1x4x6x4xf32, #npu.layout<NCHW>>
func.func @pixels(%x: tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x4xf32, #npu.layout<NCHW>> {
  %up = npu.upsample %x factors = [2, 2]
    : (tensor<1x4x3x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x4xf32, #npu.layout<NCHW>>
  %relu = npu.relu %up : tensor<1x4x6x4xf32, #npu.layout<NCHW>>
  func.return %relu : tensor<1x4x6x4xf32, #npu.layout<NCHW>>
}

// -----

/// A result is converted back right behind its op, also for users that keep their order, and once for all of them.
// NAIVE-LABEL: func.func @back(
// NAIVE-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %z: tensor<4xf32, #npu.layout<Tensor>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<4xf32, #npu.layout<Tensor>>) {
// NAIVE-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// NAIVE-NEXT:    %a = npu.relu %x_1 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// NAIVE-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// NAIVE-NEXT:    %b = npu.relu %z : tensor<4xf32, #npu.layout<Tensor>>
// NAIVE-NEXT:    func.return %a_1, %a_1, %b : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<4xf32, #npu.layout<Tensor>>
// NAIVE-NEXT:  }
func.func @back(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %z: tensor<4xf32>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<4xf32>) {
  %a = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %b = npu.relu %z : tensor<4xf32>
  return %a, %a, %b : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<4xf32>
}
