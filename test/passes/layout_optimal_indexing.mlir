// RUN: npu-opt %s --layout-optimal --canonicalize --verify-layouts --split-input-file | filecheck %s

/// A transpose passes through searches, and behind it they name the axis where it is now.
// CHECK-LABEL: func.func @searches(
// CHECK-SAME:  %x: tensor<2x3x4x5xf32, #npu.layout<Tensor>>, %i: tensor<2x3x4x5xi64, #npu.layout<Tensor>>, %n: tensor<3xi64, #npu.layout<Tensor>>) -> (tensor<2x3x2x5xf32, #npu.layout<Tensor>>, tensor<2x3x2x5xi64, #npu.layout<Tensor>>) {
// CHECK-NEXT:      %t = npu.relabel %x : (tensor<2x3x4x5xf32, #npu.layout<Tensor>>) -> tensor<2x3x4x5xf32, #npu.layout<Tensor, [0, 3, 1, 2]>>
// CHECK-NEXT:      %j = npu.relabel %i : (tensor<2x3x4x5xi64, #npu.layout<Tensor>>) -> tensor<2x3x4x5xi64, #npu.layout<Tensor, [0, 3, 1, 2]>>
// CHECK-NEXT:      %g = npu.gather_elements %t, %j axis = 3 : (tensor<2x3x4x5xf32, #npu.layout<Tensor, [0, 3, 1, 2]>>, tensor<2x3x4x5xi64, #npu.layout<Tensor, [0, 3, 1, 2]>>) -> tensor<2x3x4x5xf32, #npu.layout<Tensor, [0, 3, 1, 2]>>
// CHECK-NEXT:      %s = npu.scatter %g, %n, %t axis = 1 reduction = "max" : (tensor<2x3x4x5xf32, #npu.layout<Tensor, [0, 3, 1, 2]>>, tensor<3xi64, #npu.layout<Tensor>>, tensor<2x3x4x5xf32, #npu.layout<Tensor, [0, 3, 1, 2]>>) -> tensor<2x3x4x5xf32, #npu.layout<Tensor, [0, 3, 1, 2]>>
// CHECK-NEXT:      %e = npu.scatter_elements %s, %j, %t axis = 2 : (tensor<2x3x4x5xf32, #npu.layout<Tensor, [0, 3, 1, 2]>>, tensor<2x3x4x5xi64, #npu.layout<Tensor, [0, 3, 1, 2]>>, tensor<2x3x4x5xf32, #npu.layout<Tensor, [0, 3, 1, 2]>>) -> tensor<2x3x4x5xf32, #npu.layout<Tensor, [0, 3, 1, 2]>>
// CHECK-NEXT:      %r = npu.reverse_sequence %e, %n axis = 2 batch = 1 : (tensor<2x3x4x5xf32, #npu.layout<Tensor, [0, 3, 1, 2]>>, tensor<3xi64, #npu.layout<Tensor>>) -> tensor<2x3x4x5xf32, #npu.layout<Tensor, [0, 3, 1, 2]>>
// CHECK-NEXT:      %v, %p = npu.top_k %r axis = 2 : (tensor<2x3x4x5xf32, #npu.layout<Tensor, [0, 3, 1, 2]>>) -> (tensor<2x3x2x5xf32, #npu.layout<Tensor, [0, 3, 1, 2]>>, tensor<2x3x2x5xi64, #npu.layout<Tensor, [0, 3, 1, 2]>>)
// CHECK-NEXT:      %a = npu.relabel %v : (tensor<2x3x2x5xf32, #npu.layout<Tensor, [0, 3, 1, 2]>>) -> tensor<2x3x2x5xf32, #npu.layout<Tensor>>
// CHECK-NEXT:      %b = npu.relabel %p : (tensor<2x3x2x5xi64, #npu.layout<Tensor, [0, 3, 1, 2]>>) -> tensor<2x3x2x5xi64, #npu.layout<Tensor>>
// CHECK-NEXT:      func.return %a, %b : tensor<2x3x2x5xf32, #npu.layout<Tensor>>, tensor<2x3x2x5xi64, #npu.layout<Tensor>>
// CHECK-NEXT:    }
func.func @searches(%x: tensor<2x3x4x5xf32>, %i: tensor<2x3x4x5xi64>, %n: tensor<3xi64>) -> (tensor<2x3x2x5xf32>, tensor<2x3x2x5xi64>) {
  %t = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<2x3x4x5xf32>) -> tensor<2x4x5x3xf32>
  %j = npu.transpose %i permutation = [0, 2, 3, 1] : (tensor<2x3x4x5xi64>) -> tensor<2x4x5x3xi64>
  %g = npu.gather_elements %t, %j axis = 2 : (tensor<2x4x5x3xf32>, tensor<2x4x5x3xi64>) -> tensor<2x4x5x3xf32>
  %s = npu.scatter %g, %n, %t axis = 3 reduction = "max"
    : (tensor<2x4x5x3xf32>, tensor<3xi64>, tensor<2x4x5x3xf32>) -> tensor<2x4x5x3xf32>
  %e = npu.scatter_elements %s, %j, %t axis = 1 : (tensor<2x4x5x3xf32>, tensor<2x4x5x3xi64>, tensor<2x4x5x3xf32>) -> tensor<2x4x5x3xf32>
  %r = npu.reverse_sequence %e, %n axis = 1 batch = 3 : (tensor<2x4x5x3xf32>, tensor<3xi64>) -> tensor<2x4x5x3xf32>
  %v, %p = npu.top_k %r axis = 1 : (tensor<2x4x5x3xf32>) -> (tensor<2x2x5x3xf32>, tensor<2x2x5x3xi64>)
  %a = npu.transpose %v permutation = [0, 3, 1, 2] : (tensor<2x2x5x3xf32>) -> tensor<2x3x2x5xf32>
  %b = npu.transpose %p permutation = [0, 3, 1, 2] : (tensor<2x2x5x3xi64>) -> tensor<2x3x2x5xi64>
  return %a, %b : tensor<2x3x2x5xf32>, tensor<2x3x2x5xi64>
}

