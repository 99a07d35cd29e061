// RUN: npu-opt %s --canonicalize --split-input-file | filecheck %s
// RUN: npu-opt %s --canonicalize --canonicalize --split-input-file | filecheck %s

/// Equal transposes of one value are one, the first in the block; a fixed transpose equals an ordinary one.
// CHECK-LABEL: func.func @transposes
// CHECK-SAME:    (%x: tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> (tensor<2x4x6x8xf32, #npu.layout<NHWC>>, tensor<2x4x6x8xf32, #npu.layout<NHWC>>, tensor<2x4x6x8xf32, #npu.layout<NHWC>>) {
// CHECK-NEXT:    %a = npu.nchw2nhwc %x : (tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<2x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %e = npu.exp %a : tensor<2x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %f = npu.tanh %a : tensor<2x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %a, %e, %f : tensor<2x4x6x8xf32, #npu.layout<NHWC>>, tensor<2x4x6x8xf32, #npu.layout<NHWC>>, tensor<2x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  }
func.func @transposes(%x: tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> (tensor<2x4x6x8xf32, #npu.layout<NHWC>>, tensor<2x4x6x8xf32, #npu.layout<NHWC>>, tensor<2x4x6x8xf32, #npu.layout<NHWC>>) {
  %a = npu.nchw2nhwc %x : (tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<2x4x6x8xf32, #npu.layout<NHWC>>
  %e = npu.exp %a : tensor<2x4x6x8xf32, #npu.layout<NHWC>>
  %b = npu.transpose %x permutation = [0, 2, 3, 1]
    : (tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<2x4x6x8xf32, #npu.layout<NHWC>>
  %f = npu.tanh %b : tensor<2x4x6x8xf32, #npu.layout<NHWC>>
  %c = npu.nchw2nhwc %x : (tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<2x4x6x8xf32, #npu.layout<NHWC>>
  func.return %c, %e, %f
    : tensor<2x4x6x8xf32, #npu.layout<NHWC>>, tensor<2x4x6x8xf32, #npu.layout<NHWC>>, tensor<2x4x6x8xf32, #npu.layout<NHWC>>
}

// -----

/// Equal relabels and equal reshapes are one each.
// CHECK-LABEL: func.func @views
// CHECK-SAME:    (%x: tensor<2x8x6xf32, #npu.layout<NCW>>) -> (tensor<2x8x6xf32, #npu.layout<Tensor>>, tensor<2x8x6xf32, #npu.layout<Tensor>>, tensor<2x48xf32, #npu.layout<Tensor>>, tensor<2x48xf32, #npu.layout<Tensor>>) {
// CHECK-NEXT:    %a = npu.relabel %x : (tensor<2x8x6xf32, #npu.layout<NCW>>) -> tensor<2x8x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %c = npu.reshape %x : (tensor<2x8x6xf32, #npu.layout<NCW>>) -> tensor<2x48xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %a, %a, %c, %c : tensor<2x8x6xf32, #npu.layout<Tensor>>, tensor<2x8x6xf32, #npu.layout<Tensor>>, tensor<2x48xf32, #npu.layout<Tensor>>, tensor<2x48xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @views(%x: tensor<2x8x6xf32, #npu.layout<NCW>>) -> (tensor<2x8x6xf32, #npu.layout<Tensor>>, tensor<2x8x6xf32, #npu.layout<Tensor>>, tensor<2x48xf32, #npu.layout<Tensor>>, tensor<2x48xf32, #npu.layout<Tensor>>) {
  %a = npu.relabel %x : (tensor<2x8x6xf32, #npu.layout<NCW>>) -> tensor<2x8x6xf32, #npu.layout<Tensor>>
  %b = npu.relabel %x : (tensor<2x8x6xf32, #npu.layout<NCW>>) -> tensor<2x8x6xf32, #npu.layout<Tensor>>
  %c = npu.reshape %x : (tensor<2x8x6xf32, #npu.layout<NCW>>) -> tensor<2x48xf32, #npu.layout<Tensor>>
  %d = npu.reshape %x : (tensor<2x8x6xf32, #npu.layout<NCW>>) -> tensor<2x48xf32, #npu.layout<Tensor>>
  func.return %a, %b, %c, %d
    : tensor<2x8x6xf32, #npu.layout<Tensor>>, tensor<2x8x6xf32, #npu.layout<Tensor>>, tensor<2x48xf32, #npu.layout<Tensor>>, tensor<2x48xf32, #npu.layout<Tensor>>
}

// -----

/// Left alone because they differ: the result's layout, the permutation, an attribute, `dims`.
// CHECK-LABEL: func.func @different
// CHECK-SAME:    (%x: tensor<3x3xf32, #npu.layout<Tensor>>, %y: tensor<?x?xf32>) -> (tensor<3x3xf32, #npu.layout<Tensor>>, tensor<3x3xf32, #npu.layout<Tensor, [1, 0]>>, tensor<3x3xf32, #npu.layout<Tensor>>, tensor<?x?x1xf32>, tensor<?x?x1xf32>) {
// CHECK-NEXT:    %a = npu.transpose %x permutation = [1, 0] : tensor<3x3xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %b = npu.transpose %x permutation = [1, 0] : (tensor<3x3xf32, #npu.layout<Tensor>>) -> tensor<3x3xf32, #npu.layout<Tensor, [1, 0]>>
// CHECK-NEXT:    %c = npu.transpose %x permutation = [1, 0] {note = "kept apart"} : tensor<3x3xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %d = npu.reshape %y dims = [@in0, @in1, 1] : (tensor<?x?xf32>) -> tensor<?x?x1xf32>
// CHECK-NEXT:    %e = npu.reshape %y dims = [@in1, @in0, 1] : (tensor<?x?xf32>) -> tensor<?x?x1xf32>
// CHECK-NEXT:    func.return %a, %b, %c, %d, %e : tensor<3x3xf32, #npu.layout<Tensor>>, tensor<3x3xf32, #npu.layout<Tensor, [1, 0]>>, tensor<3x3xf32, #npu.layout<Tensor>>, tensor<?x?x1xf32>, tensor<?x?x1xf32>
// CHECK-NEXT:  }
func.func @different(%x: tensor<3x3xf32, #npu.layout<Tensor>>, %y: tensor<?x?xf32>) -> (tensor<3x3xf32, #npu.layout<Tensor>>, tensor<3x3xf32, #npu.layout<Tensor, [1, 0]>>, tensor<3x3xf32, #npu.layout<Tensor>>, tensor<?x?x1xf32>, tensor<?x?x1xf32>) {
  %a = npu.transpose %x permutation = [1, 0]
    : tensor<3x3xf32, #npu.layout<Tensor>>
  %b = npu.transpose %x permutation = [1, 0]
    : (tensor<3x3xf32, #npu.layout<Tensor>>) -> tensor<3x3xf32, #npu.layout<Tensor, [1, 0]>>
  %c = npu.transpose %x permutation = [1, 0] {note = "kept apart"}
    : tensor<3x3xf32, #npu.layout<Tensor>>
  %d = npu.reshape %y dims = [@in0, @in1, 1] : (tensor<?x?xf32>) -> tensor<?x?x1xf32>
  %e = npu.reshape %y dims = [@in1, @in0, 1] : (tensor<?x?xf32>) -> tensor<?x?x1xf32>
  func.return %a, %b, %c, %d, %e
    : tensor<3x3xf32, #npu.layout<Tensor>>, tensor<3x3xf32, #npu.layout<Tensor, [1, 0]>>, tensor<3x3xf32, #npu.layout<Tensor>>, tensor<?x?x1xf32>, tensor<?x?x1xf32>
}

// -----

/// Left alone because neither block dominates the other.
// CHECK-LABEL: func.func @other_blocks
// CHECK-SAME:    (%x: tensor<2x3xf32>, %c: i1) -> tensor<3x2xf32> {
// CHECK-NEXT:    cf.cond_br %c, ^one, ^other
// CHECK-NEXT:    ^one:
// CHECK-NEXT:    %a = npu.transpose %x permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK-NEXT:    func.return %a : tensor<3x2xf32>
// CHECK-NEXT:    ^other:
// CHECK-NEXT:    %b = npu.transpose %x permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK-NEXT:    func.return %b : tensor<3x2xf32>
// CHECK-NEXT:  }
func.func @other_blocks(%x: tensor<2x3xf32>, %c: i1) -> tensor<3x2xf32> {
  "cf.cond_br"(%c) [^one, ^other] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
^one:
  %a = npu.transpose %x permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  func.return %a : tensor<3x2xf32>
^other:
  %b = npu.transpose %x permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  func.return %b : tensor<3x2xf32>
}
