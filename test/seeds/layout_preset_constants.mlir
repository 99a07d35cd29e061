// RUN: npu-opt %s --layout-preset="strategy=naive" --canonicalize --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset="strategy=regions" --canonicalize --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset="strategy=regions-plus" --canonicalize --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset-npu="strategy=greedy" --canonicalize --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset-npu="strategy=record" --canonicalize --split-input-file | filecheck %s
// A path of constants costs no transpose at run time under any strategy: canonicalize folds it into one constant.

/// A kernel in OIHW.
// CHECK-LABEL: func.func @kernel(
// CHECK-SAME:    %x: tensor<1x4x6x2xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x1xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %w = npu.constant dense<[[[[1.000000e+00, 3.000000e+00]], [[2.000000e+00, 4.000000e+00]]]]> : tensor<1x2x1x2xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %conv = npu.conv2d %x, %w pads = [0, 0, 0, 1] : (tensor<1x4x6x2xf32, #npu.layout<NHWC>>, tensor<1x2x1x2xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x1xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %conv : tensor<1x4x6x1xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  }
func.func @kernel(%x: tensor<1x4x6x2xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x1xf32, #npu.layout<NHWC>> {
  %w = npu.constant dense<[[[[1.0, 2.0]], [[3.0, 4.0]]]]> : tensor<1x2x1x2xf32, #npu.layout<OIHW>>
  %conv = npu.conv2d %x, %w pads = [0, 0, 0, 1] : (tensor<1x4x6x2xf32, #npu.layout<NHWC>>, tensor<1x2x1x2xf32, #npu.layout<OIHW>>) -> tensor<1x4x6x1xf32, #npu.layout<NHWC>>
  return %conv : tensor<1x4x6x1xf32, #npu.layout<NHWC>>
}

// -----

/// A kernel that is cut out of a flat constant on the way.
// CHECK-LABEL: func.func @path(
// CHECK-SAME:    %x: tensor<1x4x6x2xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x1xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %w = npu.constant dense<[[[[1.000000e+00, 3.000000e+00]], [[2.000000e+00, 4.000000e+00]]]]> : tensor<1x2x1x2xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %conv = npu.conv2d %x, %w pads = [0, 0, 0, 1] : (tensor<1x4x6x2xf32, #npu.layout<NHWC>>, tensor<1x2x1x2xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x1xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %conv : tensor<1x4x6x1xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  }
func.func @path(%x: tensor<1x4x6x2xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x1xf32, #npu.layout<NHWC>> {
  %flat = npu.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32, #npu.layout<Tensor>>
  %w = npu.reshape %flat : (tensor<4xf32, #npu.layout<Tensor>>) -> tensor<1x2x1x2xf32, #npu.layout<OIHW>>
  %conv = npu.conv2d %x, %w pads = [0, 0, 0, 1] : (tensor<1x4x6x2xf32, #npu.layout<NHWC>>, tensor<1x2x1x2xf32, #npu.layout<OIHW>>) -> tensor<1x4x6x1xf32, #npu.layout<NHWC>>
  return %conv : tensor<1x4x6x1xf32, #npu.layout<NHWC>>
}

// -----

/// A feature among the constants, and a transpose on its way.
// CHECK-LABEL: func.func @feature(
// CHECK-SAME:    %x: tensor<1x1x2x2xf32, #npu.layout<NHWC>>, %w: tensor<1x1x2x2xf32, #npu.layout<HWOI>>) -> tensor<1x1x2x2xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %present = npu.constant dense<[[[[1.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00]]]]> : tensor<1x1x2x2xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %conv = npu.conv2d %x, %w : (tensor<1x1x2x2xf32, #npu.layout<NHWC>>, tensor<1x1x2x2xf32, #npu.layout<HWOI>>) -> tensor<1x1x2x2xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %sum = npu.add %conv, %present : tensor<1x1x2x2xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %sum : tensor<1x1x2x2xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  }
func.func @feature(%x: tensor<1x1x2x2xf32, #npu.layout<NHWC>>, %w: tensor<1x1x2x2xf32, #npu.layout<HWOI>>) -> tensor<1x1x2x2xf32, #npu.layout<NHWC>> {
  %c = npu.constant dense<[[[[1.0, 2.0]], [[3.0, 4.0]]]]> : tensor<1x2x1x2xf32, #npu.layout<NCHW>>
  %present = npu.transpose %c permutation = [0, 2, 3, 1] : (tensor<1x2x1x2xf32, #npu.layout<NCHW>>) -> tensor<1x1x2x2xf32, #npu.layout<NHWC>>
  %conv = npu.conv2d %x, %w : (tensor<1x1x2x2xf32, #npu.layout<NHWC>>, tensor<1x1x2x2xf32, #npu.layout<HWOI>>) -> tensor<1x1x2x2xf32, #npu.layout<NHWC>>
  %sum = npu.add %conv, %present : tensor<1x1x2x2xf32, #npu.layout<NHWC>>
  return %sum : tensor<1x1x2x2xf32, #npu.layout<NHWC>>
}
