// RUN: npu-opt %s --layout-preset-npu="strategy=greedy" --split-input-file | filecheck %s --check-prefix GREEDY
// RUN: npu-opt %s --layout-preset-npu --split-input-file | filecheck %s --check-prefix GREEDY
// RUN: npu-opt %s --layout-preset-npu="strategy=record" --split-input-file | filecheck %s --check-prefix RECORD

/// Seed layout-preset-to-npu, 第二种情况（CNN->Tensor）, the figures: greedy transposes in front of conv2d and in front of reshape1, which gets back what it read before. Record re-orders input3 too and gives it back, with 4.
// GREEDY-LABEL: func.func @joined(
// GREEDY-SAME:    %input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// GREEDY-NEXT:    %input1_1 = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %conv = npu.conv2d %input1_1, %input2 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// GREEDY-NEXT:    %reshape1 = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// GREEDY-NEXT:    %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// GREEDY-NEXT:    %add = npu.add %reshape1, %reshape2 : tensor<1x8x24xf32, #npu.layout<Tensor>>
// GREEDY-NEXT:    func.return %add : tensor<1x8x24xf32, #npu.layout<Tensor>>
// GREEDY-NEXT:  }
// RECORD-LABEL: func.func @joined(
// RECORD-SAME:    %input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// RECORD-NEXT:    %input1_1 = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %input3_1 = npu.transpose %input3 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %conv = npu.conv2d %input1_1, %input2 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// RECORD-NEXT:    %reshape1 = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// RECORD-NEXT:    %input3_2 = npu.transpose %input3_1 permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// RECORD-NEXT:    %reshape2 = npu.reshape %input3_2 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// RECORD-NEXT:    %add = npu.add %reshape1, %reshape2 : tensor<1x8x24xf32, #npu.layout<Tensor>>
// RECORD-NEXT:    func.return %add : tensor<1x8x24xf32, #npu.layout<Tensor>>
// RECORD-NEXT:  }
func.func @joined(%input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
  %conv = npu.conv2d %input1, %input2 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %reshape1 = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %add = npu.add %reshape1, %reshape2 : tensor<1x8x24xf32, #npu.layout<Tensor>>
  return %add : tensor<1x8x24xf32, #npu.layout<Tensor>>
}

// -----

/// The two branches flattened: 2 and 4 as well.
// GREEDY-LABEL: func.func @flattened(
// GREEDY-SAME:    %input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>> {
// GREEDY-NEXT:    %input1_1 = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %conv = npu.conv2d %input1_1, %input2 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// GREEDY-NEXT:    %reshape1 = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
// GREEDY-NEXT:    %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
// GREEDY-NEXT:    %add = npu.add %reshape1, %reshape2 : tensor<1x192xf32, #npu.layout<Tensor>>
// GREEDY-NEXT:    func.return %add : tensor<1x192xf32, #npu.layout<Tensor>>
// GREEDY-NEXT:  }
// RECORD-LABEL: func.func @flattened(
// RECORD-SAME:    %input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>> {
// RECORD-NEXT:    %input1_1 = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %input3_1 = npu.transpose %input3 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %conv = npu.conv2d %input1_1, %input2 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// RECORD-NEXT:    %reshape1 = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
// RECORD-NEXT:    %input3_2 = npu.transpose %input3_1 permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// RECORD-NEXT:    %reshape2 = npu.reshape %input3_2 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
// RECORD-NEXT:    %add = npu.add %reshape1, %reshape2 : tensor<1x192xf32, #npu.layout<Tensor>>
// RECORD-NEXT:    func.return %add : tensor<1x192xf32, #npu.layout<Tensor>>
// RECORD-NEXT:  }
func.func @flattened(%input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>> {
  %conv = npu.conv2d %input1, %input2 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %reshape1 = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
  %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
  %add = npu.add %reshape1, %reshape2 : tensor<1x192xf32, #npu.layout<Tensor>>
  return %add : tensor<1x192xf32, #npu.layout<Tensor>>
}

// -----

/// If input3 is a Tensor, record does not convert it: 2 each.
// GREEDY-LABEL: func.func @tensor_input(
// GREEDY-SAME:    %input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// GREEDY-NEXT:    %input1_1 = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %conv = npu.conv2d %input1_1, %input2 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// GREEDY-NEXT:    %reshape1 = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// GREEDY-NEXT:    %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// GREEDY-NEXT:    %add = npu.add %reshape1, %reshape2 : tensor<1x8x24xf32, #npu.layout<Tensor>>
// GREEDY-NEXT:    func.return %add : tensor<1x8x24xf32, #npu.layout<Tensor>>
// GREEDY-NEXT:  }
// RECORD-LABEL: func.func @tensor_input(
// RECORD-SAME:    %input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// RECORD-NEXT:    %input1_1 = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %conv = npu.conv2d %input1_1, %input2 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// RECORD-NEXT:    %reshape1 = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// RECORD-NEXT:    %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// RECORD-NEXT:    %add = npu.add %reshape1, %reshape2 : tensor<1x8x24xf32, #npu.layout<Tensor>>
// RECORD-NEXT:    func.return %add : tensor<1x8x24xf32, #npu.layout<Tensor>>
// RECORD-NEXT:  }
func.func @tensor_input(%input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
  %conv = npu.conv2d %input1, %input2 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %reshape1 = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %add = npu.add %reshape1, %reshape2 : tensor<1x8x24xf32, #npu.layout<Tensor>>
  return %add : tensor<1x8x24xf32, #npu.layout<Tensor>>
}

// -----

/// From the graph as it was exported to the placed one in one command: input3 is a Tensor by default.
// GREEDY-LABEL: func.func @exported(
// GREEDY-SAME:    %input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// GREEDY-NEXT:    %input1_1 = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %conv = npu.conv2d %input1_1, %input2 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// GREEDY-NEXT:    %reshape1 = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// GREEDY-NEXT:    %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// GREEDY-NEXT:    %add = npu.add %reshape1, %reshape2 : tensor<1x8x24xf32, #npu.layout<Tensor>>
// GREEDY-NEXT:    func.return %add : tensor<1x8x24xf32, #npu.layout<Tensor>>
// GREEDY-NEXT:  }
// RECORD-LABEL: func.func @exported(
// RECORD-SAME:    %input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// RECORD-NEXT:    %input1_1 = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %conv = npu.conv2d %input1_1, %input2 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// RECORD-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// RECORD-NEXT:    %reshape1 = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// RECORD-NEXT:    %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// RECORD-NEXT:    %add = npu.add %reshape1, %reshape2 : tensor<1x8x24xf32, #npu.layout<Tensor>>
// RECORD-NEXT:    func.return %add : tensor<1x8x24xf32, #npu.layout<Tensor>>
// RECORD-NEXT:  }
func.func @exported(%input1: tensor<1x8x4x6xf32>, %input2: tensor<1x1x8x8xf32>, %input3: tensor<1x8x4x6xf32>) -> tensor<1x8x24xf32> {
  %conv = npu.conv2d %input1, %input2 data_layout = <NCHW> kernel_layout = <HWOI> : (tensor<1x8x4x6xf32>, tensor<1x1x8x8xf32>) -> tensor<1x8x4x6xf32>
  %reshape1 = npu.reshape %conv : (tensor<1x8x4x6xf32>) -> tensor<1x8x24xf32>
  %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32>) -> tensor<1x8x24xf32>
  %add = npu.add %reshape1, %reshape2 : tensor<1x8x24xf32>
  return %add : tensor<1x8x24xf32>
}
