// RUN: npu-opt %s --canonicalize --split-input-file | filecheck %s
// RUN: npu-opt %s --canonicalize --canonicalize --split-input-file | filecheck %s

/// A transposed constant is written in its new order.
// CHECK-LABEL: func.func @dense
// CHECK-SAME:    () -> tensor<3x2xf32> {
// CHECK-NEXT:    %t = npu.constant dense<[{{\[}}1.000000e+00, 4.000000e+00], [2.000000e+00, 5.000000e+00], [3.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// CHECK-NEXT:    func.return %t : tensor<3x2xf32>
// CHECK-NEXT:  }
func.func @dense() -> tensor<3x2xf32> {
  %w = npu.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %t = npu.transpose %w permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  func.return %t : tensor<3x2xf32>
}

// -----

/// A kernel is transposed to the hardware's order, also in several steps.
// CHECK-LABEL: func.func @kernel
// CHECK-SAME:    () -> tensor<1x1x2x3xf32, #npu.layout<HWOI>> {
// CHECK-NEXT:    %k = npu.constant dense<[{{\[}}{{\[}}{{\[}}1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]]]> : tensor<1x1x2x3xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    func.return %k : tensor<1x1x2x3xf32, #npu.layout<HWOI>>
// CHECK-NEXT:  }
func.func @kernel() -> tensor<1x1x2x3xf32, #npu.layout<HWOI>> {
  %w = npu.constant dense<[[[[1.0]], [[2.0]], [[3.0]]], [[[4.0]], [[5.0]], [[6.0]]]]>
    : tensor<2x3x1x1xf32, #npu.layout<Tensor>>
  %r = npu.relabel %w : (tensor<2x3x1x1xf32, #npu.layout<Tensor>>) -> tensor<2x3x1x1xf32, #npu.layout<OIHW>>
  %t = npu.transpose %r permutation = [1, 0, 2, 3]
    : (tensor<2x3x1x1xf32, #npu.layout<OIHW>>) -> tensor<3x2x1x1xf32, #npu.layout<IOHW>>
  %k = npu.transpose %t permutation = [2, 3, 1, 0]
    : (tensor<3x2x1x1xf32, #npu.layout<IOHW>>) -> tensor<1x1x2x3xf32, #npu.layout<HWOI>>
  func.return %k : tensor<1x1x2x3xf32, #npu.layout<HWOI>>
}

// -----

/// Elements of every type are moved as bytes.
// CHECK-LABEL: func.func @element_types
// CHECK-SAME:    () -> (tensor<2x2xi1>, tensor<2x2xi4>, tensor<2x2xbf16>, tensor<2x2xi64>) {
// CHECK-NEXT:    %c = npu.constant dense<[{{\[}}true, true], [false, true]]> : tensor<2x2xi1>
// CHECK-NEXT:    %j = npu.constant dense<[{{\[}}1, 3], [-2, -4]]> : tensor<2x2xi4>
// CHECK-NEXT:    %g = npu.constant dense<[{{\[}}1.000000e+00, 3.000000e+00], [2.000000e+00, -4.000000e+00]]> : tensor<2x2xbf16>
// CHECK-NEXT:    %m = npu.constant dense<[{{\[}}1, 3], [2, -9223372036854775808]]> : tensor<2x2xi64>
// CHECK-NEXT:    func.return %c, %j, %g, %m : tensor<2x2xi1>, tensor<2x2xi4>, tensor<2x2xbf16>, tensor<2x2xi64>
// CHECK-NEXT:  }
func.func @element_types() -> (tensor<2x2xi1>, tensor<2x2xi4>, tensor<2x2xbf16>, tensor<2x2xi64>) {
  %b = npu.constant dense<[[true, false], [true, true]]> : tensor<2x2xi1>
  %c = npu.transpose %b permutation = [1, 0] : tensor<2x2xi1>
  %i = npu.constant dense<[[1, -2], [3, -4]]> : tensor<2x2xi4>
  %j = npu.transpose %i permutation = [1, 0] : tensor<2x2xi4>
  %f = npu.constant dense<"0x803F0040404080C0"> : tensor<2x2xbf16>
  %g = npu.transpose %f permutation = [1, 0] : tensor<2x2xbf16>
  %l = npu.constant dense<[[1, 2], [3, -9223372036854775808]]> : tensor<2x2xi64>
  %m = npu.transpose %l permutation = [1, 0] : tensor<2x2xi64>
  func.return %c, %j, %g, %m : tensor<2x2xi1>, tensor<2x2xi4>, tensor<2x2xbf16>, tensor<2x2xi64>
}

// -----

/// A splat stays a splat, and no elements stay none.
// CHECK-LABEL: func.func @splats
// CHECK-SAME:    () -> (tensor<8x4xf32>, tensor<32xf32>, tensor<3x0xf32>, tensor<1xi8>) {
// CHECK-NEXT:    %t = npu.constant dense<5.000000e-01> : tensor<8x4xf32>
// CHECK-NEXT:    %r = npu.constant dense<5.000000e-01> : tensor<32xf32>
// CHECK-NEXT:    %f = npu.constant dense<> : tensor<3x0xf32>
// CHECK-NEXT:    %p = npu.constant dense<7> : tensor<1xi8>
// CHECK-NEXT:    func.return %t, %r, %f, %p : tensor<8x4xf32>, tensor<32xf32>, tensor<3x0xf32>, tensor<1xi8>
// CHECK-NEXT:  }
func.func @splats() -> (tensor<8x4xf32>, tensor<32xf32>, tensor<3x0xf32>, tensor<1xi8>) {
  %s = npu.constant dense<0.5> : tensor<4x8xf32>
  %t = npu.transpose %s permutation = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %r = npu.reshape %s : (tensor<4x8xf32>) -> tensor<32xf32>
  %e = npu.constant dense<> : tensor<0x3xf32>
  %f = npu.transpose %e permutation = [1, 0] : (tensor<0x3xf32>) -> tensor<3x0xf32>
  %o = npu.constant dense<7> : tensor<i8>
  %p = npu.reshape %o : (tensor<i8>) -> tensor<1xi8>
  func.return %t, %r, %f, %p : tensor<8x4xf32>, tensor<32xf32>, tensor<3x0xf32>, tensor<1xi8>
}

// -----

/// A constant with other uses is written twice.
// CHECK-LABEL: func.func @several_users
// CHECK-SAME:    (%x: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
// CHECK-NEXT:    %w = npu.constant dense<[{{\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT:    %t = npu.constant dense<[{{\[}}1.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT:    %a = npu.add %x, %w : tensor<2x2xf32>
// CHECK-NEXT:    %b = npu.add %x, %t : tensor<2x2xf32>
// CHECK-NEXT:    func.return %a, %b : tensor<2x2xf32>, tensor<2x2xf32>
// CHECK-NEXT:  }
func.func @several_users(%x: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %w = npu.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %t = npu.transpose %w permutation = [1, 0] : tensor<2x2xf32>
  %a = npu.add %x, %w : tensor<2x2xf32>
  %b = npu.add %x, %t : tensor<2x2xf32>
  func.return %a, %b : tensor<2x2xf32>, tensor<2x2xf32>
}

// -----

/// Equal views of a constant with two users are one constant, and attributes of the constant stay.
// CHECK-LABEL: func.func @twins
// CHECK-SAME:    () -> (tensor<2x2xf32>, tensor<2x2xf32>) {
// CHECK-NEXT:    %s = npu.constant {note = "kernel"} dense<[{{\[}}1.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT:    func.return %s, %s : tensor<2x2xf32>, tensor<2x2xf32>
// CHECK-NEXT:  }
func.func @twins() -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %w = npu.constant {note = "kernel"} dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %s = npu.transpose %w permutation = [1, 0] : tensor<2x2xf32>
  %t = npu.transpose %w permutation = [1, 0] : tensor<2x2xf32>
  func.return %s, %t : tensor<2x2xf32>, tensor<2x2xf32>
}

// -----

/// A constant in a file is permuted when it is loaded; permutations are composed, and the identity is omitted.
// CHECK-LABEL: func.func @references
// CHECK-SAME:    () -> (tensor<3x3x8x4xf32, #npu.layout<HWOI>>, tensor<4x5x3xf32>, tensor<3x4x5xf32>) {
// CHECK-NEXT:    %k = npu.constant #npu.reference<"weights.safetensors", "conv1", [2, 3, 0, 1]> : tensor<3x3x8x4xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %q = npu.constant #npu.reference<"weights.safetensors", "p", [1, 2, 0]> : tensor<4x5x3xf32>
// CHECK-NEXT:    %r = npu.constant #npu.reference<"weights.safetensors", "p"> : tensor<3x4x5xf32>
// CHECK-NEXT:    func.return %k, %q, %r : tensor<3x3x8x4xf32, #npu.layout<HWOI>>, tensor<4x5x3xf32>, tensor<3x4x5xf32>
// CHECK-NEXT:  }
func.func @references() -> (tensor<3x3x8x4xf32, #npu.layout<HWOI>>, tensor<4x5x3xf32>, tensor<3x4x5xf32>) {
  %w = npu.constant #npu.reference<"weights.safetensors", "conv1"> : tensor<8x4x3x3xf32, #npu.layout<OIHW>>
  %k = npu.transpose %w permutation = [2, 3, 0, 1]
    : (tensor<8x4x3x3xf32, #npu.layout<OIHW>>) -> tensor<3x3x8x4xf32, #npu.layout<HWOI>>
  %p = npu.constant #npu.reference<"weights.safetensors", "p", [2, 0, 1]> : tensor<5x3x4xf32>
  %q = npu.transpose %p permutation = [2, 0, 1] : (tensor<5x3x4xf32>) -> tensor<4x5x3xf32>
  %r = npu.transpose %p permutation = [1, 2, 0] : (tensor<5x3x4xf32>) -> tensor<3x4x5xf32>
  func.return %k, %q, %r : tensor<3x3x8x4xf32, #npu.layout<HWOI>>, tensor<4x5x3xf32>, tensor<3x4x5xf32>
}

// -----

/// A reshape of a constant in a file becomes a read step, and so does a transpose after it.
// CHECK-LABEL: func.func @reshaped_reference
// CHECK-SAME:    () -> (tensor<8x36xf32>, tensor<36x8xf32>, tensor<8x4x9xf32, #npu.layout<OIW>>) {
// CHECK-NEXT:    %r = npu.constant #npu.reference<"weights.safetensors", "fc", reshaped> : tensor<8x36xf32>
// CHECK-NEXT:    %t = npu.constant #npu.reference<"weights.safetensors", "fc", reshaped [1, 0]> : tensor<36x8xf32>
// CHECK-NEXT:    %l = npu.constant #npu.reference<"weights.safetensors", "v"> : tensor<8x4x9xf32, #npu.layout<OIW>>
// CHECK-NEXT:    func.return %r, %t, %l : tensor<8x36xf32>, tensor<36x8xf32>, tensor<8x4x9xf32, #npu.layout<OIW>>
// CHECK-NEXT:  }
func.func @reshaped_reference() -> (tensor<8x36xf32>, tensor<36x8xf32>, tensor<8x4x9xf32, #npu.layout<OIW>>) {
  %w = npu.constant #npu.reference<"weights.safetensors", "fc"> : tensor<8x4x3x3xf32>
  %r = npu.reshape %w : (tensor<8x4x3x3xf32>) -> tensor<8x36xf32>
  %t = npu.transpose %r permutation = [1, 0] : (tensor<8x36xf32>) -> tensor<36x8xf32>
  %v = npu.constant #npu.reference<"weights.safetensors", "v"> : tensor<8x4x9xf32>
  %l = npu.relabel %v : (tensor<8x4x9xf32>) -> tensor<8x4x9xf32, #npu.layout<OIW>>
  func.return %r, %t, %l : tensor<8x36xf32>, tensor<36x8xf32>, tensor<8x4x9xf32, #npu.layout<OIW>>
}

// -----

/// The transpose may split an axis of the file, and one that was permuted already.
// CHECK-LABEL: func.func @cut_references
// CHECK-SAME:    () -> (tensor<2x8x2xf32>, tensor<3x2x4xf32>, tensor<2x2x1x6xf32>) {
// CHECK-NEXT:    %t = npu.constant {note = "fc"} #npu.reference<"weights.safetensors", "fc", reshaped [2, 0, 1]> : tensor<2x8x2xf32>
// CHECK-NEXT:    %b = npu.constant #npu.reference<"weights.safetensors", "odd", reshaped [1, 0, 2]> : tensor<3x2x4xf32>
// CHECK-NEXT:    %v = npu.constant #npu.reference<"weights.safetensors", "p", reshaped [1, 2, 0, 3]> : tensor<2x2x1x6xf32>
// CHECK-NEXT:    func.return %t, %b, %v : tensor<2x8x2xf32>, tensor<3x2x4xf32>, tensor<2x2x1x6xf32>
// CHECK-NEXT:  }
func.func @cut_references() -> (tensor<2x8x2xf32>, tensor<3x2x4xf32>, tensor<2x2x1x6xf32>) {
  %w = npu.constant {note = "fc"} #npu.reference<"weights.safetensors", "fc"> : tensor<8x4xf32>
  %r = npu.reshape %w : (tensor<8x4xf32>) -> tensor<8x2x2xf32>
  %t = npu.transpose %r permutation = [2, 0, 1] {note = "moved"} : (tensor<8x2x2xf32>) -> tensor<2x8x2xf32>
  %o = npu.constant #npu.reference<"weights.safetensors", "odd"> : tensor<4x6xf32>
  %a = npu.reshape %o : (tensor<4x6xf32>) -> tensor<2x3x4xf32>
  %b = npu.transpose %a permutation = [1, 0, 2] : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
  %p = npu.constant #npu.reference<"weights.safetensors", "p", [1, 0]> : tensor<6x4xf32>
  %s = npu.reshape %p : (tensor<6x4xf32>) -> tensor<6x2x2xf32>
  %u = npu.reshape %s : (tensor<6x2x2xf32>) -> tensor<1x6x2x2xf32>
  %v = npu.transpose %u permutation = [2, 3, 0, 1] : (tensor<1x6x2x2xf32>) -> tensor<2x2x1x6xf32>
  func.return %t, %b, %v : tensor<2x8x2xf32>, tensor<3x2x4xf32>, tensor<2x2x1x6xf32>
}

// -----

/// Several read steps, if one shape and one permutation are not enough: permuted axes are merged.
// CHECK-LABEL: func.func @joined_reference
// CHECK-SAME:    () -> tensor<3x24xf32> {
// CHECK-NEXT:    %t = npu.constant #npu.reference<"weights.safetensors", "fc", [1, 0, 2] of [4, 6, 3], reshaped [1, 0]> : tensor<3x24xf32>
// CHECK-NEXT:    func.return %t : tensor<3x24xf32>
// CHECK-NEXT:  }
func.func @joined_reference() -> tensor<3x24xf32> {
  %w = npu.constant #npu.reference<"weights.safetensors", "fc", [1, 0, 2]> : tensor<6x4x3xf32>
  %r = npu.reshape %w : (tensor<6x4x3xf32>) -> tensor<24x3xf32>
  %t = npu.transpose %r permutation = [1, 0] : (tensor<24x3xf32>) -> tensor<3x24xf32>
  func.return %t : tensor<3x24xf32>
}

// -----

/// Also for pairs of numbers from rows of three. Inverse steps are omitted.
// CHECK-LABEL: func.func @uneven_reference
// CHECK-SAME:    () -> (tensor<2x9xf32>, tensor<9x2xf32>, tensor<3x6xf32>, tensor<3x3x2xf32>) {
// CHECK-NEXT:    %t = npu.constant #npu.reference<"weights.safetensors", "fc", [1, 0] of [3, 6], reshaped [1, 0]> : tensor<2x9xf32>
// CHECK-NEXT:    %u = npu.constant #npu.reference<"weights.safetensors", "fc", [1, 0] of [3, 6], reshaped> : tensor<9x2xf32>
// CHECK-NEXT:    %w1 = npu.constant #npu.reference<"weights.safetensors", "fc"> : tensor<3x6xf32>
// CHECK-NEXT:    %c = npu.constant #npu.reference<"weights.safetensors", "fc", [1, 0] of [3, 6], reshaped [1, 0] of [9, 2], reshaped [1, 0, 2]> : tensor<3x3x2xf32>
// CHECK-NEXT:    func.return %t, %u, %w1, %c : tensor<2x9xf32>, tensor<9x2xf32>, tensor<3x6xf32>, tensor<3x3x2xf32>
// CHECK-NEXT:  }
func.func @uneven_reference() -> (tensor<2x9xf32>, tensor<9x2xf32>, tensor<3x6xf32>, tensor<3x3x2xf32>) {
  %w = npu.constant #npu.reference<"weights.safetensors", "fc", [1, 0]> : tensor<6x3xf32>
  %r = npu.reshape %w : (tensor<6x3xf32>) -> tensor<9x2xf32>
  %t = npu.transpose %r permutation = [1, 0] : (tensor<9x2xf32>) -> tensor<2x9xf32>
  %u = npu.transpose %t permutation = [1, 0] : (tensor<2x9xf32>) -> tensor<9x2xf32>
  %v = npu.reshape %u : (tensor<9x2xf32>) -> tensor<6x3xf32>
  %w1 = npu.transpose %v permutation = [1, 0] : (tensor<6x3xf32>) -> tensor<3x6xf32>
  %a = npu.reshape %t : (tensor<2x9xf32>) -> tensor<3x3x2xf32>
  %c = npu.transpose %a permutation = [1, 0, 2] : tensor<3x3x2xf32>
  func.return %t, %u, %w1, %c : tensor<2x9xf32>, tensor<9x2xf32>, tensor<3x6xf32>, tensor<3x3x2xf32>
}

// -----

/// A constant has static sizes, even if intermediate types have dynamic ones.
// CHECK-LABEL: func.func @unknown_on_the_way
// CHECK-SAME:    () -> (tensor<4x8xf32>, tensor<3x2xf32, #npu.layout<Tensor>>) {
// CHECK-NEXT:    %u = npu.constant #npu.reference<"weights.safetensors", "v", reshaped [1, 0]> : tensor<4x8xf32>
// CHECK-NEXT:    %t = npu.constant dense<[{{\[}}1.000000e+00, 4.000000e+00], [2.000000e+00, 5.000000e+00], [3.000000e+00, 6.000000e+00]]> : tensor<3x2xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %u, %t : tensor<4x8xf32>, tensor<3x2xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @unknown_on_the_way() -> (tensor<4x8xf32>, tensor<3x2xf32, #npu.layout<Tensor>>) {
  %v = npu.constant #npu.reference<"weights.safetensors", "v"> : tensor<32xf32>
  %s = npu.reshape %v : (tensor<32xf32>) -> tensor<?x4xf32>
  %u = npu.transpose %s permutation = [1, 0] : (tensor<?x4xf32>) -> tensor<4x8xf32>
  %w = npu.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %a = npu.reshape %w : (tensor<6xf32>) -> tensor<?x3xf32>
  %b = npu.reshape %a dims = [@in0, ?] : (tensor<?x3xf32>) -> tensor<?x?xf32>
  %c = npu.relabel %b : (tensor<?x?xf32>) -> tensor<?x?xf32, #npu.layout<Tensor>>
  %t = npu.transpose %c permutation = [1, 0]
    : (tensor<?x?xf32, #npu.layout<Tensor>>) -> tensor<3x2xf32, #npu.layout<Tensor>>
  func.return %u, %t : tensor<4x8xf32>, tensor<3x2xf32, #npu.layout<Tensor>>
}

// -----

/// Reshapes restore the dynamic sizes of the result, one each, then a relabel its letters; the last view has the name and the attributes.
// CHECK-LABEL: func.func @unknown_size
// CHECK-SAME:    () -> (tensor<?x2xf32>, tensor<?x?x2xf32, #npu.layout<NWC>>) {
// CHECK-NEXT:    %0 = npu.constant {note = "w"} dense<[{{\[}}1.000000e+00, 4.000000e+00], [2.000000e+00, 5.000000e+00], [3.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// CHECK-NEXT:    %t = npu.reshape %0 {note = "moved"} : (tensor<3x2xf32>) -> tensor<?x2xf32>
// CHECK-NEXT:    %1 = npu.constant dense<1.000000e+00> : tensor<1x3x2xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %2 = npu.reshape %1 : (tensor<1x3x2xf32, #npu.layout<Tensor>>) -> tensor<?x3x2xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %3 = npu.reshape %2 dims = [@in0, ?, 2] : (tensor<?x3x2xf32, #npu.layout<Tensor>>) -> tensor<?x?x2xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %u = npu.relabel %3 : (tensor<?x?x2xf32, #npu.layout<Tensor>>) -> tensor<?x?x2xf32, #npu.layout<NWC>>
// CHECK-NEXT:    func.return %t, %u : tensor<?x2xf32>, tensor<?x?x2xf32, #npu.layout<NWC>>
// CHECK-NEXT:  }
func.func @unknown_size() -> (tensor<?x2xf32>, tensor<?x?x2xf32, #npu.layout<NWC>>) {
  %w = npu.constant {note = "w"} dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %t = npu.transpose %w permutation = [1, 0] {note = "moved"} : (tensor<2x3xf32>) -> tensor<?x2xf32>
  %v = npu.constant dense<1.0> : tensor<1x2x3xf32, #npu.layout<NCW>>
  %u = npu.transpose %v permutation = [0, 2, 1]
    : (tensor<1x2x3xf32, #npu.layout<NCW>>) -> tensor<?x?x2xf32, #npu.layout<NWC>>
  func.return %t, %u : tensor<?x2xf32>, tensor<?x?x2xf32, #npu.layout<NWC>>
}

// -----

/// Left alone because the types contradict each other: six numbers are not three rows of three.
// CHECK-LABEL: func.func @impossible
// CHECK-SAME:    () -> tensor<3x3xf32> {
// CHECK-NEXT:    %w = npu.constant dense<1.000000e+00> : tensor<6xf32>
// CHECK-NEXT:    %r = npu.reshape %w : (tensor<6xf32>) -> tensor<?x3xf32>
// CHECK-NEXT:    %t = npu.transpose %r permutation = [1, 0] : (tensor<?x3xf32>) -> tensor<3x3xf32>
// CHECK-NEXT:    func.return %t : tensor<3x3xf32>
// CHECK-NEXT:  }
func.func @impossible() -> tensor<3x3xf32> {
  %w = npu.constant dense<1.0> : tensor<6xf32>
  %r = npu.reshape %w : (tensor<6xf32>) -> tensor<?x3xf32>
  %t = npu.transpose %r permutation = [1, 0] : (tensor<?x3xf32>) -> tensor<3x3xf32>
  func.return %t : tensor<3x3xf32>
}

// -----

/// A reshape cannot infer a dynamic size beside a size of 0. Nothing is moved anyway.
// CHECK-LABEL: func.func @no_elements
// CHECK-SAME:    () -> tensor<0x?xf32> {
// CHECK-NEXT:    %w = npu.constant dense<> : tensor<2x0xf32>
// CHECK-NEXT:    %t = npu.transpose %w permutation = [1, 0] : (tensor<2x0xf32>) -> tensor<0x?xf32>
// CHECK-NEXT:    func.return %t : tensor<0x?xf32>
// CHECK-NEXT:  }
func.func @no_elements() -> tensor<0x?xf32> {
  %w = npu.constant dense<> : tensor<2x0xf32>
  %t = npu.transpose %w permutation = [1, 0] : (tensor<2x0xf32>) -> tensor<0x?xf32>
  func.return %t : tensor<0x?xf32>
}
