// RUN: npu-opt %s --canonicalize | filecheck %s
// RUN: npu-opt %s --canonicalize --canonicalize | filecheck %s
// RUN: npu-opt %s --canonicalize -o %t.mlir
// RUN: npu-check %s %t.mlir

/// An unpack of a pack is the operand, or a transpose of it.
// CHECK-LABEL: func.func @unpack_of_pack(
// CHECK-NEXT:  %other = npu.transpose %x permutation = [0, 3, 1, 2] : (tensor<1x8x8x40xf32, #npu.layout<NHWC>>) -> tensor<1x40x8x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  func.return %x, %other : tensor<1x8x8x40xf32, #npu.layout<NHWC>>, tensor<1x40x8x8xf32, #npu.layout<NCHW>>
func.func @unpack_of_pack(%x: tensor<1x8x8x40xf32, #npu.layout<NHWC>>) -> (tensor<1x8x8x40xf32, #npu.layout<NHWC>>, tensor<1x40x8x8xf32, #npu.layout<NCHW>>) {
  %p = npu.pack %x : (tensor<1x8x8x40xf32, #npu.layout<NHWC>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>
  %same = npu.unpack %p : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) -> tensor<1x8x8x40xf32, #npu.layout<NHWC>>
  %other = npu.unpack %p : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) -> tensor<1x40x8x8xf32, #npu.layout<NCHW>>
  return %same, %other : tensor<1x8x8x40xf32, #npu.layout<NHWC>>, tensor<1x40x8x8xf32, #npu.layout<NCHW>>
}

