// RUN: npu-opt %s --layout-preset-npu="strategy=greedy" --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset-npu="strategy=greedy" --layout-preset-npu="strategy=greedy" --split-input-file | filecheck %s

/// Seed layout-preset-to-npu, V_VV: the operands come from different directions. The one from the convolution has the target's order, so the other follows it.
// CHECK-LABEL: func.func @v_vv(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %other = npu.relu %y : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %other_1 = npu.transpose %other permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %sum = npu.add %other_1, %conv : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %sum_1 = npu.transpose %sum permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %sum_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @v_vv(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %other = npu.relu %y : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %sum = npu.add %other, %conv : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %sum : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Seed layout-preset-to-npu, V_VV: operands that agree need nothing.
// CHECK-LABEL: func.func @v_vv_agree(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y_1 = npu.transpose %y permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b = npu.conv2d %y_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %sum = npu.add %a, %b : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %diff = npu.sub %x, %y : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %sum_1 = npu.transpose %sum permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %sum_1, %diff : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @v_vv_agree(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
  %a = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %b = npu.conv2d %y, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %sum = npu.add %a, %b : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %diff = npu.sub %x, %y : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %sum, %diff : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Seed layout-preset-to-npu, V_VV: the operand in the target's order follows the others if they are more bytes.
