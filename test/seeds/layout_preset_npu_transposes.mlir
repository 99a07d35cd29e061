// RUN: npu-opt %s --layout-preset-npu="strategy=greedy" --split-input-file | filecheck %s --check-prefix GREEDY
// RUN: npu-opt %s --layout-preset-npu="strategy=greedy" --layout-preset-npu="strategy=greedy" --split-input-file | filecheck %s --check-prefix GREEDY
// RUN: npu-opt %s --layout-preset-npu="strategy=record" --split-input-file | filecheck %s --check-prefix RECORD
// RUN: npu-opt %s --layout-preset-npu="strategy=record" --layout-preset-npu="strategy=record" --split-input-file | filecheck %s --check-prefix RECORD

/// Seed layout-preset-to-npu, transposeOp的处理 and 存在的问题 2: greedy lets the transpose take NHWC and give what it gave. Record keeps it as it was, with a transpose on either side.
// GREEDY-LABEL: func.func @between(
// GREEDY-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x6x4xf32, #npu.layout<NCWH>> {
// GREEDY-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %present = npu.transpose %a permutation = [0, 3, 2, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x6x4xf32, #npu.layout<NCWH>>
// GREEDY-NEXT:    %present_1 = npu.transpose %present permutation = [0, 3, 2, 1] : (tensor<1x8x6x4xf32, #npu.layout<NCWH>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %b = npu.conv2d %present_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %b_1 = npu.transpose %b permutation = [0, 3, 2, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x6x4xf32, #npu.layout<NCWH>>
// GREEDY-NEXT:    func.return %b_1 : tensor<1x8x6x4xf32, #npu.layout<NCWH>>
// GREEDY-NEXT:  }
// RECORD-LABEL: func.func @between(
// RECORD-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x6x4xf32, #npu.layout<NCWH>> {
// RECORD-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// RECORD-NEXT:    %present = npu.transpose %a_1 permutation = [0, 1, 3, 2] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x6x4xf32, #npu.layout<NCWH>>
// RECORD-NEXT:    %present_1 = npu.transpose %present permutation = [0, 3, 2, 1] : (tensor<1x8x6x4xf32, #npu.layout<NCWH>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %b = npu.conv2d %present_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %b_1 = npu.transpose %b permutation = [0, 3, 2, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x6x4xf32, #npu.layout<NCWH>>
// RECORD-NEXT:    func.return %b_1 : tensor<1x8x6x4xf32, #npu.layout<NCWH>>
// RECORD-NEXT:  }
func.func @between(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x6x4xf32, #npu.layout<NCWH>> {
  %a = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %present = npu.transpose %a permutation = [0, 1, 3, 2] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x6x4xf32, #npu.layout<NCWH>>
  %b = npu.conv2d %present, %w : (tensor<1x8x6x4xf32, #npu.layout<NCWH>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x6x4xf32, #npu.layout<NCWH>>
  return %b : tensor<1x8x6x4xf32, #npu.layout<NCWH>>
}

// -----

/// Record converts right behind the transpose, wherever its user is; greedy before the user.
// GREEDY-LABEL: func.func @far(
// GREEDY-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCWH>>, %t: tensor<1x8x24xf32, #npu.layout<Tensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x6x4xf32, #npu.layout<NCHW>>, tensor<1x8x24xf32, #npu.layout<Tensor>>) {
// GREEDY-NEXT:    %present = npu.transpose %x permutation = [0, 1, 3, 2] : (tensor<1x8x4x6xf32, #npu.layout<NCWH>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>>
// GREEDY-NEXT:    %between = npu.relu %t : tensor<1x8x24xf32, #npu.layout<Tensor>>
// GREEDY-NEXT:    %present_1 = npu.transpose %present permutation = [0, 2, 3, 1] : (tensor<1x8x6x4xf32, #npu.layout<NCHW>>) -> tensor<1x6x4x8xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %a = npu.conv2d %present_1, %w : (tensor<1x6x4x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x6x4x8xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x6x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>>
// GREEDY-NEXT:    func.return %a_1, %between : tensor<1x8x6x4xf32, #npu.layout<NCHW>>, tensor<1x8x24xf32, #npu.layout<Tensor>>
// GREEDY-NEXT:  }
// RECORD-LABEL: func.func @far(
// RECORD-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCWH>>, %t: tensor<1x8x24xf32, #npu.layout<Tensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x6x4xf32, #npu.layout<NCHW>>, tensor<1x8x24xf32, #npu.layout<Tensor>>) {
// RECORD-NEXT:    %x_1 = npu.transpose %x permutation = [0, 3, 2, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCWH>>) -> tensor<1x6x4x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %x_2 = npu.transpose %x_1 permutation = [0, 3, 2, 1] : (tensor<1x6x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCWH>>
// RECORD-NEXT:    %present = npu.transpose %x_2 permutation = [0, 1, 3, 2] : (tensor<1x8x4x6xf32, #npu.layout<NCWH>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>>
// RECORD-NEXT:    %present_1 = npu.transpose %present permutation = [0, 2, 3, 1] : (tensor<1x8x6x4xf32, #npu.layout<NCHW>>) -> tensor<1x6x4x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %between = npu.relu %t : tensor<1x8x24xf32, #npu.layout<Tensor>>
// RECORD-NEXT:    %a = npu.conv2d %present_1, %w : (tensor<1x6x4x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x6x4x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x6x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>>
// RECORD-NEXT:    func.return %a_1, %between : tensor<1x8x6x4xf32, #npu.layout<NCHW>>, tensor<1x8x24xf32, #npu.layout<Tensor>>
// RECORD-NEXT:  }
func.func @far(%x: tensor<1x8x4x6xf32, #npu.layout<NCWH>>, %t: tensor<1x8x24xf32, #npu.layout<Tensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x6x4xf32, #npu.layout<NCHW>>, tensor<1x8x24xf32, #npu.layout<Tensor>>) {
  %present = npu.transpose %x permutation = [0, 1, 3, 2] : (tensor<1x8x4x6xf32, #npu.layout<NCWH>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>>
  %between = npu.relu %t : tensor<1x8x24xf32, #npu.layout<Tensor>>
  %a = npu.conv2d %present, %w : (tensor<1x8x6x4xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>>
  return %a, %between : tensor<1x8x6x4xf32, #npu.layout<NCHW>>, tensor<1x8x24xf32, #npu.layout<Tensor>>
}

// -----

/// The same as between where the transpose means something: it swaps H and W.
// GREEDY-LABEL: func.func @meaning(
// GREEDY-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>> {
// GREEDY-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %present = npu.transpose %a permutation = [0, 3, 2, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>>
// GREEDY-NEXT:    %b = npu.relu %present : tensor<1x8x6x4xf32, #npu.layout<NCHW>>
// GREEDY-NEXT:    func.return %b : tensor<1x8x6x4xf32, #npu.layout<NCHW>>
// GREEDY-NEXT:  }
// RECORD-LABEL: func.func @meaning(
// RECORD-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>> {
// RECORD-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// RECORD-NEXT:    %present = npu.transpose %a_1 permutation = [0, 1, 3, 2] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>>
// RECORD-NEXT:    %present_1 = npu.transpose %present permutation = [0, 2, 3, 1] : (tensor<1x8x6x4xf32, #npu.layout<NCHW>>) -> tensor<1x6x4x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %b = npu.relu %present_1 : tensor<1x6x4x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %b_1 = npu.transpose %b permutation = [0, 3, 1, 2] : (tensor<1x6x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>>
// RECORD-NEXT:    func.return %b_1 : tensor<1x8x6x4xf32, #npu.layout<NCHW>>
// RECORD-NEXT:  }
func.func @meaning(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>> {
  %a = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %present = npu.transpose %a permutation = [0, 1, 3, 2] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>>
  %b = npu.relu %present : tensor<1x8x6x4xf32, #npu.layout<NCHW>>
  return %b : tensor<1x8x6x4xf32, #npu.layout<NCHW>>
}

// -----

/// The hardware's own transpose becomes a free one when it absorbs an order; here it is left with nothing to move.
// GREEDY-LABEL: func.func @fixed(
// GREEDY-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
// GREEDY-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %present = npu.transpose %a permutation = [0, 1, 2, 3] : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %b = npu.conv2d %present, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    func.return %b : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:  }
// RECORD-LABEL: func.func @fixed(
// RECORD-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
// RECORD-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// RECORD-NEXT:    %present = npu.nchw2nhwc %a_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %b = npu.conv2d %present, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    func.return %b : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:  }
func.func @fixed(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
  %a = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %present = npu.nchw2nhwc %a : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %b = npu.conv2d %present, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  return %b : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
}

// -----

/// A program that is placed already stays unchanged: record skips an argument that is read by a transpose to NHWC only, and a transpose that is read by outputs, by ops from CNN to Tensor or by transposes only.
// GREEDY-LABEL: func.func @placed(
// GREEDY-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x192xf32, #npu.layout<Tensor>>) {
// GREEDY-NEXT:    %in = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %a = npu.conv2d %in, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %out = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// GREEDY-NEXT:    %b = npu.tanh %a : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %flat = npu.transpose %b permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// GREEDY-NEXT:    %c = npu.reshape %flat : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
// GREEDY-NEXT:    func.return %out, %c : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x192xf32, #npu.layout<Tensor>>
// GREEDY-NEXT:  }
// RECORD-LABEL: func.func @placed(
// RECORD-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x192xf32, #npu.layout<Tensor>>) {
// RECORD-NEXT:    %in = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %a = npu.conv2d %in, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %out = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// RECORD-NEXT:    %b = npu.tanh %a : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %flat = npu.transpose %b permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// RECORD-NEXT:    %c = npu.reshape %flat : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
// RECORD-NEXT:    func.return %out, %c : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x192xf32, #npu.layout<Tensor>>
// RECORD-NEXT:  }
func.func @placed(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x192xf32, #npu.layout<Tensor>>) {
  %in = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %a = npu.conv2d %in, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %out = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %b = npu.tanh %a : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %flat = npu.transpose %b permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %c = npu.reshape %flat : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
  return %out, %c : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x192xf32, #npu.layout<Tensor>>
}

// -----

/// A transpose of Tensors is left alone.
// GREEDY-LABEL: func.func @tensors(
// GREEDY-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x24x8xf32, #npu.layout<Tensor>> {
// GREEDY-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// GREEDY-NEXT:    %b = npu.reshape %a_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// GREEDY-NEXT:    %present = npu.transpose %b permutation = [0, 2, 1] : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x24x8xf32, #npu.layout<Tensor>>
// GREEDY-NEXT:    func.return %present : tensor<1x24x8xf32, #npu.layout<Tensor>>
// GREEDY-NEXT:  }
// RECORD-LABEL: func.func @tensors(
// RECORD-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x24x8xf32, #npu.layout<Tensor>> {
// RECORD-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// RECORD-NEXT:    %b = npu.reshape %a_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// RECORD-NEXT:    %present = npu.transpose %b permutation = [0, 2, 1] : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x24x8xf32, #npu.layout<Tensor>>
// RECORD-NEXT:    func.return %present : tensor<1x24x8xf32, #npu.layout<Tensor>>
// RECORD-NEXT:  }
func.func @tensors(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x24x8xf32, #npu.layout<Tensor>> {
  %a = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %b = npu.reshape %a : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %present = npu.transpose %b permutation = [0, 2, 1] : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x24x8xf32, #npu.layout<Tensor>>
  return %present : tensor<1x24x8xf32, #npu.layout<Tensor>>
}
