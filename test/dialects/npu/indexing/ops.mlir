// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// Indices may be fewer than the elements along any axis; all values have one layout.
// CHECK-LABEL: func.func @gather_elements(
func.func @gather_elements(
    %x: tensor<2x8xf32>, %i: tensor<2x3xi64>, %j: tensor<1x?xi32>,
    %n: tensor<1x8x8x16xi8, #npu.layout<NHWC>>, %p: tensor<1x8x8x4xi64, #npu.layout<NHWC>>) {
  // CHECK-NEXT: %a = npu.gather_elements %x, %i axis = 1 : (tensor<2x8xf32>, tensor<2x3xi64>) -> tensor<2x3xf32>
  %a = npu.gather_elements %x, %i axis = 1 : (tensor<2x8xf32>, tensor<2x3xi64>) -> tensor<2x3xf32>
  // CHECK-NEXT: %b = npu.gather_elements %x, %j axis = 0 : (tensor<2x8xf32>, tensor<1x?xi32>) -> tensor<1x?xf32>
  %b = npu.gather_elements %x, %j axis = 0 : (tensor<2x8xf32>, tensor<1x?xi32>) -> tensor<1x?xf32>
  // CHECK-NEXT: %c = npu.gather_elements %n, %p axis = 3 : (tensor<1x8x8x16xi8, #npu.layout<NHWC>>, tensor<1x8x8x4xi64, #npu.layout<NHWC>>) -> tensor<1x8x8x4xi8, #npu.layout<NHWC>>
  %c = npu.gather_elements %n, %p axis = 3
    : (tensor<1x8x8x16xi8, #npu.layout<NHWC>>, tensor<1x8x8x4xi64, #npu.layout<NHWC>>)
    -> tensor<1x8x8x4xi8, #npu.layout<NHWC>>
  return
}

// -----

/// An update replaces an element, or is put to it by a reduction.
// CHECK-LABEL: func.func @scatter_elements(
func.func @scatter_elements(%x: tensor<2x8xf32>, %i: tensor<2x3xi64>, %u: tensor<2x3xf32>) {
  // CHECK-NEXT: %a = npu.scatter_elements %x, %i, %u axis = 1 : (tensor<2x8xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<2x8xf32>
  %a = npu.scatter_elements %x, %i, %u axis = 1 reduction = "none" : (tensor<2x8xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<2x8xf32>
  // CHECK-NEXT: %b = npu.scatter_elements %x, %i, %u axis = 1 reduction = "max" : (tensor<2x8xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<2x8xf32>
  %b = npu.scatter_elements %x, %i, %u axis = 1 reduction = "max" : (tensor<2x8xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<2x8xf32>
  return
}

// -----

/// Slices of the updates are for positions in a vector, which has a layout of its own.
// CHECK-LABEL: func.func @scatter(
func.func @scatter(
    %x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %i: tensor<2xi32, #npu.layout<Tensor>>,
    %u: tensor<1x8x8x2xf32, #npu.layout<NHWC>>) {
  // CHECK-NEXT: %a = npu.scatter %x, %i, %u axis = 3 reduction = "add" : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<2xi32, #npu.layout<Tensor>>, tensor<1x8x8x2xf32, #npu.layout<NHWC>>) -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  %a = npu.scatter %x, %i, %u axis = 3 reduction = "add"
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<2xi32, #npu.layout<Tensor>>, tensor<1x8x8x2xf32, #npu.layout<NHWC>>)
    -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The results say how many elements are found; an operand does if they do not.
// CHECK-LABEL: func.func @top_k(
func.func @top_k(%x: tensor<8x?xf32>, %n: tensor<4x8xi8, #npu.layout<Tensor, [1, 0]>>, %k: tensor<1xi64>) {
  // CHECK-NEXT: %a, %b = npu.top_k %x axis = 1 : (tensor<8x?xf32>) -> (tensor<8x5xf32>, tensor<8x5xi64>)
  %a, %b = npu.top_k %x axis = 1 : (tensor<8x?xf32>) -> (tensor<8x5xf32>, tensor<8x5xi64>)
  // CHECK-NEXT: %c, %d = npu.top_k %x, %k axis = 1 smallest : (tensor<8x?xf32>, tensor<1xi64>) -> (tensor<8x?xf32>, tensor<8x?xi32>)
  %c, %d = npu.top_k %x, %k axis = 1 smallest : (tensor<8x?xf32>, tensor<1xi64>) -> (tensor<8x?xf32>, tensor<8x?xi32>)
  // CHECK-NEXT: %e, %f = npu.top_k %n axis = 0 : (tensor<4x8xi8, #npu.layout<Tensor, [1, 0]>>) -> (tensor<2x8xi8, #npu.layout<Tensor, [1, 0]>>, tensor<2x8xi64, #npu.layout<Tensor, [1, 0]>>)
  %e, %f = npu.top_k %n axis = 0
    : (tensor<4x8xi8, #npu.layout<Tensor, [1, 0]>>)
    -> (tensor<2x8xi8, #npu.layout<Tensor, [1, 0]>>, tensor<2x8xi64, #npu.layout<Tensor, [1, 0]>>)
  return
}

// -----

/// A condition may be shorter than the axis; the type of the result may say how often it is true.
// CHECK-LABEL: func.func @compress(
func.func @compress(%x: tensor<4x6xf32>, %c: tensor<5xi1>, %d: tensor<?xi1>) {
  // CHECK-NEXT: %a = npu.compress %x, %c axis = 1 : (tensor<4x6xf32>, tensor<5xi1>) -> tensor<4x?xf32>
  %a = npu.compress %x, %c axis = 1 : (tensor<4x6xf32>, tensor<5xi1>) -> tensor<4x?xf32>
  // CHECK-NEXT: %b = npu.compress %x, %d axis = 0 : (tensor<4x6xf32>, tensor<?xi1>) -> tensor<3x6xf32>
  %b = npu.compress %x, %d axis = 0 : (tensor<4x6xf32>, tensor<?xi1>) -> tensor<3x6xf32>
  return
}

// -----

/// There is a length for each place along the axis of the batch.
// CHECK-LABEL: func.func @reverse_sequence(
func.func @reverse_sequence(%x: tensor<7x4x16xf32>, %n: tensor<4xi64>, %m: tensor<16xi32>) {
  // CHECK-NEXT: %a = npu.reverse_sequence %x, %n axis = 0 batch = 1 : (tensor<7x4x16xf32>, tensor<4xi64>) -> tensor<7x4x16xf32>
  %a = npu.reverse_sequence %x, %n axis = 0 batch = 1 : (tensor<7x4x16xf32>, tensor<4xi64>) -> tensor<7x4x16xf32>
  // CHECK-NEXT: %b = npu.reverse_sequence %x, %m axis = 1 batch = 2 : (tensor<7x4x16xf32>, tensor<16xi32>) -> tensor<7x4x16xf32>
  %b = npu.reverse_sequence %x, %m axis = 1 batch = 2 : (tensor<7x4x16xf32>, tensor<16xi32>) -> tensor<7x4x16xf32>
  return
}
