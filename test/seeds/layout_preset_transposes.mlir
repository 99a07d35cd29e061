// RUN: npu-opt %s --layout-preset="strategy=regions" --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset="strategy=regions" --layout-preset="strategy=regions" --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset="strategy=regions-plus" --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset="strategy=regions-plus" --layout-preset="strategy=regions-plus" --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset="strategy=regions" --canonicalize --split-input-file | filecheck %s --check-prefix CANON
// RUN: npu-opt %s --layout-preset="strategy=regions-plus" --canonicalize --split-input-file | filecheck %s --check-prefix CANON

/// Seed layout-preset, transpose算子的处理: a transpose is a region by itself, with a transpose in front of it and one behind. Here it only changed how the image was stored, so the three cancel out.
// CHECK-LABEL: func.func @figure(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x6x4xf32, #npu.layout<NCWH>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %present = npu.transpose %a_1 permutation = [0, 1, 3, 2] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x6x4xf32, #npu.layout<NCWH>>
// CHECK-NEXT:    %present_1 = npu.transpose %present permutation = [0, 3, 2, 1] : (tensor<1x8x6x4xf32, #npu.layout<NCWH>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b = npu.conv2d %present_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b_1 = npu.transpose %b permutation = [0, 3, 2, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x6x4xf32, #npu.layout<NCWH>>
// CHECK-NEXT:    func.return %b_1 : tensor<1x8x6x4xf32, #npu.layout<NCWH>>
// CHECK-NEXT:  }
// CANON-LABEL: func.func @figure(
// CANON-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x6x4xf32, #npu.layout<NCWH>> {
// CANON-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CANON-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CANON-NEXT:    %b = npu.conv2d %a, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CANON-NEXT:    %b_1 = npu.transpose %b permutation = [0, 3, 2, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x6x4xf32, #npu.layout<NCWH>>
// CANON-NEXT:    func.return %b_1 : tensor<1x8x6x4xf32, #npu.layout<NCWH>>
// CANON-NEXT:  }
func.func @figure(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x6x4xf32, #npu.layout<NCWH>> {
  %a = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %present = npu.transpose %a permutation = [0, 1, 3, 2] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x6x4xf32, #npu.layout<NCWH>>
  %b = npu.conv2d %present, %w : (tensor<1x8x6x4xf32, #npu.layout<NCWH>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x6x4xf32, #npu.layout<NCWH>>
  return %b : tensor<1x8x6x4xf32, #npu.layout<NCWH>>
}

// -----

/// The same where the transpose means something: it swaps H and W. Of the three one is left, which swaps them in NHWC.
// CHECK-LABEL: func.func @meaning(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %present = npu.transpose %a_1 permutation = [0, 1, 3, 2] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %present_1 = npu.transpose %present permutation = [0, 2, 3, 1] : (tensor<1x8x6x4xf32, #npu.layout<NCHW>>) -> tensor<1x6x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b = npu.conv2d %present_1, %w : (tensor<1x6x4x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x6x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b_1 = npu.transpose %b permutation = [0, 3, 1, 2] : (tensor<1x6x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %b_1 : tensor<1x8x6x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
// CANON-LABEL: func.func @meaning(
// CANON-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>> {
// CANON-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CANON-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CANON-NEXT:    %present = npu.transpose %a permutation = [0, 2, 1, 3] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x6x4x8xf32, #npu.layout<NHWC>>
// CANON-NEXT:    %b = npu.conv2d %present, %w : (tensor<1x6x4x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x6x4x8xf32, #npu.layout<NHWC>>
// CANON-NEXT:    %b_1 = npu.transpose %b permutation = [0, 3, 1, 2] : (tensor<1x6x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>>
// CANON-NEXT:    func.return %b_1 : tensor<1x8x6x4xf32, #npu.layout<NCHW>>
// CANON-NEXT:  }
func.func @meaning(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>> {
  %a = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %present = npu.transpose %a permutation = [0, 1, 3, 2] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>>
  %b = npu.conv2d %present, %w : (tensor<1x8x6x4xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>>
  return %b : tensor<1x8x6x4xf32, #npu.layout<NCHW>>
}

// -----

/// Nothing is inserted around a transpose without neighbours.
// CHECK-LABEL: func.func @alone(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %present = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %present : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  }
// CANON-LABEL: func.func @alone(
// CANON-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
// CANON-NEXT:    %present = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CANON-NEXT:    func.return %present : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CANON-NEXT:  }
func.func @alone(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
  %present = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  return %present : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
}

// -----

/// The hardware's own transpose is one like any other.
// CHECK-LABEL: func.func @fixed(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a_1 = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %present = npu.nchw2nhwc %a_1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b = npu.conv2d %present, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %b : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  }
// CANON-LABEL: func.func @fixed(
// CANON-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
// CANON-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CANON-NEXT:    %a = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CANON-NEXT:    %b = npu.conv2d %a, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CANON-NEXT:    func.return %b : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CANON-NEXT:  }
func.func @fixed(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
  %a = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %present = npu.nchw2nhwc %a : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %b = npu.conv2d %present, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  return %b : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
}
