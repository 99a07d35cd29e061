// RUN: NPU_PARSE_DIAG
// Line and column of every message are checked, and the marked text.

/// A letter that no class has.
// CHECK: :[[# @LINE + 2]]:54: error: 'NHWX' is not a layout: expected a permutation of NCW, NCHW, NCDHW, OIW, OIHW or OIDHW, or Tensor or NTensor
// CHECK: {{^ +\^\^\^\^$}}
func.func private @f(tensor<1x2x3x4xf32, #npu.layout<NHWX>>)

// -----

/// A letter twice.
// CHECK: :[[# @LINE + 2]]:54: error: 'NHHC' is not a layout: expected a permutation of NCW, NCHW, NCDHW, OIW, OIHW or OIDHW, or Tensor or NTensor
// CHECK: {{^ +\^\^\^\^$}}
func.func private @f(tensor<1x2x3x4xf32, #npu.layout<NHHC>>)

// -----

/// Letters of two classes.
// CHECK: :[[# @LINE + 2]]:54: error: 'OHWC' is not a layout: expected a permutation of NCW, NCHW, NCDHW, OIW, OIHW or OIDHW, or Tensor or NTensor
// CHECK: {{^ +\^\^\^\^$}}
func.func private @f(tensor<1x2x3x4xf32, #npu.layout<OHWC>>)

// -----

/// A letter is missing.
// CHECK: :[[# @LINE + 2]]:54: error: 'NHC' is not a layout: expected a permutation of NCW, NCHW, NCDHW, OIW, OIHW or OIDHW, or Tensor or NTensor
// CHECK: {{^ +\^\^\^$}}
func.func private @f(tensor<1x2x3x4xf32, #npu.layout<NHC>>)

// -----

/// An axis without the one before it: H, but not W.
// CHECK: :[[# @LINE + 2]]:54: error: 'NCH' is not a layout: expected a permutation of NCW, NCHW, NCDHW, OIW, OIHW or OIDHW, or Tensor or NTensor
// CHECK: {{^ +\^\^\^$}}
func.func private @f(tensor<1x2x3x4xf32, #npu.layout<NCH>>)

// -----

/// Letters are capital.
// CHECK: :[[# @LINE + 2]]:54: error: 'nhwc' is not a layout: expected a permutation of NCW, NCHW, NCDHW, OIW, OIHW or OIDHW, or Tensor or NTensor
// CHECK: {{^ +\^\^\^\^$}}
func.func private @f(tensor<1x2x3x4xf32, #npu.layout<nhwc>>)

// -----

/// The order of a layout with letters is that of the letters.
// CHECK: :[[# @LINE + 2]]:54: error: 'NHWC, [0, 1, 2, 3]' is not a layout: expected a permutation of NCW, NCHW, NCDHW, OIW, OIHW or OIDHW, or Tensor or NTensor
// CHECK: {{^ +\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^$}}
func.func private @f(tensor<1x2x3x4xf32, #npu.layout<NHWC, [0, 1, 2, 3]>>)

// -----

/// Not a layout.
// CHECK: :[[# @LINE + 2]]:54: error: expected a layout such as NHWC, HWOI or Tensor
// CHECK: {{^ +\^$}}
func.func private @f(tensor<1x2x3x4xf32, #npu.layout<>>)

// -----

/// A string is not a layout.
// CHECK: :[[# @LINE + 2]]:54: error: expected a layout such as NHWC, HWOI or Tensor
// CHECK: {{^ +\^\^\^\^\^\^$}}
func.func private @f(tensor<1x2x3x4xf32, #npu.layout<"NHWC">>)

// -----

/// No bracket.
// CHECK: :[[# @LINE + 2]]:53: error: '<' expected
// CHECK: {{^ +\^$}}
func.func private @f(tensor<1x2x3x4xf32, #npu.layout>)

// -----

/// The bracket is not closed.
// CHECK: :[[# @LINE + 2]]:59: error: Expected '>' after builtin parameter list
// CHECK: {{^ +\^$}}
func.func private @f(tensor<1x2x3x4xf32, #npu.layout<NHWC>)

// -----

/// An axis twice.
// CHECK: :[[# @LINE + 2]]:54: error: [0, 0] is not a permutation
// CHECK: {{^ +\^\^\^\^\^\^\^\^\^\^\^\^\^\^$}}
func.func private @f(tensor<1x2x3x4xf32, #npu.layout<Tensor, [0, 0]>>)

// -----

/// An axis that the rank does not have.
// CHECK: :[[# @LINE + 2]]:54: error: [0, 1, 2, 4] is not a permutation
// CHECK: {{^ +\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^$}}
func.func private @f(tensor<1x2x3x4xf32, #npu.layout<Tensor, [0, 1, 2, 4]>>)

// -----

/// Axes are not negative.
// CHECK: :[[# @LINE + 2]]:54: error: [0, -1] is not a permutation
// CHECK: {{^ +\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^$}}
func.func private @f(tensor<1x2x3x4xf32, #npu.layout<Tensor, [0, -1]>>)

// -----

/// No axes.
// CHECK: :[[# @LINE + 2]]:54: error: an axis is missing
// CHECK: {{^ +\^\^\^\^\^\^\^\^\^\^$}}
func.func private @f(tensor<1x2x3x4xf32, #npu.layout<Tensor, []>>)

// -----

/// No number between two commas.
// CHECK: :[[# @LINE + 2]]:66: error: Expected integer literal
// CHECK: {{^ +\^$}}
func.func private @f(tensor<1x2x3x4xf32, #npu.layout<Tensor, [0, , 1]>>)

// -----

/// Axes have numbers.
// CHECK: :[[# @LINE + 2]]:63: error: Expected integer literal
// CHECK: {{^ +\^$}}
func.func private @f(tensor<1x2x3x4xf32, #npu.layout<Tensor, [H, W]>>)

// -----

/// The list is not closed.
// CHECK: :[[# @LINE + 2]]:67: error: ']' expected
// CHECK: {{^ +\^$}}
func.func private @f(tensor<1x2x3x4xf32, #npu.layout<Tensor, [1, 0>>)

// -----

/// No comma before the list.
// CHECK: :[[# @LINE + 2]]:61: error: '>' expected
// CHECK: {{^ +\^$}}
func.func private @f(tensor<1x2x3x4xf32, #npu.layout<Tensor [1, 0]>>)

// -----

/// A list without brackets.
// CHECK: :[[# @LINE + 2]]:62: error: expected an order in brackets, the size of an axis, or zeros
// CHECK: {{^ +\^$}}
func.func private @f(tensor<1x2x3x4xf32, #npu.layout<Tensor, 1, 0>>)

// -----

/// A high rank keeps its order.
// CHECK: :[[# @LINE + 2]]:54: error: a tensor of rank 7 cannot be re-ordered: ranks above 6 keep their order
// CHECK: {{^ +\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^$}}
func.func private @f(tensor<1x2x3x4xf32, #npu.layout<Tensor, [6, 5, 4, 3, 2, 1, 0]>>)

// -----

/// A batch of matrices has a batch.
// CHECK: :[[# @LINE + 2]]:54: error: NTensor is for ranks 3 to 6, the tensor is of rank 2
// CHECK: {{^ +\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^$}}
func.func private @f(tensor<1x2x3x4xf32, #npu.layout<NTensor, [1, 0]>>)

// -----

/// Letters fit one rank only.
// CHECK: :[[# @LINE + 2]]:22: error: layout NHWC is of rank 4, the tensor of rank 3
// CHECK: {{^ +\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^$}}
func.func private @f(tensor<1x2x3xf32, #npu.layout<NHWC>>)

// -----

/// An order fits one rank only.
// CHECK: :[[# @LINE + 2]]:22: error: layout Tensor, [1, 0] is of rank 2, the tensor of rank 4
// CHECK: {{^ +\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^$}}
func.func private @f(tensor<1x2x3x4xf32, #npu.layout<Tensor, [1, 0]>>)

// -----

/// Batches of matrices have at least rank 3.
// CHECK: :[[# @LINE + 2]]:22: error: NTensor is for ranks 3 to 6, the tensor is of rank 2
// CHECK: {{^ +\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^$}}
func.func private @f(tensor<2x3xf32, #npu.layout<NTensor>>)

// -----

/// Batches of matrices have at most rank 6.
// CHECK: :[[# @LINE + 2]]:22: error: NTensor is for ranks 3 to 6, the tensor is of rank 7
// CHECK: {{^ +\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^$}}
func.func private @f(tensor<1x2x3x4x5x6x7xf32, #npu.layout<NTensor>>)

// -----

/// The type within another type is the one that is wrong.
// CHECK: :[[# @LINE + 2]]:28: error: layout NHWC is of rank 4, the tensor of rank 1
// CHECK: {{^ +\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^\^$}}
func.func private @f(tuple<tensor<1xf32, #npu.layout<NHWC>>>)

// -----

/// Dimensions of the operand have numbers.
// CHECK: :[[# @LINE + 2]]:51: error: expected @in followed by a dimension of the operand
// CHECK: {{^ +\^\^\^$}}
func.func private @f() attributes {a = #npu.dims<[@in, 3]>}

// -----

/// Dimensions come from `@in` only.
// CHECK: :[[# @LINE + 2]]:54: error: expected @in followed by a dimension of the operand
// CHECK: {{^ +\^\^\^\^\^$}}
func.func private @f() attributes {a = #npu.dims<[3, @out0]>}

// -----

/// No dimension is negative.
// CHECK: :[[# @LINE + 2]]:51: error: Expected integer literal, @in0 or ?
// CHECK: {{^ +\^$}}
func.func private @f() attributes {a = #npu.dims<[-1]>}

// -----

/// A truth value is not a dimension.
// CHECK: :[[# @LINE + 2]]:51: error: Expected integer literal, @in0 or ?
// CHECK: {{^ +\^\^\^\^$}}
func.func private @f() attributes {a = #npu.dims<[true]>}

// -----

/// Dimensions are a list.
// CHECK: :[[# @LINE + 2]]:50: error: '[' expected
// CHECK: {{^ +\^$}}
func.func private @f() attributes {a = #npu.dims<3>}

// -----

/// The list of dimensions is not closed.
// CHECK: :[[# @LINE + 2]]:52: error: ']' expected
// CHECK: {{^ +\^$}}
func.func private @f() attributes {a = #npu.dims<[3>}

// -----

/// Further text after a list of dimensions.
// CHECK: :[[# @LINE + 2]]:53: error: '>' expected
// CHECK: {{^ +\^$}}
func.func private @f() attributes {a = #npu.dims<[3], 4>}

// -----

/// A reference without its key.
// CHECK: :[[# @LINE + 2]]:58: error: Expected ','
// CHECK: {{^ +\^$}}
func.func private @f() attributes {a = #npu.reference<"w">}

// -----

/// The file is a string.
// CHECK: :[[# @LINE + 2]]:55: error: string literal expected of the file
// CHECK: {{^ +\^$}}
func.func private @f() attributes {a = #npu.reference<w, "k">}

// -----

/// The key is a string.
// CHECK: :[[# @LINE + 2]]:60: error: string literal expected of the key
// CHECK: {{^ +\^$}}
func.func private @f() attributes {a = #npu.reference<"w", k>}

// -----

/// The list of a reference is a permutation.
// CHECK: :[[# @LINE + 2]]:65: error: [0, 2] is not a permutation
// CHECK: {{^ +\^\^\^\^\^\^$}}
func.func private @f() attributes {a = #npu.reference<"w", "k", [0, 2]>}

// -----

/// The permutation of a reference is a list.
// CHECK: :[[# @LINE + 2]]:65: error: '[' expected
// CHECK: {{^ +\^$}}
func.func private @f() attributes {a = #npu.reference<"w", "k", 1>}

// -----

/// Further text after a permutation.
// CHECK: :[[# @LINE + 2]]:68: error: '>' expected
// CHECK: {{^ +\^$}}
func.func private @f() attributes {a = #npu.reference<"w", "k", [0], 1>}

// -----

/// The list of a reshaped reference is a permutation, without further text.
// CHECK: :[[# @LINE + 2]]:74: error: [1, 1] is not a permutation
// CHECK: {{^ +\^\^\^\^\^\^$}}
func.func private @f() attributes {a = #npu.reference<"w", "k", reshaped [1, 1]>}

// -----

/// A step of a reference has as many sizes as axes.
// CHECK: :[[# @LINE + 2]]:75: error: expected the sizes of 2 axes, found [3]
// CHECK: {{^ +\^\^\^$}}
func.func private @f() attributes {a = #npu.reference<"w", "k", [1, 0] of [3], reshaped>}

// -----

/// No size is negative.
// CHECK: :[[# @LINE + 2]]:79: error: Expected integer literal
// CHECK: {{^ +\^$}}
func.func private @f() attributes {a = #npu.reference<"w", "k", [1, 0] of [3, -1], reshaped>}

// -----

/// A step with a shape is not the last one.
// CHECK: :[[# @LINE + 2]]:81: error: Expected ',': a step with a shape must be followed by another step
// CHECK: {{^ +\^$}}
func.func private @f() attributes {a = #npu.reference<"w", "k", [1, 0] of [3, 6]>}

// -----

/// The steps after the first one reshape.
// CHECK: :[[# @LINE + 2]]:83: error: Expected 'reshaped'
// CHECK: {{^ +\^$}}
func.func private @f() attributes {a = #npu.reference<"w", "k", [1, 0] of [3, 6], [1, 0]>}

// -----

/// The type of the constant determines the last reshape of a reference.
// CHECK: :[[# @LINE + 2]]:74: error: '>' expected
// CHECK: {{^ +\^$}}
func.func private @f() attributes {a = #npu.reference<"w", "k", reshaped 2>}

// -----

/// A bracket of a reference is missing.
// CHECK: :[[# @LINE + 2]]:63: error: '>' expected
// CHECK: {{^ +\^$}}
func.func private @f() attributes {a = #npu.reference<"w", "k"}

// -----

/// An attribute that the dialect does not have.
// CHECK: :[[# @LINE + 2]]:50: error: 'npu.order' is not registered
// CHECK: {{^ +\^$}}
func.func private @f() attributes {a = #npu.order<NHWC>}
