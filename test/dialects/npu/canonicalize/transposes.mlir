// RUN: npu-opt %s --canonicalize --split-input-file | filecheck %s
// RUN: npu-opt %s --canonicalize --canonicalize --split-input-file | filecheck %s

/// The triple around a present transpose is one transpose.
// CHECK-LABEL: func.func @triple_to_one
// CHECK-SAME:    (%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x6x4x8xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %out = npu.transpose %x permutation = [0, 2, 1, 3] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x6x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %out : tensor<1x6x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  }
func.func @triple_to_one(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x6x4x8xf32, #npu.layout<NHWC>> {
  %in = npu.transpose %x permutation = [0, 3, 1, 2]
    : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %present = npu.transpose %in permutation = [0, 1, 3, 2]
    : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>>
  %out = npu.transpose %present permutation = [0, 2, 3, 1]
    : (tensor<1x8x6x4xf32, #npu.layout<NCHW>>) -> tensor<1x6x4x8xf32, #npu.layout<NHWC>>
  func.return %out : tensor<1x6x4x8xf32, #npu.layout<NHWC>>
}

// -----

/// Three transposes whose composition is the identity are removed.
// CHECK-LABEL: func.func @triple_to_none
// CHECK-SAME:    (%x: tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<2x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    func.return %x : tensor<2x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @triple_to_none(%x: tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<2x8x4x6xf32, #npu.layout<NCHW>> {
  %in = npu.nchw2nhwc %x : (tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<2x4x6x8xf32, #npu.layout<NHWC>>
  %present = npu.transpose %in permutation = [0, 2, 3, 1]
    : (tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x6x8x4xf32, #npu.layout<NHWC>>
  %out = npu.transpose %present permutation = [0, 2, 3, 1]
    : (tensor<2x6x8x4xf32, #npu.layout<NHWC>>) -> tensor<2x8x4x6xf32, #npu.layout<NCHW>>
  func.return %out : tensor<2x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// A transpose and its inverse are removed.
// CHECK-LABEL: func.func @there_and_back
// CHECK-SAME:    (%x: tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x4x6x8xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    func.return %x : tensor<2x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  }
func.func @there_and_back(%x: tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x4x6x8xf32, #npu.layout<NHWC>> {
  %there = npu.nhwc2nchw %x : (tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x8x4x6xf32, #npu.layout<NCHW>>
  %back = npu.nchw2nhwc %there : (tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<2x4x6x8xf32, #npu.layout<NHWC>>
  func.return %back : tensor<2x4x6x8xf32, #npu.layout<NHWC>>
}

// -----

/// Transposes without layouts are composed, and the identity is the operand.
// CHECK-LABEL: func.func @uncoloured
// CHECK-SAME:    (%x: tensor<2x3x4xf32>) -> (tensor<4x3x2xf32>, tensor<2x3x4xf32>) {
// CHECK-NEXT:    %b = npu.transpose %x permutation = [2, 1, 0] : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
// CHECK-NEXT:    func.return %b, %x : tensor<4x3x2xf32>, tensor<2x3x4xf32>
// CHECK-NEXT:  }
func.func @uncoloured(%x: tensor<2x3x4xf32>) -> (tensor<4x3x2xf32>, tensor<2x3x4xf32>) {
  %a = npu.transpose %x permutation = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %b = npu.transpose %a permutation = [1, 0, 2] : (tensor<3x4x2xf32>) -> tensor<4x3x2xf32>
  %same = npu.transpose %x permutation = [0, 1, 2] : tensor<2x3x4xf32>
  func.return %b, %same : tensor<4x3x2xf32>, tensor<2x3x4xf32>
}

// -----

/// A transpose whose permutation is the identity renames axes: it is a relabel.
// CHECK-LABEL: func.func @identity
// CHECK-SAME:    (%x: tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x4x6x8xf32, #npu.layout<NWHC>> {
// CHECK-NEXT:    %y = npu.relabel %x : (tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x4x6x8xf32, #npu.layout<NWHC>>
// CHECK-NEXT:    func.return %y : tensor<2x4x6x8xf32, #npu.layout<NWHC>>
// CHECK-NEXT:  }
func.func @identity(%x: tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x4x6x8xf32, #npu.layout<NWHC>> {
  %y = npu.transpose %x permutation = [0, 1, 2, 3]
    : (tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x4x6x8xf32, #npu.layout<NWHC>>
  func.return %y : tensor<2x4x6x8xf32, #npu.layout<NWHC>>
}

// -----

/// The first transpose has other uses: it stays, and the second one reads its operand.
// CHECK-LABEL: func.func @several_users
// CHECK-SAME:    (%x: tensor<2x3x4xf32>) -> (tensor<3x4x2xf32>, tensor<4x2x3xf32>) {
// CHECK-NEXT:    %a = npu.transpose %x permutation = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
// CHECK-NEXT:    %b = npu.transpose %x permutation = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
// CHECK-NEXT:    func.return %a, %b : tensor<3x4x2xf32>, tensor<4x2x3xf32>
// CHECK-NEXT:  }
func.func @several_users(%x: tensor<2x3x4xf32>) -> (tensor<3x4x2xf32>, tensor<4x2x3xf32>) {
  %a = npu.transpose %x permutation = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %b = npu.transpose %a permutation = [1, 2, 0] : (tensor<3x4x2xf32>) -> tensor<4x2x3xf32>
  func.return %a, %b : tensor<3x4x2xf32>, tensor<4x2x3xf32>
}

// -----

/// Dynamic dimensions are transposed like others.
// CHECK-LABEL: func.func @dynamic
// CHECK-SAME:    (%x: tensor<?x4x?xf32>) -> (tensor<4x?x?xf32>, tensor<?x4x?xf32>) {
// CHECK-NEXT:    %b = npu.transpose %x permutation = [1, 0, 2] : (tensor<?x4x?xf32>) -> tensor<4x?x?xf32>
// CHECK-NEXT:    func.return %b, %x : tensor<4x?x?xf32>, tensor<?x4x?xf32>
// CHECK-NEXT:  }
func.func @dynamic(%x: tensor<?x4x?xf32>) -> (tensor<4x?x?xf32>, tensor<?x4x?xf32>) {
  %a = npu.transpose %x permutation = [2, 1, 0] : tensor<?x4x?xf32>
  %b = npu.transpose %a permutation = [1, 2, 0] : (tensor<?x4x?xf32>) -> tensor<4x?x?xf32>
  %c = npu.transpose %a permutation = [2, 1, 0] : tensor<?x4x?xf32>
  func.return %b, %c : tensor<4x?x?xf32>, tensor<?x4x?xf32>
}

// -----

/// A single transpose that moves data is left alone, and so are two with another op in between.
// CHECK-LABEL: func.func @left_alone
// CHECK-SAME:    (%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:    %a = npu.transpose %x permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK-NEXT:    %e = npu.exp %a : tensor<3x2xf32>
// CHECK-NEXT:    %b = npu.transpose %e permutation = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    func.return %b : tensor<2x3xf32>
// CHECK-NEXT:  }
func.func @left_alone(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = npu.transpose %x permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %e = npu.exp %a : tensor<3x2xf32>
  %b = npu.transpose %e permutation = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  func.return %b : tensor<2x3xf32>
}

// -----

/// Effects stay in program order, and a transpose without uses is removed.
// CHECK-LABEL: func.func @effects
// CHECK-SAME:    (%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:    npu.opaque "vendor.log"(%x) : (tensor<2x3xf32>) -> ()
// CHECK-NEXT:    npu.opaque "vendor.send"(%x) : (tensor<2x3xf32>) -> ()
// CHECK-NEXT:    func.return %x : tensor<2x3xf32>
// CHECK-NEXT:  }
func.func @effects(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = npu.transpose %x permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  npu.opaque "vendor.log"(%x) : (tensor<2x3xf32>) -> ()
  %b = npu.transpose %a permutation = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  npu.opaque "vendor.send"(%b) : (tensor<2x3xf32>) -> ()
  func.return %b : tensor<2x3xf32>
}
