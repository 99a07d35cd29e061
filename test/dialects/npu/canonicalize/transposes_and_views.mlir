// RUN: npu-opt %s --canonicalize --split-input-file | filecheck %s
// RUN: npu-opt %s --canonicalize --canonicalize --split-input-file | filecheck %s

/// A relabel between two transposes: classes agree at both ends, so one transpose is enough.
// CHECK-LABEL: func.func @through_relabels
// CHECK-SAME:    (%x: tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<2x4x8x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %b = npu.transpose %x permutation = [0, 2, 1, 3] : (tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<2x4x8x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %b : tensor<2x4x8x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @through_relabels(%x: tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<2x4x8x6xf32, #npu.layout<NCHW>> {
  %a = npu.transpose %x permutation = [0, 2, 3, 1]
    : (tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<2x4x6x8xf32, #npu.layout<NHWC>>
  %r = npu.relabel %a : (tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x4x6x8xf32, #npu.layout<NCHW>>
  %b = npu.transpose %r permutation = [0, 1, 3, 2]
    : (tensor<2x4x6x8xf32, #npu.layout<NCHW>>) -> tensor<2x4x8x6xf32, #npu.layout<NCHW>>
  func.return %b : tensor<2x4x8x6xf32, #npu.layout<NCHW>>
}

// -----

/// If the class changes, the relabel sinks below the transpose.
// CHECK-LABEL: func.func @class_changes
// CHECK-SAME:    (%x: tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<4x2x6x8xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %0 = npu.transpose %x permutation = [2, 0, 3, 1] : (tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<4x2x6x8xf32, #npu.layout<HNWC>>
// CHECK-NEXT:    %b = npu.relabel %0 : (tensor<4x2x6x8xf32, #npu.layout<HNWC>>) -> tensor<4x2x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %b : tensor<4x2x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @class_changes(%x: tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<4x2x6x8xf32, #npu.layout<Tensor>> {
  %a = npu.transpose %x permutation = [0, 2, 3, 1]
    : (tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<2x4x6x8xf32, #npu.layout<NHWC>>
  %r = npu.relabel %a : (tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x4x6x8xf32, #npu.layout<Tensor>>
  %b = npu.transpose %r permutation = [1, 0, 2, 3]
    : (tensor<2x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<4x2x6x8xf32, #npu.layout<Tensor>>
  func.return %b : tensor<4x2x6x8xf32, #npu.layout<Tensor>>
}

// -----

/// A transpose and its inverse around a relabel: only the relabel is left.
// CHECK-LABEL: func.func @only_the_name
// CHECK-SAME:    (%x: tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<2x8x4x6xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %b = npu.relabel %x : (tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<2x8x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %b : tensor<2x8x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @only_the_name(%x: tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<2x8x4x6xf32, #npu.layout<Tensor>> {
  %a = npu.nchw2nhwc %x : (tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<2x4x6x8xf32, #npu.layout<NHWC>>
  %r = npu.relabel %a : (tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x4x6x8xf32, #npu.layout<Tensor>>
  %b = npu.transpose %r permutation = [0, 3, 1, 2]
    : (tensor<2x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<2x8x4x6xf32, #npu.layout<Tensor>>
  func.return %b : tensor<2x8x4x6xf32, #npu.layout<Tensor>>
}

// -----

/// H and W are merged between two transposes that together move nothing: a reshape is left.
// CHECK-LABEL: func.func @joined_axes
// CHECK-SAME:    (%x: tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x24x8xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %0 = npu.relabel %x : (tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %b = npu.reshape %0 : (tensor<2x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<2x24x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %b : tensor<2x24x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @joined_axes(%x: tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x24x8xf32, #npu.layout<Tensor>> {
  %a = npu.nhwc2nchw %x : (tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x8x4x6xf32, #npu.layout<NCHW>>
  %r = npu.reshape %a : (tensor<2x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<2x8x24xf32, #npu.layout<Tensor>>
  %b = npu.transpose %r permutation = [0, 2, 1]
    : (tensor<2x8x24xf32, #npu.layout<Tensor>>) -> tensor<2x24x8xf32, #npu.layout<Tensor>>
  func.return %b : tensor<2x24x8xf32, #npu.layout<Tensor>>
}

// -----

/// Two transposes with a reshape between them become one if the values between have no other uses.
// CHECK-LABEL: func.func @one_of_two
// CHECK-SAME:    (%x: tensor<2x3x4x5xf32>) -> tensor<20x2x3xf32> {
// CHECK-NEXT:    %0 = npu.transpose %x permutation = [2, 3, 0, 1] : (tensor<2x3x4x5xf32>) -> tensor<4x5x2x3xf32>
// CHECK-NEXT:    %b = npu.reshape %0 : (tensor<4x5x2x3xf32>) -> tensor<20x2x3xf32>
// CHECK-NEXT:    func.return %b : tensor<20x2x3xf32>
// CHECK-NEXT:  }
func.func @one_of_two(%x: tensor<2x3x4x5xf32>) -> tensor<20x2x3xf32> {
  %a = npu.transpose %x permutation = [1, 0, 2, 3] : (tensor<2x3x4x5xf32>) -> tensor<3x2x4x5xf32>
  %r = npu.reshape %a : (tensor<3x2x4x5xf32>) -> tensor<3x2x20xf32>
  %b = npu.transpose %r permutation = [2, 1, 0] : (tensor<3x2x20xf32>) -> tensor<20x2x3xf32>
  func.return %b : tensor<20x2x3xf32>
}

// -----

/// Left alone because the first transpose has another use: nothing would be saved.
// CHECK-LABEL: func.func @nothing_saved
// CHECK-SAME:    (%x: tensor<2x3x4x5xf32>) -> (tensor<3x2x4x5xf32>, tensor<20x2x3xf32>) {
// CHECK-NEXT:    %a = npu.transpose %x permutation = [1, 0, 2, 3] : (tensor<2x3x4x5xf32>) -> tensor<3x2x4x5xf32>
// CHECK-NEXT:    %r = npu.reshape %a : (tensor<3x2x4x5xf32>) -> tensor<3x2x20xf32>
// CHECK-NEXT:    %b = npu.transpose %r permutation = [2, 1, 0] : (tensor<3x2x20xf32>) -> tensor<20x2x3xf32>
// CHECK-NEXT:    func.return %a, %b : tensor<3x2x4x5xf32>, tensor<20x2x3xf32>
// CHECK-NEXT:  }
func.func @nothing_saved(%x: tensor<2x3x4x5xf32>) -> (tensor<3x2x4x5xf32>, tensor<20x2x3xf32>) {
  %a = npu.transpose %x permutation = [1, 0, 2, 3] : (tensor<2x3x4x5xf32>) -> tensor<3x2x4x5xf32>
  %r = npu.reshape %a : (tensor<3x2x4x5xf32>) -> tensor<3x2x20xf32>
  %b = npu.transpose %r permutation = [2, 1, 0] : (tensor<3x2x20xf32>) -> tensor<20x2x3xf32>
  func.return %a, %b : tensor<3x2x4x5xf32>, tensor<20x2x3xf32>
}

// -----

/// Left alone because the two split an axis: no single transpose does that.
// CHECK-LABEL: func.func @shuffle
// CHECK-SAME:    (%x: tensor<6x5xf32>) -> tensor<5x3x2xf32> {
// CHECK-NEXT:    %a = npu.transpose %x permutation = [1, 0] : (tensor<6x5xf32>) -> tensor<5x6xf32>
// CHECK-NEXT:    %r = npu.reshape %a : (tensor<5x6xf32>) -> tensor<5x2x3xf32>
// CHECK-NEXT:    %b = npu.transpose %r permutation = [0, 2, 1] : (tensor<5x2x3xf32>) -> tensor<5x3x2xf32>
// CHECK-NEXT:    func.return %b : tensor<5x3x2xf32>
// CHECK-NEXT:  }
func.func @shuffle(%x: tensor<6x5xf32>) -> tensor<5x3x2xf32> {
  %a = npu.transpose %x permutation = [1, 0] : (tensor<6x5xf32>) -> tensor<5x6xf32>
  %r = npu.reshape %a : (tensor<5x6xf32>) -> tensor<5x2x3xf32>
  %b = npu.transpose %r permutation = [0, 2, 1] : (tensor<5x2x3xf32>) -> tensor<5x3x2xf32>
  func.return %b : tensor<5x3x2xf32>
}

// -----

/// Dynamic sizes are recognised after the reshape.
// CHECK-LABEL: func.func @dynamic
// CHECK-SAME:    (%x: tensor<?x?x12xf32>) -> tensor<?x?x3x4xf32> {
// CHECK-NEXT:    %b = npu.reshape %x dims = [@in0, @in1, 3, 4] : (tensor<?x?x12xf32>) -> tensor<?x?x3x4xf32>
// CHECK-NEXT:    func.return %b : tensor<?x?x3x4xf32>
// CHECK-NEXT:  }
func.func @dynamic(%x: tensor<?x?x12xf32>) -> tensor<?x?x3x4xf32> {
  %a = npu.transpose %x permutation = [2, 0, 1] : (tensor<?x?x12xf32>) -> tensor<12x?x?xf32>
  %r = npu.reshape %a dims = [3, 4, @in1, @in2] : (tensor<12x?x?xf32>) -> tensor<3x4x?x?xf32>
  %b = npu.transpose %r permutation = [2, 3, 0, 1] : (tensor<3x4x?x?xf32>) -> tensor<?x?x3x4xf32>
  func.return %b : tensor<?x?x3x4xf32>
}
