// RUN: npu-opt %s --layout-preset --split-input-file | filecheck %s --check-prefix PLUS
// RUN: npu-opt %s --layout-preset --layout-preset --split-input-file | filecheck %s --check-prefix PLUS
// RUN: npu-opt %s --layout-preset="strategy=seed-plus" --split-input-file | filecheck %s --check-prefix SEED
// RUN: npu-opt %s --layout-preset="strategy=seed-plus" --layout-preset="strategy=seed-plus" --split-input-file | filecheck %s --check-prefix SEED

/// Both branches are NCHW. To join would re-order both of them and the sum, in three transposes; `regions-plus` leaves the two of `regions`.
// PLUS-LABEL: func.func @two_branches(
// PLUS-SAME:    %input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// PLUS-NEXT:    %input1_1 = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %conv = npu.conv2d %input1_1, %input2 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    %reshape1 = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    %add = npu.add %reshape1, %reshape2 : tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    func.return %add : tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:  }
// SEED-LABEL: func.func @two_branches(
// SEED-SAME:    %input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// SEED-NEXT:    %input1_1 = npu.transpose %input1 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// SEED-NEXT:    %input3_1 = npu.transpose %input3 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// SEED-NEXT:    %conv = npu.conv2d %input1_1, %input2 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// SEED-NEXT:    %reshape1 = npu.reshape %conv : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// SEED-NEXT:    %reshape2 = npu.reshape %input3_1 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// SEED-NEXT:    %add = npu.add %reshape1, %reshape2 : tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// SEED-NEXT:    %add_1 = npu.transpose %add permutation = [0, 2, 1] : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// SEED-NEXT:    func.return %add_1 : tensor<1x8x24xf32, #npu.layout<Tensor>>
// SEED-NEXT:  }
func.func @two_branches(%input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input2: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %input3: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32> {
  %conv = npu.conv2d %input1, %input2 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %reshape1 = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32>
  %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32>
  %add = npu.add %reshape1, %reshape2 : tensor<1x8x24xf32>
  return %add : tensor<1x8x24xf32>
}

// -----

/// A pool without a demand lies behind the tensors, and makes an image of them that is four times as large: it stays unchanged, for to re-order it would move more when it is returned.
// PLUS-LABEL: func.func @larger_behind(
// PLUS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x8x12xf32, #npu.layout<NCHW>> {
// PLUS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %w_1 = npu.reshape %w : (tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x1x8x8xf32, #npu.layout<HWOI>>
// PLUS-NEXT:    %a = npu.conv2d %x_1, %w_1 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %r1 = npu.reshape %a : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// PLUS-NEXT:    %t1 = npu.relu %r1 : tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// PLUS-NEXT:    %t1_1 = npu.transpose %t1 permutation = [0, 2, 1] : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    %r2 = npu.reshape %t1_1 : (tensor<1x8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    %u = npu.upsample %r2 factors = [2, 2] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x8x12xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    func.return %u : tensor<1x8x8x12xf32, #npu.layout<NCHW>>
// PLUS-NEXT:  }
// SEED-LABEL: func.func @larger_behind(
// SEED-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x8x12xf32, #npu.layout<NCHW>> {
// SEED-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// SEED-NEXT:    %w_1 = npu.reshape %w : (tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x1x8x8xf32, #npu.layout<HWOI>>
// SEED-NEXT:    %a = npu.conv2d %x_1, %w_1 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// SEED-NEXT:    %r1 = npu.reshape %a : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// SEED-NEXT:    %t1 = npu.relu %r1 : tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// SEED-NEXT:    %r2 = npu.reshape %t1 : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// SEED-NEXT:    %u = npu.upsample %r2 factors = [2, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x12x8xf32, #npu.layout<NHWC>>
// SEED-NEXT:    %u_1 = npu.transpose %u permutation = [0, 3, 1, 2] : (tensor<1x8x12x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x8x12xf32, #npu.layout<NCHW>>
// SEED-NEXT:    func.return %u_1 : tensor<1x8x8x12xf32, #npu.layout<NCHW>>
// SEED-NEXT:  }
func.func @larger_behind(%x: tensor<1x8x4x6xf32>, %w: tensor<8x8x1x1xf32>) -> tensor<1x8x8x12xf32> {
  %a = npu.conv2d %x, %w data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %r1 = npu.reshape %a : (tensor<1x8x4x6xf32>) -> tensor<1x8x24xf32>
  %t1 = npu.relu %r1 : tensor<1x8x24xf32>
  %r2 = npu.reshape %t1 : (tensor<1x8x24xf32>) -> tensor<1x8x4x6xf32>
  %u = npu.upsample %r2 factors = [2, 2] data_layout = <NCHW> : (tensor<1x8x4x6xf32>) -> tensor<1x8x8x12xf32>
  return %u : tensor<1x8x8x12xf32>
}

// -----

/// One decision for each function: what joins in one does not in the other.
// PLUS-LABEL: func.func @joins(
// PLUS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// PLUS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %w_1 = npu.reshape %w : (tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x1x8x8xf32, #npu.layout<HWOI>>
// PLUS-NEXT:    %a = npu.conv2d %x_1, %w_1 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %r1 = npu.reshape %a : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// PLUS-NEXT:    %t1 = npu.relu %r1 : tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// PLUS-NEXT:    %r2 = npu.reshape %t1 : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %b = npu.conv2d %r2, %w_1 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %b_1 = npu.transpose %b permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    func.return %b_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PLUS-NEXT:  }
// PLUS-LABEL: func.func @stays(
// PLUS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// PLUS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %w_1 = npu.reshape %w : (tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x1x8x8xf32, #npu.layout<HWOI>>
// PLUS-NEXT:    %a = npu.conv2d %x_1, %w_1 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    %r1 = npu.reshape %a_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    %r2 = npu.reshape %y : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    %b = npu.add %r1, %r2 : tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    func.return %b : tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:  }
// SEED-LABEL: func.func @joins(
// SEED-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// SEED-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// SEED-NEXT:    %w_1 = npu.reshape %w : (tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x1x8x8xf32, #npu.layout<HWOI>>
// SEED-NEXT:    %a = npu.conv2d %x_1, %w_1 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// SEED-NEXT:    %r1 = npu.reshape %a : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// SEED-NEXT:    %t1 = npu.relu %r1 : tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// SEED-NEXT:    %r2 = npu.reshape %t1 : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// SEED-NEXT:    %b = npu.conv2d %r2, %w_1 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// SEED-NEXT:    %b_1 = npu.transpose %b permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// SEED-NEXT:    func.return %b_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// SEED-NEXT:  }
// SEED-LABEL: func.func @stays(
// SEED-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// SEED-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// SEED-NEXT:    %y_1 = npu.transpose %y permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// SEED-NEXT:    %w_1 = npu.reshape %w : (tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x1x8x8xf32, #npu.layout<HWOI>>
// SEED-NEXT:    %a = npu.conv2d %x_1, %w_1 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// SEED-NEXT:    %r1 = npu.reshape %a : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// SEED-NEXT:    %r2 = npu.reshape %y_1 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// SEED-NEXT:    %b = npu.add %r1, %r2 : tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// SEED-NEXT:    %b_1 = npu.transpose %b permutation = [0, 2, 1] : (tensor<1x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// SEED-NEXT:    func.return %b_1 : tensor<1x8x24xf32, #npu.layout<Tensor>>
// SEED-NEXT:  }
func.func @joins(%x: tensor<1x8x4x6xf32>, %w: tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32> {
  %a = npu.conv2d %x, %w data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %r1 = npu.reshape %a : (tensor<1x8x4x6xf32>) -> tensor<1x8x24xf32>
  %t1 = npu.relu %r1 : tensor<1x8x24xf32>
  %r2 = npu.reshape %t1 : (tensor<1x8x24xf32>) -> tensor<1x8x4x6xf32>
  %b = npu.conv2d %r2, %w data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  return %b : tensor<1x8x4x6xf32>
}
func.func @stays(%x: tensor<1x8x4x6xf32>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32>) -> tensor<1x8x24xf32> {
  %a = npu.conv2d %x, %w data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %r1 = npu.reshape %a : (tensor<1x8x4x6xf32>) -> tensor<1x8x24xf32>
  %r2 = npu.reshape %y : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32>
  %b = npu.add %r1, %r2 : tensor<1x8x24xf32>
  return %b : tensor<1x8x24xf32>
}

// -----

/// A region of tensors that reads an image and a row joins neither, though both would be re-ordered alike.
// PLUS-LABEL: func.func @image_and_row(
// PLUS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %z: tensor<1x8x24xf32, #npu.layout<NCW>>, %v: tensor<1x8x8xf32, #npu.layout<WOI>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// PLUS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %z_1 = npu.transpose %z permutation = [0, 2, 1] : (tensor<1x8x24xf32, #npu.layout<NCW>>) -> tensor<1x24x8xf32, #npu.layout<NWC>>
// PLUS-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    %b = npu.conv1d %z_1, %v : (tensor<1x24x8xf32, #npu.layout<NWC>>, tensor<1x8x8xf32, #npu.layout<WOI>>) -> tensor<1x24x8xf32, #npu.layout<NWC>>
// PLUS-NEXT:    %b_1 = npu.transpose %b permutation = [0, 2, 1] : (tensor<1x24x8xf32, #npu.layout<NWC>>) -> tensor<1x8x24xf32, #npu.layout<NCW>>
// PLUS-NEXT:    %r = npu.reshape %a_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    %s = npu.relabel %b_1 : (tensor<1x8x24xf32, #npu.layout<NCW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    %y = npu.add %r, %s : tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    func.return %y : tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:  }
// SEED-LABEL: func.func @image_and_row(
// SEED-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %z: tensor<1x8x24xf32, #npu.layout<NCW>>, %v: tensor<1x8x8xf32, #npu.layout<WOI>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// SEED-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// SEED-NEXT:    %z_1 = npu.transpose %z permutation = [0, 2, 1] : (tensor<1x8x24xf32, #npu.layout<NCW>>) -> tensor<1x24x8xf32, #npu.layout<NWC>>
// SEED-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// SEED-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// SEED-NEXT:    %b = npu.conv1d %z_1, %v : (tensor<1x24x8xf32, #npu.layout<NWC>>, tensor<1x8x8xf32, #npu.layout<WOI>>) -> tensor<1x24x8xf32, #npu.layout<NWC>>
// SEED-NEXT:    %b_1 = npu.transpose %b permutation = [0, 2, 1] : (tensor<1x24x8xf32, #npu.layout<NWC>>) -> tensor<1x8x24xf32, #npu.layout<NCW>>
// SEED-NEXT:    %r = npu.reshape %a_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// SEED-NEXT:    %s = npu.relabel %b_1 : (tensor<1x8x24xf32, #npu.layout<NCW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// SEED-NEXT:    %y = npu.add %r, %s : tensor<1x8x24xf32, #npu.layout<Tensor>>
// SEED-NEXT:    func.return %y : tensor<1x8x24xf32, #npu.layout<Tensor>>
// SEED-NEXT:  }
func.func @image_and_row(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %z: tensor<1x8x24xf32, #npu.layout<NCW>>, %v: tensor<1x8x8xf32, #npu.layout<WOI>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
  %a = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %b = npu.conv1d %z, %v : (tensor<1x8x24xf32, #npu.layout<NCW>>, tensor<1x8x8xf32, #npu.layout<WOI>>) -> tensor<1x8x24xf32, #npu.layout<NCW>>
  %r = npu.reshape %a : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %s = npu.relabel %b : (tensor<1x8x24xf32, #npu.layout<NCW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %y = npu.add %r, %s : tensor<1x8x24xf32, #npu.layout<Tensor>>
  return %y : tensor<1x8x24xf32, #npu.layout<Tensor>>
}

// -----

/// Moves of axes of one element cost nothing: %v is re-ordered with the kernel that it reads.
// PLUS-LABEL: func.func @unit_axes(
// PLUS-SAME:    %x: tensor<1x8x4x4xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>, %z: tensor<8x8x1x1xf32, #npu.layout<NCHW>>) -> (tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<NCHW>>) {
// PLUS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %w_1 = npu.reshape %w : (tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x1x8x8xf32, #npu.layout<HWOI>>
// PLUS-NEXT:    %w_2 = npu.reshape %w : (tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<8x1x1x8xf32, #npu.layout<OHWI>>
// PLUS-NEXT:    %z_1 = npu.reshape %z : (tensor<8x8x1x1xf32, #npu.layout<NCHW>>) -> tensor<8x1x1x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %a = npu.conv2d %x_1, %w_1 : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %r = npu.relabel %w_2 : (tensor<8x1x1x8xf32, #npu.layout<OHWI>>) -> tensor<8x1x1x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %v = npu.add %z_1, %r : tensor<8x1x1x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    %v_1 = npu.reshape %v : (tensor<8x1x1x8xf32, #npu.layout<NHWC>>) -> tensor<8x8x1x1xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    func.return %a_1, %v_1 : tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<NCHW>>
// PLUS-NEXT:  }
func.func @unit_axes(%x: tensor<1x8x4x4xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>, %z: tensor<8x8x1x1xf32, #npu.layout<NCHW>>) -> (tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<NCHW>>) {
  %a = npu.conv2d %x, %w : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %r = npu.relabel %w : (tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<8x8x1x1xf32, #npu.layout<NCHW>>
  %v = npu.add %z, %r : tensor<8x8x1x1xf32, #npu.layout<NCHW>>
  return %a, %v : tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<NCHW>>
}

// -----

/// A pool of a constant is re-ordered with the tensors behind it: the order of a constant costs nothing, also behind a transpose. The two branches stay unchanged.
// PLUS-LABEL: func.func @reordered_constant(
// PLUS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %z: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> (tensor<1x8x2x3xf32, #npu.layout<NCHW>>, tensor<1x8x24xf32, #npu.layout<Tensor>>) {
// PLUS-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %c = npu.constant #npu.reference<"weights.safetensors", "c"> : tensor<1x8x6x4xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    %t = npu.transpose %c permutation = [0, 1, 3, 2] : (tensor<1x8x6x4xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    %t_1 = npu.transpose %t permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %p = npu.max_pool %t_1 window = [2, 2] strides = [2, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x2x3x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %r1 = npu.reshape %p : (tensor<1x2x3x8xf32, #npu.layout<NHWC>>) -> tensor<1x6x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// PLUS-NEXT:    %t1 = npu.relu %r1 : tensor<1x6x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// PLUS-NEXT:    %r2 = npu.reshape %t1 : (tensor<1x6x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x2x3x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %a = npu.conv2d %r2, %w : (tensor<1x2x3x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x2x3x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %b = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PLUS-NEXT:    %b_1 = npu.transpose %b permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    %r3 = npu.reshape %b_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    %r4 = npu.reshape %z : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    %y = npu.add %r3, %r4 : tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x2x3x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x2x3xf32, #npu.layout<NCHW>>
// PLUS-NEXT:    func.return %a_1, %y : tensor<1x8x2x3xf32, #npu.layout<NCHW>>, tensor<1x8x24xf32, #npu.layout<Tensor>>
// PLUS-NEXT:  }
func.func @reordered_constant(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>, %z: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> (tensor<1x8x2x3xf32, #npu.layout<NCHW>>, tensor<1x8x24xf32>) {
  %c = npu.constant #npu.reference<"weights.safetensors", "c"> : tensor<1x8x6x4xf32, #npu.layout<NCHW>>
  %t = npu.transpose %c permutation = [0, 1, 3, 2] : (tensor<1x8x6x4xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %p = npu.max_pool %t window = [2, 2] strides = [2, 2] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x2x3xf32, #npu.layout<NCHW>>
  %r1 = npu.reshape %p : (tensor<1x8x2x3xf32, #npu.layout<NCHW>>) -> tensor<1x8x6xf32>
  %t1 = npu.relu %r1 : tensor<1x8x6xf32>
  %r2 = npu.reshape %t1 : (tensor<1x8x6xf32>) -> tensor<1x8x2x3xf32, #npu.layout<NCHW>>
  %a = npu.conv2d %r2, %w : (tensor<1x8x2x3xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x2x3xf32, #npu.layout<NCHW>>
  %b = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %r3 = npu.reshape %b : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32>
  %r4 = npu.reshape %z : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32>
  %y = npu.add %r3, %r4 : tensor<1x8x24xf32>
  return %a, %y : tensor<1x8x2x3xf32, #npu.layout<NCHW>>, tensor<1x8x24xf32>
}
