// RUN: npu-opt %s --canonicalize --split-input-file | filecheck %s
// RUN: npu-opt %s --canonicalize --canonicalize --split-input-file | filecheck %s

/// A relabel of a relabel is one relabel.
// CHECK-LABEL: func.func @relabels
// CHECK-SAME:    (%x: tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x4x6x8xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %b = npu.relabel %x : (tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x4x6x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %b : tensor<2x4x6x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @relabels(%x: tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x4x6x8xf32, #npu.layout<NCHW>> {
  %a = npu.relabel %x : (tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x4x6x8xf32, #npu.layout<Tensor>>
  %b = npu.relabel %a : (tensor<2x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<2x4x6x8xf32, #npu.layout<NCHW>>
  func.return %b : tensor<2x4x6x8xf32, #npu.layout<NCHW>>
}

// -----

/// A relabel between equal types is its operand, and so are two whose ends have equal types.
// CHECK-LABEL: func.func @no_relabel
// CHECK-SAME:    (%x: tensor<2x3xf32, #npu.layout<Tensor>>) -> (tensor<2x3xf32, #npu.layout<Tensor>>, tensor<2x3xf32, #npu.layout<Tensor>>) {
// CHECK-NEXT:    func.return %x, %x : tensor<2x3xf32, #npu.layout<Tensor>>, tensor<2x3xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @no_relabel(%x: tensor<2x3xf32, #npu.layout<Tensor>>) -> (tensor<2x3xf32, #npu.layout<Tensor>>, tensor<2x3xf32, #npu.layout<Tensor>>) {
  %a = npu.relabel %x : tensor<2x3xf32, #npu.layout<Tensor>>
  %b = npu.relabel %x : (tensor<2x3xf32, #npu.layout<Tensor>>) -> tensor<2x3xf32, #npu.layout<Tensor, [1, 0]>>
  %c = npu.relabel %b : (tensor<2x3xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<2x3xf32, #npu.layout<Tensor>>
  func.return %a, %c : tensor<2x3xf32, #npu.layout<Tensor>>, tensor<2x3xf32, #npu.layout<Tensor>>
}

// -----

/// Left alone because the operand of the relabel has no layout.
// CHECK-LABEL: func.func @first_layout
// CHECK-SAME:    (%x: tensor<2x3xf32>) -> tensor<2x3xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %a = npu.relabel %x : (tensor<2x3xf32>) -> tensor<2x3xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %a : tensor<2x3xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @first_layout(%x: tensor<2x3xf32>) -> tensor<2x3xf32, #npu.layout<Tensor>> {
  %a = npu.relabel %x : (tensor<2x3xf32>) -> tensor<2x3xf32, #npu.layout<Tensor>>
  func.return %a : tensor<2x3xf32, #npu.layout<Tensor>>
}

// -----

/// A reshape of a reshape is one, also if pieces of axes are merged with others.
// CHECK-LABEL: func.func @reshapes
// CHECK-SAME:    (%x: tensor<4x6xf32>) -> (tensor<3x8xf32>, tensor<4x6xf32>) {
// CHECK-NEXT:    %b = npu.reshape %x : (tensor<4x6xf32>) -> tensor<3x8xf32>
// CHECK-NEXT:    func.return %b, %x : tensor<3x8xf32>, tensor<4x6xf32>
// CHECK-NEXT:  }
func.func @reshapes(%x: tensor<4x6xf32>) -> (tensor<3x8xf32>, tensor<4x6xf32>) {
  %a = npu.reshape %x : (tensor<4x6xf32>) -> tensor<24xf32>
  %b = npu.reshape %a : (tensor<24xf32>) -> tensor<3x8xf32>
  %c = npu.reshape %b : (tensor<3x8xf32>) -> tensor<4x6xf32>
  func.return %b, %c : tensor<3x8xf32>, tensor<4x6xf32>
}

// -----

/// A reshape of a reshape is inserted at the first one; if that has other uses, both stay in place.
// CHECK-LABEL: func.func @places
// CHECK-SAME:    (%x: tensor<2x3x4xf32>) -> (tensor<24xf32>, tensor<4x6xf32>, tensor<2x3x4xf32>, tensor<6x4xf32>) {
// CHECK-NEXT:    %b = npu.reshape %x : (tensor<2x3x4xf32>) -> tensor<24xf32>
// CHECK-NEXT:    %c = npu.reshape %x : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
// CHECK-NEXT:    %y = npu.exp %x : tensor<2x3x4xf32>
// CHECK-NEXT:    %d = npu.reshape %x : (tensor<2x3x4xf32>) -> tensor<4x6xf32>
// CHECK-NEXT:    func.return %b, %d, %y, %c : tensor<24xf32>, tensor<4x6xf32>, tensor<2x3x4xf32>, tensor<6x4xf32>
func.func @places(%x: tensor<2x3x4xf32>) -> (tensor<24xf32>, tensor<4x6xf32>, tensor<2x3x4xf32>, tensor<6x4xf32>) {
  %a = npu.reshape %x : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
  %c = npu.reshape %x : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %y = npu.exp %x : tensor<2x3x4xf32>
  %b = npu.reshape %a : (tensor<2x12xf32>) -> tensor<24xf32>
  %d = npu.reshape %c : (tensor<6x4xf32>) -> tensor<4x6xf32>
  func.return %b, %d, %y, %c : tensor<24xf32>, tensor<4x6xf32>, tensor<2x3x4xf32>, tensor<6x4xf32>
}

// -----

/// Reshapes of a re-ordered value are merged, too.
// CHECK-LABEL: func.func @ordered_reshapes
// CHECK-SAME:    (%x: tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x2x12x8xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %b = npu.reshape %x : (tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x2x12x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %b : tensor<2x2x12x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  }
func.func @ordered_reshapes(%x: tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x2x12x8xf32, #npu.layout<NHWC>> {
  %a = npu.reshape %x
    : (tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
  %b = npu.reshape %a
    : (tensor<2x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<2x2x12x8xf32, #npu.layout<NHWC>>
  func.return %b : tensor<2x2x12x8xf32, #npu.layout<NHWC>>
}

// -----

/// Left alone because of the relabel between the reshapes: together they are not a logical reshape.
// CHECK-LABEL: func.func @renamed_between
// CHECK-SAME:    (%x: tensor<2x4x6xf32, #npu.layout<NCW>>) -> tensor<2x3x8xf32, #npu.layout<Tensor, [2, 0, 1]>> {
// CHECK-NEXT:    %a = npu.reshape %x : (tensor<2x4x6xf32, #npu.layout<NCW>>) -> tensor<2x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %b = npu.relabel %a : (tensor<2x24xf32, #npu.layout<Tensor>>) -> tensor<2x24xf32, #npu.layout<Tensor, [1, 0]>>
// CHECK-NEXT:    %c = npu.reshape %b : (tensor<2x24xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<2x3x8xf32, #npu.layout<Tensor, [2, 0, 1]>>
// CHECK-NEXT:    func.return %c : tensor<2x3x8xf32, #npu.layout<Tensor, [2, 0, 1]>>
// CHECK-NEXT:  }
func.func @renamed_between(%x: tensor<2x4x6xf32, #npu.layout<NCW>>) -> tensor<2x3x8xf32, #npu.layout<Tensor, [2, 0, 1]>> {
  %a = npu.reshape %x : (tensor<2x4x6xf32, #npu.layout<NCW>>) -> tensor<2x24xf32, #npu.layout<Tensor>>
  %b = npu.relabel %a : (tensor<2x24xf32, #npu.layout<Tensor>>) -> tensor<2x24xf32, #npu.layout<Tensor, [1, 0]>>
  %c = npu.reshape %b
    : (tensor<2x24xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<2x3x8xf32, #npu.layout<Tensor, [2, 0, 1]>>
  func.return %c : tensor<2x3x8xf32, #npu.layout<Tensor, [2, 0, 1]>>
}

// -----

/// The links of both reshapes are composed.
// CHECK-LABEL: func.func @linked_reshapes
// CHECK-SAME:    (%x: tensor<?x?x768xf32>) -> tensor<?x12x?x64xf32> {
// CHECK-NEXT:    %a = npu.reshape %x dims = [@in0, @in1, 12, 64] : (tensor<?x?x768xf32>) -> tensor<?x?x12x64xf32>
// CHECK-NEXT:    %t = npu.transpose %a permutation = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
// CHECK-NEXT:    func.return %t : tensor<?x12x?x64xf32>
// CHECK-NEXT:  }
func.func @linked_reshapes(%x: tensor<?x?x768xf32>) -> tensor<?x12x?x64xf32> {
  %a = npu.reshape %x dims = [@in0, @in1, 12, 64] : (tensor<?x?x768xf32>) -> tensor<?x?x12x64xf32>
  %t = npu.transpose %a permutation = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
  %b = npu.reshape %t dims = [@in0, @in1, 1, @in2, 64] : (tensor<?x12x?x64xf32>) -> tensor<?x12x1x?x64xf32>
  %c = npu.reshape %b dims = [@in0, @in1, @in3, 64] : (tensor<?x12x1x?x64xf32>) -> tensor<?x12x?x64xf32>
  %d = npu.reshape %c dims = [?, 1, 12, @in2, 64] : (tensor<?x12x?x64xf32>) -> tensor<?x1x12x?x64xf32>
  %e = npu.reshape %d dims = [@in0, @in2, @in3, 64] : (tensor<?x1x12x?x64xf32>) -> tensor<?x12x?x64xf32>
  func.return %e : tensor<?x12x?x64xf32>
}

// -----

/// A reshape to the type of its operand is its operand if the sizes are the same.
// CHECK-LABEL: func.func @same_type
// CHECK-SAME:    (%x: tensor<?x4xf32>, %y: tensor<?x?xf32>) -> (tensor<?x4xf32>, tensor<?x?xf32>) {
// CHECK-NEXT:    func.return %x, %y : tensor<?x4xf32>, tensor<?x?xf32>
// CHECK-NEXT:  }
func.func @same_type(%x: tensor<?x4xf32>, %y: tensor<?x?xf32>) -> (tensor<?x4xf32>, tensor<?x?xf32>) {
  %a = npu.reshape %x : tensor<?x4xf32>
  %b = npu.reshape %y dims = [@in0, ?] : tensor<?x?xf32>
  func.return %a, %b : tensor<?x4xf32>, tensor<?x?xf32>
}

// -----

/// Left alone because rows and columns have other sizes, although the types are equal.
// CHECK-LABEL: func.func @same_type_other_sizes
// CHECK-SAME:    (%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
// CHECK-NEXT:    %a = npu.reshape %x dims = [@in1, @in0] : tensor<?x?xf32>
// CHECK-NEXT:    func.return %a : tensor<?x?xf32>
// CHECK-NEXT:  }
func.func @same_type_other_sizes(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %a = npu.reshape %x dims = [@in1, @in0] : tensor<?x?xf32>
  func.return %a : tensor<?x?xf32>
}

// -----

/// A reshape that keeps the shape and changes the layout is a relabel.
// CHECK-LABEL: func.func @only_the_layout
// CHECK-SAME:    (%x: tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<2x8x4x6xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %a = npu.relabel %x : (tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<2x8x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %a : tensor<2x8x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @only_the_layout(%x: tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<2x8x4x6xf32, #npu.layout<Tensor>> {
  %a = npu.reshape %x : (tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<2x8x4x6xf32, #npu.layout<Tensor>>
  func.return %a : tensor<2x8x4x6xf32, #npu.layout<Tensor>>
}

// -----

/// Left alone because only a reshape can have a result without layout.
// CHECK-LABEL: func.func @layout_taken_away
// CHECK-SAME:    (%x: tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<2x8x4x6xf32> {
// CHECK-NEXT:    %a = npu.reshape %x : (tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<2x8x4x6xf32>
// CHECK-NEXT:    func.return %a : tensor<2x8x4x6xf32>
// CHECK-NEXT:  }
func.func @layout_taken_away(%x: tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<2x8x4x6xf32> {
  %a = npu.reshape %x : (tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<2x8x4x6xf32>
  func.return %a : tensor<2x8x4x6xf32>
}

// -----

/// A broadcast that repeats nothing is its operand, a relabel or a reshape.
// CHECK-LABEL: func.func @still
// CHECK-SAME:    (%x: tensor<2x3xf32>, %y: tensor<2x8x6xf32, #npu.layout<NCW>>) -> (tensor<2x3xf32>, tensor<2x1x3xf32>, tensor<2x8x6xf32, #npu.layout<Tensor>>) {
// CHECK-NEXT:    %b = npu.reshape %x : (tensor<2x3xf32>) -> tensor<2x1x3xf32>
// CHECK-NEXT:    %c = npu.relabel %y : (tensor<2x8x6xf32, #npu.layout<NCW>>) -> tensor<2x8x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %x, %b, %c : tensor<2x3xf32>, tensor<2x1x3xf32>, tensor<2x8x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @still(%x: tensor<2x3xf32>, %y: tensor<2x8x6xf32, #npu.layout<NCW>>) -> (tensor<2x3xf32>, tensor<2x1x3xf32>, tensor<2x8x6xf32, #npu.layout<Tensor>>) {
  %a = npu.broadcast %x axes = [0, 1] : tensor<2x3xf32>
  %b = npu.broadcast %x axes = [0, 2] : (tensor<2x3xf32>) -> tensor<2x1x3xf32>
  %c = npu.broadcast %y axes = [0, 1, 2]
    : (tensor<2x8x6xf32, #npu.layout<NCW>>) -> tensor<2x8x6xf32, #npu.layout<Tensor>>
  func.return %a, %b, %c : tensor<2x3xf32>, tensor<2x1x3xf32>, tensor<2x8x6xf32, #npu.layout<Tensor>>
}

// -----

/// Left alone: the first repeats, the second may repeat, the third changes the order.
// CHECK-LABEL: func.func @not_still
// CHECK-SAME:    (%x: tensor<2x3xf32>, %y: tensor<?x3xf32>, %z: tensor<2x6x6xf32, #npu.layout<NCW>>) -> (tensor<4x2x3xf32>, tensor<?x3xf32>, tensor<2x6x6xf32, #npu.layout<NWC>>) {
// CHECK-NEXT:    %a = npu.broadcast %x axes = [1, 2] : (tensor<2x3xf32>) -> tensor<4x2x3xf32>
// CHECK-NEXT:    %b = npu.broadcast %y axes = [0, 1] : tensor<?x3xf32>
// CHECK-NEXT:    %c = npu.broadcast %z axes = [0, 2, 1] : (tensor<2x6x6xf32, #npu.layout<NCW>>) -> tensor<2x6x6xf32, #npu.layout<NWC>>
// CHECK-NEXT:    func.return %a, %b, %c : tensor<4x2x3xf32>, tensor<?x3xf32>, tensor<2x6x6xf32, #npu.layout<NWC>>
// CHECK-NEXT:  }
func.func @not_still(%x: tensor<2x3xf32>, %y: tensor<?x3xf32>, %z: tensor<2x6x6xf32, #npu.layout<NCW>>) -> (tensor<4x2x3xf32>, tensor<?x3xf32>, tensor<2x6x6xf32, #npu.layout<NWC>>) {
  %a = npu.broadcast %x axes = [1, 2] : (tensor<2x3xf32>) -> tensor<4x2x3xf32>
  %b = npu.broadcast %y axes = [0, 1] : tensor<?x3xf32>
  %c = npu.broadcast %z axes = [0, 2, 1]
    : (tensor<2x6x6xf32, #npu.layout<NCW>>) -> tensor<2x6x6xf32, #npu.layout<NWC>>
  func.return %a, %b, %c : tensor<4x2x3xf32>, tensor<?x3xf32>, tensor<2x6x6xf32, #npu.layout<NWC>>
}