// CHECK-LABEL: func.func @v_vv_three(
// CHECK-SAME:    %x: tensor<1x8x4x1xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x1xf32, #npu.layout<NCHW>>) -> tensor<1x4x1x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x1x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x1x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %mask = npu.less %y, %y : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xi1, #npu.layout<NCHW>>
// CHECK-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x1x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x1xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %sel = npu.select %mask, %y, %conv_1 : (tensor<1x8x4x6xi1, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x1xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %sel : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @v_vv_three(%x: tensor<1x8x4x1xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x1xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x1xf32, #npu.layout<NCHW>>
  %mask = npu.less %y, %y : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xi1, #npu.layout<NCHW>>
  %sel = npu.select %mask, %y, %conv : (tensor<1x8x4x6xi1, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x1xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %sel : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Seed layout-preset-to-npu, V_VV: after the relabel neither operand has the target's order, so the operand of more bytes, %y, is not transposed.
// CHECK-LABEL: func.func @larger_follows(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<2x8x4x6xf32, #npu.layout<NHCW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<2x8x4x6xf32, #npu.layout<NHCW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %renamed = npu.relabel %conv : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NCWH>>
// CHECK-NEXT:    %renamed_1 = npu.transpose %renamed permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NCWH>>) -> tensor<1x8x4x6xf32, #npu.layout<NHCW>>
// CHECK-NEXT:    %sum = npu.add %renamed_1, %y : (tensor<1x8x4x6xf32, #npu.layout<NHCW>>, tensor<2x8x4x6xf32, #npu.layout<NHCW>>) -> tensor<2x8x4x6xf32, #npu.layout<NHCW>>
// CHECK-NEXT:    func.return %sum : tensor<2x8x4x6xf32, #npu.layout<NHCW>>
// CHECK-NEXT:  }
func.func @larger_follows(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<2x8x4x6xf32, #npu.layout<NHCW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<2x8x4x6xf32, #npu.layout<NHCW>> {
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %renamed = npu.relabel %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NHCW>>
  %sum = npu.add %renamed, %y : (tensor<1x8x4x6xf32, #npu.layout<NHCW>>, tensor<2x8x4x6xf32, #npu.layout<NHCW>>) -> tensor<2x8x4x6xf32, #npu.layout<NHCW>>
  return %sum : tensor<2x8x4x6xf32, #npu.layout<NHCW>>
}

// -----

/// Seed layout-preset-to-npu, V_VV: and here that of %renamed, so the other follows.
// CHECK-LABEL: func.func @smaller_follows(
// CHECK-SAME:    %x: tensor<2x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x6xf32, #npu.layout<NHCW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<2x8x4x6xf32, #npu.layout<NHCW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<2x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<2x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<2x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %renamed = npu.relabel %conv : (tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x4x6x8xf32, #npu.layout<NCWH>>
// CHECK-NEXT:    %y_1 = npu.transpose %y permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NHCW>>) -> tensor<1x4x6x8xf32, #npu.layout<NCWH>>
// CHECK-NEXT:    %sum = npu.add %renamed, %y_1 : (tensor<2x4x6x8xf32, #npu.layout<NCWH>>, tensor<1x4x6x8xf32, #npu.layout<NCWH>>) -> tensor<2x4x6x8xf32, #npu.layout<NCWH>>
// CHECK-NEXT:    %sum_1 = npu.transpose %sum permutation = [0, 3, 1, 2] : (tensor<2x4x6x8xf32, #npu.layout<NCWH>>) -> tensor<2x8x4x6xf32, #npu.layout<NHCW>>
// CHECK-NEXT:    func.return %sum_1 : tensor<2x8x4x6xf32, #npu.layout<NHCW>>
// CHECK-NEXT:  }
func.func @smaller_follows(%x: tensor<2x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x6xf32, #npu.layout<NHCW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<2x8x4x6xf32, #npu.layout<NHCW>> {
  %conv = npu.conv2d %x, %w : (tensor<2x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<2x8x4x6xf32, #npu.layout<NCHW>>
  %renamed = npu.relabel %conv : (tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<2x8x4x6xf32, #npu.layout<NHCW>>
  %sum = npu.add %renamed, %y : (tensor<2x8x4x6xf32, #npu.layout<NHCW>>, tensor<1x8x4x6xf32, #npu.layout<NHCW>>) -> tensor<2x8x4x6xf32, #npu.layout<NHCW>>
  return %sum : tensor<2x8x4x6xf32, #npu.layout<NHCW>>
}

// -----

/// An operand of one element is left unchanged while the others follow.
// CHECK-LABEL: func.func @v_vv_one(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %one: tensor<1x1x1x1xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %mask = npu.less %y, %y : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xi1, #npu.layout<NCHW>>
// CHECK-NEXT:    %mask_1 = npu.transpose %mask permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xi1, #npu.layout<NCHW>>) -> tensor<1x4x6x8xi1, #npu.layout<NHWC>>
// CHECK-NEXT:    %sel = npu.select %mask_1, %conv, %one : (tensor<1x4x6x8xi1, #npu.layout<NHWC>>, tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %sel_1 = npu.transpose %sel permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %sel_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @v_vv_one(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %one: tensor<1x1x1x1xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %mask = npu.less %y, %y : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xi1, #npu.layout<NCHW>>
  %sel = npu.select %mask, %conv, %one : (tensor<1x8x4x6xi1, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %sel : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Nor does it lead them to the target's order, which it happens to have: the larger sum of bytes is that of %renamed.
// CHECK-LABEL: func.func @v_vv_one_leads_nobody(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x6xf32, #npu.layout<NHCW>>, %one: tensor<1x1x1x1xf32, #npu.layout<NHWC>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NHCW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %renamed = npu.relabel %conv : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NCWH>>
// CHECK-NEXT:    %mask = npu.less %y, %y : (tensor<1x8x4x6xf32, #npu.layout<NHCW>>, tensor<1x8x4x6xf32, #npu.layout<NHCW>>) -> tensor<1x8x4x6xi1, #npu.layout<NHCW>>
// CHECK-NEXT:    %mask_1 = npu.transpose %mask permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xi1, #npu.layout<NHCW>>) -> tensor<1x4x6x8xi1, #npu.layout<NCWH>>
// CHECK-NEXT:    %sel = npu.select %mask_1, %renamed, %one : (tensor<1x4x6x8xi1, #npu.layout<NCWH>>, tensor<1x4x6x8xf32, #npu.layout<NCWH>>, tensor<1x1x1x1xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NCWH>>
// CHECK-NEXT:    %sel_1 = npu.transpose %sel permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NCWH>>) -> tensor<1x8x4x6xf32, #npu.layout<NHCW>>
// CHECK-NEXT:    func.return %sel_1 : tensor<1x8x4x6xf32, #npu.layout<NHCW>>
// CHECK-NEXT:  }
func.func @v_vv_one_leads_nobody(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x6xf32, #npu.layout<NHCW>>, %one: tensor<1x1x1x1xf32, #npu.layout<NHWC>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NHCW>> {
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %renamed = npu.relabel %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NHCW>>
  %mask = npu.less %y, %y : (tensor<1x8x4x6xf32, #npu.layout<NHCW>>, tensor<1x8x4x6xf32, #npu.layout<NHCW>>) -> tensor<1x8x4x6xi1, #npu.layout<NHCW>>
  %sel = npu.select %mask, %renamed, %one : (tensor<1x8x4x6xi1, #npu.layout<NHCW>>, tensor<1x8x4x6xf32, #npu.layout<NHCW>>, tensor<1x1x1x1xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NHCW>>
  return %sel : tensor<1x8x4x6xf32, #npu.layout<NHCW>>
}

// -----

/// Seed layout-preset-to-npu, V_VS: S has one element, so it needs nothing.
// CHECK-LABEL: func.func @v_vs_one(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %s: tensor<1x1x1x1xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %mul = npu.mul %conv, %s : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %mul_1 = npu.transpose %mul permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %mul_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @v_vs_one(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %s: tensor<1x1x1x1xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %mul = npu.mul %conv, %s : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %mul : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Seed layout-preset-to-npu, 若V和S均为CNN的layout，需要将layout对齐: S follows V.
// CHECK-LABEL: func.func @v_vs_cnn(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %s: tensor<1x8x4x1xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %s_1 = npu.transpose %s permutation = [0, 2, 3, 1] : (tensor<1x8x4x1xf32, #npu.layout<NCHW>>) -> tensor<1x4x1x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %mul = npu.mul %conv, %s_1 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x4x1x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %mul_1 = npu.transpose %mul permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %mul_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @v_vs_cnn(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %s: tensor<1x8x4x1xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %mul = npu.mul %conv, %s : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x1xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %mul : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Seed layout-preset-to-npu, 若V和S均为CNN的layout，需要将layout对齐: with one number per channel only axes of one element move, so the conversion is a reshape.
// CHECK-LABEL: func.func @v_vs_channel(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %s: tensor<1x8x1x1xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %s_1 = npu.reshape %s : (tensor<1x8x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x1x1x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %mul = npu.mul %conv, %s_1 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x1x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %mul_1 = npu.transpose %mul permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %mul_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @v_vs_channel(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %s: tensor<1x8x1x1xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %mul = npu.mul %conv, %s : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %mul : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Seed layout-preset-to-npu, 若V和S均为CNN的layout，需要将layout对齐: where S has the target's order, it follows V, which is more bytes.
// CHECK-LABEL: func.func @s_with_target(
// CHECK-SAME:    %x: tensor<1x8x4x1xf32, #npu.layout<NCHW>>, %v: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x1xf32, #npu.layout<NCHW>>) -> tensor<1x4x1x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %s = npu.conv2d %x_1, %w : (tensor<1x4x1x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x1x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %s_1 = npu.transpose %s permutation = [0, 3, 1, 2] : (tensor<1x4x1x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x1xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %mul = npu.mul %v, %s_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x1xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %mul : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @s_with_target(%x: tensor<1x8x4x1xf32, #npu.layout<NCHW>>, %v: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %s = npu.conv2d %x, %w : (tensor<1x8x4x1xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x1xf32, #npu.layout<NCHW>>
  %mul = npu.mul %v, %s : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x1xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %mul : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Seed layout-preset-to-npu, 若V和S均为CNN的layout，需要将layout对齐: the gate of squeeze-and-excite on a path in NCHW moves nothing.
// CHECK-LABEL: func.func @gate(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %pool = npu.global_avg_pool %x : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x1x1xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %pool_1 = npu.reshape %pool : (tensor<1x8x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x1x1x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %pool_1, %w : (tensor<1x1x1x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x1x1x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %gate = npu.sigmoid %conv : tensor<1x1x1x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %gate_1 = npu.reshape %gate : (tensor<1x1x1x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x1x1xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %mul = npu.mul %x, %gate_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %mul : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @gate(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %pool = npu.global_avg_pool %x : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x1x1xf32, #npu.layout<NCHW>>
  %conv = npu.conv2d %pool, %w : (tensor<1x8x1x1xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x1x1xf32, #npu.layout<NCHW>>
  %gate = npu.sigmoid %conv : tensor<1x8x1x1xf32, #npu.layout<NCHW>>
  %mul = npu.mul %x, %gate : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %mul : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Seed layout-preset-to-npu, 若V和S均为Tensor的layout，不需要处理.
// CHECK-LABEL: func.func @v_vs_tensor(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %s: tensor<1x8x1xf32, #npu.layout<Tensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %v = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %mul = npu.mul %v, %s : (tensor<1x8x24xf32, #npu.layout<Tensor>>, tensor<1x8x1xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %mul : tensor<1x8x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @v_vs_tensor(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %s: tensor<1x8x1xf32, #npu.layout<Tensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %v = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %mul = npu.mul %v, %s : (tensor<1x8x24xf32, #npu.layout<Tensor>>, tensor<1x8x1xf32, #npu.layout<Tensor>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  return %mul : tensor<1x8x24xf32, #npu.layout<Tensor>>
}

// -----

/// Seed layout-preset-to-npu, 若V为CNN类，S为Tensor类: S is read in the axes that V had, through the relabel, and follows V. The transpose is between relabel and op.
// CHECK-LABEL: func.func @v_cnn_s_tensor(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %s: tensor<1x8x4x1xf32, #npu.layout<Tensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %named = npu.relabel %s : (tensor<1x8x4x1xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x1xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %named_1 = npu.transpose %named permutation = [0, 2, 3, 1] : (tensor<1x8x4x1xf32, #npu.layout<NCHW>>) -> tensor<1x4x1x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %mul = npu.mul %conv, %named_1 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x4x1x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %mul_1 = npu.transpose %mul permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %mul_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @v_cnn_s_tensor(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %s: tensor<1x8x4x1xf32, #npu.layout<Tensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %named = npu.relabel %s : (tensor<1x8x4x1xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x1xf32, #npu.layout<NCHW>>
  %mul = npu.mul %conv, %named : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x1xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %mul : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// The other way around, V Tensor and S CNN: S returns to its original order in front of the relabel, so that no Tensor is re-ordered.
// CHECK-LABEL: func.func @v_tensor_s_cnn(
// CHECK-SAME:    %x: tensor<1x8x4x1xf32, #npu.layout<NCHW>>, %v: tensor<1x8x4x6xf32, #npu.layout<Tensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x1xf32, #npu.layout<NCHW>>) -> tensor<1x4x1x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %s = npu.conv2d %x_1, %w : (tensor<1x4x1x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x1x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %s_1 = npu.transpose %s permutation = [0, 3, 1, 2] : (tensor<1x4x1x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x1xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %plain = npu.relabel %s_1 : (tensor<1x8x4x1xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x1xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %mul = npu.mul %v, %plain : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>, tensor<1x8x4x1xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %mul : tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @v_tensor_s_cnn(%x: tensor<1x8x4x1xf32, #npu.layout<NCHW>>, %v: tensor<1x8x4x6xf32, #npu.layout<Tensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<Tensor>> {
  %s = npu.conv2d %x, %w : (tensor<1x8x4x1xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x1xf32, #npu.layout<NCHW>>
  %plain = npu.relabel %s : (tensor<1x8x4x1xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x1xf32, #npu.layout<Tensor>>
  %mul = npu.mul %v, %plain : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>, tensor<1x8x4x1xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<Tensor>>
  return %mul : tensor<1x8x4x6xf32, #npu.layout<Tensor>>
}

// -----

/// A value that three ops demand in NHWC is transposed once, in front of the first.
// CHECK-LABEL: func.func @three_users(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x3xf32, #npu.layout<NCHW>>, tensor<1x8x2x6xf32, #npu.layout<NCHW>>) {
// CHECK-NEXT:    %first = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b = npu.conv2d %x_1, %w strides = [1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x3x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %c = npu.conv2d %x_1, %w strides = [2, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x2x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %b_1 = npu.transpose %b permutation = [0, 3, 1, 2] : (tensor<1x4x3x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x3xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %c_1 = npu.transpose %c permutation = [0, 3, 1, 2] : (tensor<1x2x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x2x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %first, %a_1, %b_1, %c_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x3xf32, #npu.layout<NCHW>>, tensor<1x8x2x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @three_users(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x3xf32, #npu.layout<NCHW>>, tensor<1x8x2x6xf32, #npu.layout<NCHW>>) {
  %first = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %a = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %b = npu.conv2d %x, %w strides = [1, 2] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x3xf32, #npu.layout<NCHW>>
  %c = npu.conv2d %x, %w strides = [2, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x2x6xf32, #npu.layout<NCHW>>
  return %first, %a, %b, %c : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x3xf32, #npu.layout<NCHW>>, tensor<1x8x2x6xf32, #npu.layout<NCHW>>
}

// -----

/// Seed layout-preset-to-npu, 单输入Op的处理: an op with one input follows it, and its attributes follow the axes.
// CHECK-LABEL: func.func @single_input(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x4x5xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.softmax %conv axis = 3 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b = npu.slice %a starts = [0, 0, 1, 2] limits = [1, 4, 6, 6] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x5x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b_1 = npu.transpose %b permutation = [0, 3, 1, 2] : (tensor<1x4x5x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x5xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %b_1 : tensor<1x4x4x5xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @single_input(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x4x5xf32, #npu.layout<NCHW>> {
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %a = npu.softmax %conv axis = 1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %b = npu.slice %a starts = [0, 2, 0, 1] limits = [1, 6, 4, 6] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x5xf32, #npu.layout<NCHW>>
  return %b : tensor<1x4x4x5xf32, #npu.layout<NCHW>>
}

// -----

/// Seed layout-preset-to-npu, 单输入Op的处理: an op that cannot be written for NHWC gets its operand back in the order that it had.
// CHECK-LABEL: func.func @cannot(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x4x8x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %mixed = npu.reshape %conv_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x8x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %foreign = npu.opaque "vendor.op"(%conv_1) : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %mixed, %foreign : tensor<1x4x8x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @cannot(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x4x8x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
  %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %mixed = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x8x6xf32, #npu.layout<NCHW>>
  %foreign = npu.opaque "vendor.op"(%conv) : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %mixed, %foreign : tensor<1x4x8x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}
