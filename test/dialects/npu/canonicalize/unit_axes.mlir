// RUN: npu-opt %s --canonicalize --split-input-file | filecheck %s
// RUN: npu-opt %s --canonicalize --canonicalize --split-input-file | filecheck %s

/// A transpose of unit axes is a reshape: the bytes stay.
// CHECK-LABEL: func.func @unit_channel
// CHECK-SAME:    (%x: tensor<8x1x4x6xf32, #npu.layout<NCHW>>) -> tensor<8x4x6x1xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %y = npu.reshape %x : (tensor<8x1x4x6xf32, #npu.layout<NCHW>>) -> tensor<8x4x6x1xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %y : tensor<8x4x6x1xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  }
func.func @unit_channel(%x: tensor<8x1x4x6xf32, #npu.layout<NCHW>>) -> tensor<8x4x6x1xf32, #npu.layout<NHWC>> {
  %y = npu.nchw2nhwc %x : (tensor<8x1x4x6xf32, #npu.layout<NCHW>>) -> tensor<8x4x6x1xf32, #npu.layout<NHWC>>
  func.return %y : tensor<8x4x6x1xf32, #npu.layout<NHWC>>
}

// -----

/// If the letters of the other axes change, the reshape of the bytes is placed between relabels.
// CHECK-LABEL: func.func @other_letters
// CHECK-SAME:    (%x: tensor<1x6x8x1xf32, #npu.layout<NHWC>>) -> tensor<1x6x1x8xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %0 = npu.relabel %x : (tensor<1x6x8x1xf32, #npu.layout<NHWC>>) -> tensor<1x6x8x1xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %1 = npu.reshape %0 : (tensor<1x6x8x1xf32, #npu.layout<Tensor>>) -> tensor<1x6x1x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %y = npu.relabel %1 : (tensor<1x6x1x8xf32, #npu.layout<Tensor>>) -> tensor<1x6x1x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %y : tensor<1x6x1x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  }
func.func @other_letters(%x: tensor<1x6x8x1xf32, #npu.layout<NHWC>>) -> tensor<1x6x1x8xf32, #npu.layout<NHWC>> {
  %y = npu.transpose %x permutation = [0, 1, 3, 2]
    : (tensor<1x6x8x1xf32, #npu.layout<NHWC>>) -> tensor<1x6x1x8xf32, #npu.layout<NHWC>>
  func.return %y : tensor<1x6x1x8xf32, #npu.layout<NHWC>>
}

// -----

/// Two swapped unit axes do not even need a reshape.
// CHECK-LABEL: func.func @both_unit
// CHECK-SAME:    (%x: tensor<1x1x6x8xf32, #npu.layout<NCHW>>) -> tensor<1x1x6x8xf32, #npu.layout<CNHW>> {
// CHECK-NEXT:    %y = npu.relabel %x : (tensor<1x1x6x8xf32, #npu.layout<NCHW>>) -> tensor<1x1x6x8xf32, #npu.layout<CNHW>>
// CHECK-NEXT:    func.return %y : tensor<1x1x6x8xf32, #npu.layout<CNHW>>
// CHECK-NEXT:  }
func.func @both_unit(%x: tensor<1x1x6x8xf32, #npu.layout<NCHW>>) -> tensor<1x1x6x8xf32, #npu.layout<CNHW>> {
  %y = npu.transpose %x permutation = [1, 0, 2, 3]
    : (tensor<1x1x6x8xf32, #npu.layout<NCHW>>) -> tensor<1x1x6x8xf32, #npu.layout<CNHW>>
  func.return %y : tensor<1x1x6x8xf32, #npu.layout<CNHW>>
}

// -----

/// Unit axes without layouts.
// CHECK-LABEL: func.func @uncoloured
// CHECK-SAME:    (%x: tensor<1x5x1x7xf32>) -> tensor<5x7x1x1xf32> {
// CHECK-NEXT:    %y = npu.reshape %x : (tensor<1x5x1x7xf32>) -> tensor<5x7x1x1xf32>
// CHECK-NEXT:    func.return %y : tensor<5x7x1x1xf32>
// CHECK-NEXT:  }
func.func @uncoloured(%x: tensor<1x5x1x7xf32>) -> tensor<5x7x1x1xf32> {
  %y = npu.transpose %x permutation = [1, 3, 0, 2] : (tensor<1x5x1x7xf32>) -> tensor<5x7x1x1xf32>
  func.return %y : tensor<5x7x1x1xf32>
}

// -----

/// One dynamic size beside unit axes needs no `dims`, two do.
// CHECK-LABEL: func.func @dynamic
// CHECK-SAME:    (%x: tensor<1x?x4xf32>, %y: tensor<?x1x?xf32>) -> (tensor<?x4x1xf32>, tensor<?x?x1xf32>) {
// CHECK-NEXT:    %a = npu.reshape %x : (tensor<1x?x4xf32>) -> tensor<?x4x1xf32>
// CHECK-NEXT:    %b = npu.reshape %y dims = [@in0, @in2, 1] : (tensor<?x1x?xf32>) -> tensor<?x?x1xf32>
// CHECK-NEXT:    func.return %a, %b : tensor<?x4x1xf32>, tensor<?x?x1xf32>
// CHECK-NEXT:  }
func.func @dynamic(%x: tensor<1x?x4xf32>, %y: tensor<?x1x?xf32>) -> (tensor<?x4x1xf32>, tensor<?x?x1xf32>) {
  %a = npu.transpose %x permutation = [1, 2, 0] : (tensor<1x?x4xf32>) -> tensor<?x4x1xf32>
  %b = npu.transpose %y permutation = [0, 2, 1] : (tensor<?x1x?xf32>) -> tensor<?x?x1xf32>
  func.return %a, %b : tensor<?x4x1xf32>, tensor<?x?x1xf32>
}

// -----

/// Left alone because the dynamic size may be more than one.
// CHECK-LABEL: func.func @may_move
// CHECK-SAME:    (%x: tensor<?x4xf32>) -> tensor<4x?xf32> {
// CHECK-NEXT:    %y = npu.transpose %x permutation = [1, 0] : (tensor<?x4xf32>) -> tensor<4x?xf32>
// CHECK-NEXT:    func.return %y : tensor<4x?xf32>
// CHECK-NEXT:  }
func.func @may_move(%x: tensor<?x4xf32>) -> tensor<4x?xf32> {
  %y = npu.transpose %x permutation = [1, 0] : (tensor<?x4xf32>) -> tensor<4x?xf32>
  func.return %y : tensor<4x?xf32>
}

// -----

/// A tensor without elements has nothing to move; sizes that cannot be inferred are in `dims`.
// CHECK-LABEL: func.func @no_elements
// CHECK-SAME:    (%x: tensor<0x3xf32>, %y: tensor<?x0xf32>, %z: tensor<?x0x?xf32, #npu.layout<Tensor>>) -> (tensor<3x0xf32>, tensor<0x?xf32>, tensor<?x0x?xf32, #npu.layout<Tensor>>) {
// CHECK-NEXT:    %a = npu.reshape %x : (tensor<0x3xf32>) -> tensor<3x0xf32>
// CHECK-NEXT:    %b = npu.reshape %y dims = [0, @in0] : (tensor<?x0xf32>) -> tensor<0x?xf32>
// CHECK-NEXT:    %c = npu.reshape %z dims = [@in2, 0, @in0] : tensor<?x0x?xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %a, %b, %c : tensor<3x0xf32>, tensor<0x?xf32>, tensor<?x0x?xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @no_elements(%x: tensor<0x3xf32>, %y: tensor<?x0xf32>, %z: tensor<?x0x?xf32, #npu.layout<Tensor>>) -> (tensor<3x0xf32>, tensor<0x?xf32>, tensor<?x0x?xf32, #npu.layout<Tensor>>) {
  %a = npu.transpose %x permutation = [1, 0] : (tensor<0x3xf32>) -> tensor<3x0xf32>
  %b = npu.transpose %y permutation = [1, 0] : (tensor<?x0xf32>) -> tensor<0x?xf32>
  %c = npu.transpose %z permutation = [2, 1, 0]
    : tensor<?x0x?xf32, #npu.layout<Tensor>>
  func.return %a, %b, %c : tensor<3x0xf32>, tensor<0x?xf32>, tensor<?x0x?xf32, #npu.layout<Tensor>>
}

// -----

/// The transpose of unit axes after a transpose with other uses is a reshape of its result, not another transpose.
// CHECK-LABEL: func.func @free_behind_one
// CHECK-SAME:    (%x: tensor<2x3xf32>) -> (tensor<3x2x1xf32>, tensor<3x1x2xf32>) {
// CHECK-NEXT:    %u = npu.reshape %x : (tensor<2x3xf32>) -> tensor<1x2x3xf32>
// CHECK-NEXT:    %a = npu.transpose %u permutation = [2, 1, 0] : (tensor<1x2x3xf32>) -> tensor<3x2x1xf32>
// CHECK-NEXT:    %b = npu.reshape %a : (tensor<3x2x1xf32>) -> tensor<3x1x2xf32>
// CHECK-NEXT:    func.return %a, %b : tensor<3x2x1xf32>, tensor<3x1x2xf32>
// CHECK-NEXT:  }
func.func @free_behind_one(%x: tensor<2x3xf32>) -> (tensor<3x2x1xf32>, tensor<3x1x2xf32>) {
  %u = npu.reshape %x : (tensor<2x3xf32>) -> tensor<1x2x3xf32>
  %a = npu.transpose %u permutation = [2, 1, 0] : (tensor<1x2x3xf32>) -> tensor<3x2x1xf32>
  %b = npu.transpose %a permutation = [0, 2, 1] : (tensor<3x2x1xf32>) -> tensor<3x1x2xf32>
  func.return %a, %b : tensor<3x2x1xf32>, tensor<3x1x2xf32>
}

// -----

/// Transposes are composed across a transpose of unit axes.
// CHECK-LABEL: func.func @between
// CHECK-SAME:    (%x: tensor<4x6x1x8xf32>) -> tensor<4x1x6x8xf32> {
// CHECK-NEXT:    %c = npu.reshape %x : (tensor<4x6x1x8xf32>) -> tensor<4x1x6x8xf32>
// CHECK-NEXT:    func.return %c : tensor<4x1x6x8xf32>
// CHECK-NEXT:  }
func.func @between(%x: tensor<4x6x1x8xf32>) -> tensor<4x1x6x8xf32> {
  %a = npu.transpose %x permutation = [3, 0, 2, 1] : (tensor<4x6x1x8xf32>) -> tensor<8x4x1x6xf32>
  %b = npu.transpose %a permutation = [2, 0, 1, 3] : (tensor<8x4x1x6xf32>) -> tensor<1x8x4x6xf32>
  %c = npu.transpose %b permutation = [2, 0, 3, 1] : (tensor<1x8x4x6xf32>) -> tensor<4x1x6x8xf32>
  func.return %c : tensor<4x1x6x8xf32>
}

// -----

/// The result has a layout and the operand has none: the no-op transpose becomes a relabel.
// CHECK-LABEL: func.func @gets_a_layout
// CHECK-SAME:    (%x: tensor<8x1x4xf32>) -> tensor<8x4x1xf32, #npu.layout<NWC>> {
// CHECK-NEXT:    %y = npu.reshape %x : (tensor<8x1x4xf32>) -> tensor<8x4x1xf32, #npu.layout<NWC>>
// CHECK-NEXT:    func.return %y : tensor<8x4x1xf32, #npu.layout<NWC>>
// CHECK-NEXT:  }
func.func @gets_a_layout(%x: tensor<8x1x4xf32>) -> tensor<8x4x1xf32, #npu.layout<NWC>> {
  %y = npu.transpose %x permutation = [0, 2, 1] : (tensor<8x1x4xf32>) -> tensor<8x4x1xf32, #npu.layout<NWC>>
  func.return %y : tensor<8x4x1xf32, #npu.layout<NWC>>
}