/// A pack of an unpack is the operand, a relabel that forgets zeros, or a transpose.
// CHECK-LABEL: func.func @pack_of_unpack(
// CHECK-NEXT:  %any = npu.relabel %x : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>
// CHECK-NEXT:  %moved = npu.transpose %x permutation = [0, 2, 1, 3, 4] : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>) -> tensor<1x8x3x8x16xf32, #npu.layout<NHCW16c, C = 40, zeros>>
// CHECK-NEXT:  func.return %x, %any, %moved : tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>, tensor<1x8x3x8x16xf32, #npu.layout<NHCW16c, C = 40, zeros>>
func.func @pack_of_unpack(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>) -> (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>, tensor<1x8x3x8x16xf32, #npu.layout<NHCW16c, C = 40, zeros>>) {
  %u = npu.unpack %x : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>) -> tensor<1x40x8x8xf32, #npu.layout<NCHW>>
  %same = npu.pack %u : (tensor<1x40x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
  %any = npu.pack %u : (tensor<1x40x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>
  %moved = npu.pack %u : (tensor<1x40x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x8x3x8x16xf32, #npu.layout<NHCW16c, C = 40, zeros>>
  return %same, %any, %moved : tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>, tensor<1x8x3x8x16xf32, #npu.layout<NHCW16c, C = 40, zeros>>
}

/// A pack of an unpack that writes zeros does that alone, in another order of the pieces as well; one to other blocks stays.
// CHECK-LABEL: func.func @writes_zeros(
// CHECK-NEXT:  %u = npu.unpack %x : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) -> tensor<1x40x8x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  %zeros = npu.pack %x : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
// CHECK-NEXT:  %moved = npu.pack %x : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) -> tensor<1x8x3x8x16xf32, #npu.layout<NHCW16c, C = 40, zeros>>
// CHECK-NEXT:  %blocks = npu.pack %u : (tensor<1x40x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x5x8x8x8xf32, #npu.layout<NCHW8c>>
// CHECK-NEXT:  func.return %zeros, %moved, %blocks : tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<1x8x3x8x16xf32, #npu.layout<NHCW16c, C = 40, zeros>>, tensor<1x5x8x8x8xf32, #npu.layout<NCHW8c>>
func.func @writes_zeros(%x: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) -> (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<1x8x3x8x16xf32, #npu.layout<NHCW16c, C = 40, zeros>>, tensor<1x5x8x8x8xf32, #npu.layout<NCHW8c>>) {
  %u = npu.unpack %x : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) -> tensor<1x40x8x8xf32, #npu.layout<NCHW>>
  %zeros = npu.pack %u : (tensor<1x40x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
  %moved = npu.pack %u : (tensor<1x40x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x8x3x8x16xf32, #npu.layout<NHCW16c, C = 40, zeros>>
  %blocks = npu.pack %u : (tensor<1x40x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x5x8x8x8xf32, #npu.layout<NCHW8c>>
  return %zeros, %moved, %blocks : tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>, tensor<1x8x3x8x16xf32, #npu.layout<NHCW16c, C = 40, zeros>>, tensor<1x5x8x8x8xf32, #npu.layout<NCHW8c>>
}

/// Packs and unpacks absorb the transposes around them.
// CHECK-LABEL: func.func @transposes(
// CHECK-NEXT:  %b = npu.pack %x : (tensor<1x8x8x40xf32, #npu.layout<NHWC>>) -> tensor<1x8x3x8x16xf32, #npu.layout<NHCW16c, C = 40>>
// CHECK-NEXT:  %e = npu.exp %b : tensor<1x8x3x8x16xf32, #npu.layout<NHCW16c, C = 40>>
// CHECK-NEXT:  %y = npu.unpack %e : (tensor<1x8x3x8x16xf32, #npu.layout<NHCW16c, C = 40>>) -> tensor<1x40x8x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  func.return %b, %y : tensor<1x8x3x8x16xf32, #npu.layout<NHCW16c, C = 40>>, tensor<1x40x8x8xf32, #npu.layout<NCHW>>
func.func @transposes(%x: tensor<1x8x8x40xf32, #npu.layout<NHWC>>) -> (tensor<1x8x3x8x16xf32, #npu.layout<NHCW16c, C = 40>>, tensor<1x40x8x8xf32, #npu.layout<NCHW>>) {
  %t = npu.transpose %x permutation = [0, 3, 1, 2] : (tensor<1x8x8x40xf32, #npu.layout<NHWC>>) -> tensor<1x40x8x8xf32, #npu.layout<NCHW>>
  %p = npu.pack %t : (tensor<1x40x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>
  %b = npu.transpose %p permutation = [0, 2, 1, 3, 4] : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) -> tensor<1x8x3x8x16xf32, #npu.layout<NHCW16c, C = 40>>
  %e = npu.exp %b : tensor<1x8x3x8x16xf32, #npu.layout<NHCW16c, C = 40>>
  %c = npu.transpose %e permutation = [0, 2, 1, 3, 4] : (tensor<1x8x3x8x16xf32, #npu.layout<NHCW16c, C = 40>>) -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>
  %u = npu.unpack %c : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) -> tensor<1x8x8x40xf32, #npu.layout<NHWC>>
  %y = npu.transpose %u permutation = [0, 3, 1, 2] : (tensor<1x8x8x40xf32, #npu.layout<NHWC>>) -> tensor<1x40x8x8xf32, #npu.layout<NCHW>>
  return %b, %y : tensor<1x8x3x8x16xf32, #npu.layout<NHCW16c, C = 40>>, tensor<1x40x8x8xf32, #npu.layout<NCHW>>
}

/// A transpose of logical axes stays, and so does one of an unpack that another op reads.
// CHECK-LABEL: func.func @other_transposes(
// CHECK-NEXT:  %t = npu.transpose %x permutation = [1, 0] : (tensor<8x40xf32, #npu.layout<Tensor>>) -> tensor<40x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  %p = npu.pack %t : (tensor<40x8xf32, #npu.layout<Tensor>>) -> tensor<3x8x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16], dim 0 = 40>>
// CHECK-NEXT:  %u = npu.unpack %z : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) -> tensor<1x40x8x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  %y = npu.transpose %u permutation = [0, 2, 3, 1] : (tensor<1x40x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x8x8x40xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  func.return %p, %u, %y : tensor<3x8x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16], dim 0 = 40>>, tensor<1x40x8x8xf32, #npu.layout<NCHW>>, tensor<1x8x8x40xf32, #npu.layout<NHWC>>
func.func @other_transposes(%x: tensor<8x40xf32, #npu.layout<Tensor>>, %z: tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) -> (tensor<3x8x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16], dim 0 = 40>>, tensor<1x40x8x8xf32, #npu.layout<NCHW>>, tensor<1x8x8x40xf32, #npu.layout<NHWC>>) {
  %t = npu.transpose %x permutation = [1, 0] : (tensor<8x40xf32, #npu.layout<Tensor>>) -> tensor<40x8xf32, #npu.layout<Tensor>>
  %p = npu.pack %t : (tensor<40x8xf32, #npu.layout<Tensor>>) -> tensor<3x8x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16], dim 0 = 40>>
  %u = npu.unpack %z : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>) -> tensor<1x40x8x8xf32, #npu.layout<NCHW>>
  %y = npu.transpose %u permutation = [0, 2, 3, 1] : (tensor<1x40x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x8x8x40xf32, #npu.layout<NHWC>>
  return %p, %u, %y : tensor<3x8x16xf32, #npu.layout<Tensor, [0, 1] tiles [0 by 16], dim 0 = 40>>, tensor<1x40x8x8xf32, #npu.layout<NCHW>>, tensor<1x8x8x40xf32, #npu.layout<NHWC>>
}

/// Constants are packed and unpacked at once.
// CHECK-LABEL: func.func @constants(
// CHECK-NEXT:  %p = npu.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 0.000000e+00{{\]\]}}> : tensor<2x2xf32, #npu.layout<Tensor, [0] tiles [0 by 2], dim 0 = 3, zeros>>
// CHECK-NEXT:  %u = npu.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  func.return %p, %u : tensor<2x2xf32, #npu.layout<Tensor, [0] tiles [0 by 2], dim 0 = 3, zeros>>, tensor<3xf32, #npu.layout<Tensor>>
func.func @constants() -> (tensor<2x2xf32, #npu.layout<Tensor, [0] tiles [0 by 2], dim 0 = 3, zeros>>, tensor<3xf32, #npu.layout<Tensor>>) {
  %c = npu.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32, #npu.layout<Tensor>>
  %p = npu.pack %c : (tensor<3xf32, #npu.layout<Tensor>>) -> tensor<2x2xf32, #npu.layout<Tensor, [0] tiles [0 by 2], dim 0 = 3, zeros>>
  %u = npu.unpack %p : (tensor<2x2xf32, #npu.layout<Tensor, [0] tiles [0 by 2], dim 0 = 3, zeros>>) -> tensor<3xf32, #npu.layout<Tensor>>
  return %p, %u : tensor<2x2xf32, #npu.layout<Tensor, [0] tiles [0 by 2], dim 0 = 3, zeros>>, tensor<3xf32, #npu.layout<Tensor>>
}
