// RUN: npu-opt %s --canonicalize --print-debuginfo --split-input-file | filecheck %s
// RUN: npu-opt %s --canonicalize --canonicalize --print-debuginfo --split-input-file | filecheck %s

/// The location of a composed transpose is that of both, without duplicates or unknown ones.
// CHECK-LABEL: func.func @composed
// CHECK-SAME:    (%x: tensor<2x3x4xf32> loc(unknown)) -> (tensor<4x3x2xf32>, tensor<3x2x4xf32>) {
// CHECK-NEXT:    %c = npu.transpose %x permutation = [2, 1, 0] : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32> loc(fused["model.py":1:1, "model.py":2:1])
// CHECK-NEXT:    %d = npu.transpose %x permutation = [1, 0, 2] : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32> loc("model.py":1:1)
// CHECK-NEXT:    func.return %c, %d : tensor<4x3x2xf32>, tensor<3x2x4xf32> loc(unknown)
// CHECK-NEXT:  } loc(unknown)
func.func @composed(%x: tensor<2x3x4xf32>) -> (tensor<4x3x2xf32>, tensor<3x2x4xf32>) {
  %a = npu.transpose %x permutation = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32> loc("model.py":1:1)
  %b = npu.transpose %a permutation = [2, 1, 0] : (tensor<3x4x2xf32>) -> tensor<2x4x3xf32> loc("model.py":2:1)
  %c = npu.transpose %b permutation = [1, 2, 0] : (tensor<2x4x3xf32>) -> tensor<4x3x2xf32> loc("model.py":1:1)
  %d = npu.transpose %a permutation = [0, 2, 1] : (tensor<3x4x2xf32>) -> tensor<3x2x4xf32>
  func.return %c, %d : tensor<4x3x2xf32>, tensor<3x2x4xf32>
}

// -----

/// The location of a folded constant is that of the constant and of its views.
// CHECK-LABEL: func.func @folded
// CHECK-SAME:    () -> tensor<3x2xf32> {
// CHECK-NEXT:    %t = npu.constant dense<1.000000e+00> : tensor<3x2xf32> loc(fused["weights.py":7:1, "model.py":8:1])
// CHECK-NEXT:    func.return %t : tensor<3x2xf32> loc(unknown)
// CHECK-NEXT:  } loc(unknown)
func.func @folded() -> tensor<3x2xf32> {
  %w = npu.constant dense<1.0> : tensor<2x3xf32> loc("weights.py":7:1)
  %t = npu.transpose %w permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32> loc("model.py":8:1)
  func.return %t : tensor<3x2xf32>
}

// -----

/// All ops that replace one have its location; only the last one has its name.
// CHECK-LABEL: func.func @several
// CHECK-SAME:    (%x: tensor<1x6x8x1xf32, #npu.layout<NHWC>> loc(unknown)) -> tensor<1x6x1x8xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %0 = npu.relabel %x : (tensor<1x6x8x1xf32, #npu.layout<NHWC>>) -> tensor<1x6x8x1xf32, #npu.layout<Tensor>> loc("model.py":3:1)
// CHECK-NEXT:    %1 = npu.reshape %0 : (tensor<1x6x8x1xf32, #npu.layout<Tensor>>) -> tensor<1x6x1x8xf32, #npu.layout<Tensor>> loc("model.py":3:1)
// CHECK-NEXT:    %y = npu.relabel %1 : (tensor<1x6x1x8xf32, #npu.layout<Tensor>>) -> tensor<1x6x1x8xf32, #npu.layout<NHWC>> loc("model.py":3:1)
// CHECK-NEXT:    func.return %y : tensor<1x6x1x8xf32, #npu.layout<NHWC>> loc(unknown)
// CHECK-NEXT:  } loc(unknown)
func.func @several(%x: tensor<1x6x8x1xf32, #npu.layout<NHWC>>) -> tensor<1x6x1x8xf32, #npu.layout<NHWC>> {
  %y = npu.transpose %x permutation = [0, 1, 3, 2]
    : (tensor<1x6x8x1xf32, #npu.layout<NHWC>>) -> tensor<1x6x1x8xf32, #npu.layout<NHWC>> loc("model.py":3:1)
  func.return %y : tensor<1x6x1x8xf32, #npu.layout<NHWC>>
}

// -----

/// The first one of equal views is not changed.
// CHECK-LABEL: func.func @twins
// CHECK-SAME:    (%x: tensor<2x3xf32> loc(unknown)) -> (tensor<3x2xf32>, tensor<3x2xf32>) {
// CHECK-NEXT:    %a = npu.transpose %x permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32> loc("model.py":4:1)
// CHECK-NEXT:    func.return %a, %a : tensor<3x2xf32>, tensor<3x2xf32> loc(unknown)
// CHECK-NEXT:  } loc(unknown)
func.func @twins(%x: tensor<2x3xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>) {
  %a = npu.transpose %x permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32> loc("model.py":4:1)
  %b = npu.transpose %x permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32> loc("model.py":5:1)
  func.return %a, %b : tensor<3x2xf32>, tensor<3x2xf32>
}
