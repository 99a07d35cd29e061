// RUN: npu-opt %s --layout-preset-npu="strategy=greedy" --split-input-file | filecheck %s --check-prefix GREEDY
// RUN: npu-opt %s --layout-preset-npu="strategy=greedy" --layout-preset-npu="strategy=greedy" --split-input-file | filecheck %s --check-prefix GREEDY
// RUN: npu-opt %s --layout-preset-npu="strategy=record" --split-input-file | filecheck %s --check-prefix RECORD
// RUN: npu-opt %s --layout-preset-npu="strategy=record" --layout-preset-npu="strategy=record" --split-input-file | filecheck %s --check-prefix RECORD

/// Seed layout-preset-to-npu, input到output路径中不存在有特殊需求的算子: greedy asks each op for its demand and inserts nothing. Record does not ask (存在的问题 1).
// GREEDY-LABEL: func.func @path(
// GREEDY-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// GREEDY-NEXT:    %a = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// GREEDY-NEXT:    %b = npu.max_pool %a window = [1, 1] : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// GREEDY-NEXT:    func.return %b : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// GREEDY-NEXT:  }
// RECORD-LABEL: func.func @path(
// RECORD-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// RECORD-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %a = npu.relu %x_1 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %b = npu.max_pool %a window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %b_1 = npu.transpose %b permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// RECORD-NEXT:    func.return %b_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// RECORD-NEXT:  }
func.func @path(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %a = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %b = npu.max_pool %a window = [1, 1] : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %b : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// The same path beside one with a convolution.
// GREEDY-LABEL: func.func @beside(
// GREEDY-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
// GREEDY-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %a = npu.relu %y : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// GREEDY-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// GREEDY-NEXT:    func.return %conv_1, %a : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// GREEDY-NEXT:  }
// RECORD-LABEL: func.func @beside(
// RECORD-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
// RECORD-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %y_1 = npu.transpose %y permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %a = npu.relu %y_1 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// RECORD-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// RECORD-NEXT:    func.return %conv_1, %a_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// RECORD-NEXT:  }
func.func @beside(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %a = npu.relu %y : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %conv, %a : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// A graph of Tensors is left alone by both.
// GREEDY-LABEL: func.func @tensors(
// GREEDY-SAME:    %x: tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// GREEDY-NEXT:    %a = npu.relu %x : tensor<1x8x24xf32, #npu.layout<Tensor>>
// GREEDY-NEXT:    func.return %a : tensor<1x8x24xf32, #npu.layout<Tensor>>
// GREEDY-NEXT:  }
// RECORD-LABEL: func.func @tensors(
// RECORD-SAME:    %x: tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// RECORD-NEXT:    %a = npu.relu %x : tensor<1x8x24xf32, #npu.layout<Tensor>>
// RECORD-NEXT:    func.return %a : tensor<1x8x24xf32, #npu.layout<Tensor>>
// RECORD-NEXT:  }
func.func @tensors(%x: tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
  %a = npu.relu %x : tensor<1x8x24xf32, #npu.layout<Tensor>>
  return %a : tensor<1x8x24xf32, #npu.layout<Tensor>>
}