// -----

/// A search for positions takes its data in the order in which it came.
// CHECK-LABEL: func.func @positions(
// CHECK-SAME:  %x: tensor<2x3xf32, #npu.layout<Tensor>>) -> tensor<2x?xi64, #npu.layout<Tensor>> {
// CHECK-NEXT:      %t = npu.transpose %x permutation = [1, 0] : (tensor<2x3xf32, #npu.layout<Tensor>>) -> tensor<3x2xf32, #npu.layout<Tensor>>
// CHECK-NEXT:      %p = npu.non_zero %t : (tensor<3x2xf32, #npu.layout<Tensor>>) -> tensor<2x?xi64, #npu.layout<Tensor>>
// CHECK-NEXT:      func.return %p : tensor<2x?xi64, #npu.layout<Tensor>>
// CHECK-NEXT:    }
func.func @positions(%x: tensor<2x3xf32>) -> tensor<2x?xi64> {
  %t = npu.transpose %x permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %p = npu.non_zero %t : (tensor<3x2xf32>) -> tensor<2x?xi64>
  return %p : tensor<2x?xi64>
}

// -----

/// The rows of a gather are cut in two, and the axis is named behind the first part.
// CHECK-LABEL: func.func @cut(
// CHECK-SAME:  %x: tensor<8x4x2xf32, #npu.layout<Tensor>>, %i: tensor<5xi64, #npu.layout<Tensor>>) -> tensor<8x5x4xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:      %x_1 = npu.transpose %x permutation = [0, 2, 1] : (tensor<8x4x2xf32, #npu.layout<Tensor>>) -> tensor<8x2x4xf32, #npu.layout<Tensor, [0, 2, 1]>>
// CHECK-NEXT:      %g = npu.gather %x_1, %i axis = 1 : (tensor<8x2x4xf32, #npu.layout<Tensor, [0, 2, 1]>>, tensor<5xi64, #npu.layout<Tensor>>) -> tensor<8x5x4xf32, #npu.layout<Tensor, [0, 2, 1]>>
// CHECK-NEXT:      %t = npu.relabel %g : (tensor<8x5x4xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<8x5x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:      func.return %t : tensor<8x5x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    }
func.func @cut(%x: tensor<8x4x2xf32>, %i: tensor<5xi64>) -> tensor<8x5x4xf32> {
  %r = npu.reshape %x : (tensor<8x4x2xf32>) -> tensor<32x2xf32>
  %g = npu.gather %r, %i axis = 1 : (tensor<32x2xf32>, tensor<5xi64>) -> tensor<32x5xf32>
  %s = npu.reshape %g : (tensor<32x5xf32>) -> tensor<8x4x5xf32>
  %t = npu.transpose %s permutation = [0, 2, 1] : (tensor<8x4x5xf32>) -> tensor<8x5x4xf32>
  return %t : tensor<8x5x4xf32>
}
