// RUN: npu-opt %s --split-input-file --target=%S/Inputs/one_operand.toml --layout-preset-npu | filecheck %s
// RUN: npu-opt %s --split-input-file --target=%S/Inputs/one_operand.toml --layout-preset-npu --layout-preset-npu | filecheck %s
// RUN: npu-opt %s --split-input-file --target=%S/Inputs/one_operand.toml --layout-preset | filecheck %s
// RUN: npu-opt %s --split-input-file --target=%S/Inputs/one_operand.toml --layout-optimal | filecheck %s

/// A demand on one operand holds for all that share its layout, though the others are larger and given in another one.
// CHECK-LABEL: func.func @one(%x: tensor<1x1x7x7xf32, #npu.layout<NCHW>>, %y: tensor<2x3x7x7xf32, #npu.layout<NCHW>>) -> tensor<2x3x7x7xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.reshape %x : (tensor<1x1x7x7xf32, #npu.layout<NCHW>>) -> tensor<1x7x7x1xf32, #npu.layout<CHWN>>
// CHECK-NEXT:    %y_1 = npu.transpose %y permutation = [1, 2, 3, 0] : (tensor<2x3x7x7xf32, #npu.layout<NCHW>>) -> tensor<3x7x7x2xf32, #npu.layout<CHWN>>
// CHECK-NEXT:    %m = npu.min %x_1, %y_1 : (tensor<1x7x7x1xf32, #npu.layout<CHWN>>, tensor<3x7x7x2xf32, #npu.layout<CHWN>>) -> tensor<3x7x7x2xf32, #npu.layout<CHWN>>
// CHECK-NEXT:    %m_1 = npu.transpose %m permutation = [3, 0, 1, 2] : (tensor<3x7x7x2xf32, #npu.layout<CHWN>>) -> tensor<2x3x7x7xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %m_1 : tensor<2x3x7x7xf32, #npu.layout<NCHW>>
func.func @one(%x: tensor<1x1x7x7xf32, #npu.layout<NCHW>>, %y: tensor<2x3x7x7xf32, #npu.layout<NCHW>>) -> tensor<2x3x7x7xf32, #npu.layout<NCHW>> {
  %m = npu.min %x, %y : (tensor<1x1x7x7xf32, #npu.layout<NCHW>>, tensor<2x3x7x7xf32, #npu.layout<NCHW>>) -> tensor<2x3x7x7xf32, #npu.layout<NCHW>>
  return %m : tensor<2x3x7x7xf32, #npu.layout<NCHW>>
}

// -----

/// No form meets demands that contradict each other: the op stays unchanged.
// CHECK-LABEL: func.func @contradiction(%x: tensor<1x2x4x6xf32, #npu.layout<NCHW>>, %dy: tensor<1x3x4x6xf32, #npu.layout<NCHW>>) -> tensor<3x2x1x1xf32, #npu.layout<OIHW>> {
// CHECK-NEXT:    %dw = npu.conv2d_bpw %x, %dy : (tensor<1x2x4x6xf32, #npu.layout<NCHW>>, tensor<1x3x4x6xf32, #npu.layout<NCHW>>) -> tensor<3x2x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:    func.return %dw : tensor<3x2x1x1xf32, #npu.layout<OIHW>>
func.func @contradiction(%x: tensor<1x2x4x6xf32, #npu.layout<NCHW>>, %dy: tensor<1x3x4x6xf32, #npu.layout<NCHW>>) -> tensor<3x2x1x1xf32, #npu.layout<OIHW>> {
  %dw = npu.conv2d_bpw %x, %dy : (tensor<1x2x4x6xf32, #npu.layout<NCHW>>, tensor<1x3x4x6xf32, #npu.layout<NCHW>>) -> tensor<3x2x1x1xf32, #npu.layout<OIHW>>
  return %dw : tensor<3x2x1x1xf32, #npu.layout<OIHW>>
}
