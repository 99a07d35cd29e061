// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// Parameters that may be left out have their names.
// CHECK-LABEL: func.func @rnn(
func.func @rnn(%x: tensor<?x2x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>, %h: tensor<1x2x4xf32>, %l: tensor<2xi32>) {
  // CHECK-NEXT: %a, %b = npu.rnn %x, %w, %r : (tensor<?x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>) -> (tensor<?x1x2x4xf32>, tensor<1x2x4xf32>)
  %a, %b = npu.rnn %x, %w, %r : (tensor<?x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>) -> (tensor<?x1x2x4xf32>, tensor<1x2x4xf32>)
  // CHECK-NEXT: %c, %d = npu.rnn %x, %w, %r lengths(%l : tensor<2xi32>) initial_hidden(%h : tensor<1x2x4xf32>) direction = "reverse" activations = ["relu"] : (tensor<?x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>) -> (tensor<?x1x2x4xf32>, tensor<1x2x4xf32>)
  %c, %d = npu.rnn %x, %w, %r lengths(%l : tensor<2xi32>) initial_hidden(%h : tensor<1x2x4xf32>) direction = "reverse" activations = ["relu"] : (tensor<?x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>) -> (tensor<?x1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

/// The reset gate is multiplied before or behind the product.
// CHECK-LABEL: func.func @gru(
func.func @gru(%x: tensor<5x2x3xf32, #npu.layout<Tensor>>, %w: tensor<1x12x3xf32>, %r: tensor<1x12x4xf32>, %b: tensor<1x24xf32>) {
  // CHECK-NEXT: %a, %h = npu.gru %x, %w, %r bias(%b : tensor<1x24xf32>) linear_before_reset : (tensor<5x2x3xf32, #npu.layout<Tensor>>, tensor<1x12x3xf32>, tensor<1x12x4xf32>) -> (tensor<5x1x2x4xf32>, tensor<1x2x4xf32>)
  %a, %h = npu.gru %x, %w, %r bias(%b : tensor<1x24xf32>) linear_before_reset : (tensor<5x2x3xf32, #npu.layout<Tensor>>, tensor<1x12x3xf32>, tensor<1x12x4xf32>) -> (tensor<5x1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

/// Both directions have states of their own.
// CHECK-LABEL: func.func @lstm(
func.func @lstm(%x: tensor<5x?x3xf64>, %w: tensor<2x16x3xf64>, %r: tensor<2x16x4xf64>, %s: tensor<2x?x4xf64>, %p: tensor<2x12xf64>) {
  // CHECK-NEXT: %a, %h, %c = npu.lstm %x, %w, %r initial_cell(%s : tensor<2x?x4xf64>) peepholes(%p : tensor<2x12xf64>) direction = "bidirectional" : (tensor<5x?x3xf64>, tensor<2x16x3xf64>, tensor<2x16x4xf64>) -> (tensor<5x2x?x4xf64>, tensor<2x?x4xf64>, tensor<2x?x4xf64>)
  %a, %h, %c = npu.lstm %x, %w, %r initial_cell(%s : tensor<2x?x4xf64>) peepholes(%p : tensor<2x12xf64>) direction = "bidirectional" : (tensor<5x?x3xf64>, tensor<2x16x3xf64>, tensor<2x16x4xf64>) -> (tensor<5x2x?x4xf64>, tensor<2x?x4xf64>, tensor<2x?x4xf64>)
  return
}
