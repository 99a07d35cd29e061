// RUN: NPU_VERIFY_DIAG

/// The direction has a name.
// CHECK: error: 'npu.rnn' direction: expected "forward", "reverse" or "bidirectional", found "back"
func.func @f(%x: tensor<5x2x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>) {
  %a, %b = npu.rnn %x, %w, %r direction = "back" : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>) -> (tensor<5x1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

/// Each direction has its activations.
// CHECK: error: 'npu.gru' activations: expected 2 names, found 1
func.func @f(%x: tensor<5x2x3xf32>, %w: tensor<1x12x3xf32>, %r: tensor<1x12x4xf32>) {
  %a, %b = npu.gru %x, %w, %r activations = ["tanh"] : (tensor<5x2x3xf32>, tensor<1x12x3xf32>, tensor<1x12x4xf32>) -> (tensor<5x1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

/// The activations are known.
// CHECK: error: 'npu.rnn' activations: expected "sigmoid", "tanh" or "relu", found "affine"
func.func @f(%x: tensor<5x2x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>) {
  %a, %b = npu.rnn %x, %w, %r activations = ["affine"] : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>) -> (tensor<5x1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

/// The steps are an axis of the input.
// CHECK: error: 'npu.rnn' input: expected rank 3, found 2x3
func.func @f(%x: tensor<2x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>) {
  %a, %b = npu.rnn %x, %w, %r : (tensor<2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>) -> (tensor<5x1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

/// A state is no integer.
// CHECK: error: 'npu.rnn' input: expected a float element type, found i8
func.func @f(%x: tensor<5x2x3xi8>, %w: tensor<1x4x3xi8>, %r: tensor<1x4x4xi8>) {
  %a, %b = npu.rnn %x, %w, %r : (tensor<5x2x3xi8>, tensor<1x4x3xi8>, tensor<1x4x4xi8>) -> (tensor<5x1x2x4xi8>, tensor<1x2x4xi8>)
  return
}

// -----

/// An LSTM has four gates.
// CHECK: error: 'npu.lstm' weights: expected shape 1x16x3, found 1x12x3
func.func @f(%x: tensor<5x2x3xf32>, %w: tensor<1x12x3xf32>, %r: tensor<1x16x4xf32>) {
  %a, %h, %c = npu.lstm %x, %w, %r : (tensor<5x2x3xf32>, tensor<1x12x3xf32>, tensor<1x16x4xf32>) -> (tensor<5x1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

/// All numbers have one type.
// CHECK: error: 'npu.lstm' weights: expected element type f32, found f64
func.func @f(%x: tensor<5x2x3xf32>, %w: tensor<1x16x3xf64>, %r: tensor<1x16x4xf32>) {
  %a, %h, %c = npu.lstm %x, %w, %r : (tensor<5x2x3xf32>, tensor<1x16x3xf64>, tensor<1x16x4xf32>) -> (tensor<5x1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

/// Lengths are counted.
// CHECK: error: 'npu.lstm' lengths: expected an integer element type, found f32
func.func @f(%x: tensor<5x2x3xf32>, %w: tensor<1x16x3xf32>, %r: tensor<1x16x4xf32>, %l: tensor<2xf32>) {
  %a, %h, %c = npu.lstm %x, %w, %r lengths(%l : tensor<2xf32>) : (tensor<5x2x3xf32>, tensor<1x16x3xf32>, tensor<1x16x4xf32>) -> (tensor<5x1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

/// The steps are in front, whatever the layout.
// CHECK: error: 'npu.rnn' input: expected axes in logical order, found Tensor, [1, 0, 2]
func.func @f(%x: tensor<2x5x3xf32, #npu.layout<Tensor, [1, 0, 2]>>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>) {
  %a, %b = npu.rnn %x, %w, %r : (tensor<2x5x3xf32, #npu.layout<Tensor, [1, 0, 2]>>, tensor<1x4x3xf32>, tensor<1x4x4xf32>) -> (tensor<2x1x5x4xf32>, tensor<1x5x4xf32>)
  return
}
