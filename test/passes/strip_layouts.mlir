// RUN: npu-opt %s --strip-layouts --split-input-file | filecheck %s
// RUN: npu-opt %s --strip-layouts --strip-layouts --split-input-file | filecheck %s

/// A placed convolution is what it was before: the transposes and the kernel's order are gone.
// CHECK-LABEL: func.func @placed
// CHECK-SAME:    (%x: tensor<1x8x4x6xf32>) -> tensor<1x2x4x6xf32> {
// CHECK-NEXT:    %kernel = npu.constant dense<{{.*}}> : tensor<2x8x1x1xf32>
// CHECK-NEXT:    %conv = npu.conv2d %x, %kernel data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x4x6xf32>, tensor<2x8x1x1xf32>) -> tensor<1x2x4x6xf32>
// CHECK-NEXT:    func.return %conv : tensor<1x2x4x6xf32>
func.func @placed(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x2x4x6xf32, #npu.layout<NCHW>> {
  %nhwc = npu.transpose %x permutation = [0, 2, 3, 1]
    : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %kernel = npu.constant dense<0.5> : tensor<1x1x2x8xf32, #npu.layout<HWOI>>
  %conv = npu.conv2d %nhwc, %kernel
    : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x2x8xf32, #npu.layout<HWOI>>)
    -> tensor<1x4x6x2xf32, #npu.layout<NHWC>>
  %nchw = npu.transpose %conv permutation = [0, 3, 1, 2]
    : (tensor<1x4x6x2xf32, #npu.layout<NHWC>>) -> tensor<1x2x4x6xf32, #npu.layout<NCHW>>
  func.return %nchw : tensor<1x2x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// Attributes that name axes name the logical ones, and an argument that was stored as NHWC becomes NCHW.
// CHECK-LABEL: func.func @axes
// CHECK-SAME:    (%x: tensor<1x8x4x6xf32>) -> tensor<8x6xf32> {
// CHECK-NEXT:    %padded = npu.pad %x low = [0, 1, 2, 3] high = [0, 0, 0, 0] : (tensor<1x8x4x6xf32>) -> tensor<1x9x6x9xf32>
// CHECK-NEXT:    %mean = npu.reduce_mean %padded axes = [0, 3] : (tensor<1x9x6x9xf32>) -> tensor<9x6xf32>
// CHECK-NEXT:    %softmax = npu.softmax %mean axis = 0 : tensor<9x6xf32>
// CHECK-NEXT:    %slice = npu.slice %softmax starts = [1, 0] limits = [9, 6] : (tensor<9x6xf32>) -> tensor<8x6xf32>
// CHECK-NEXT:    func.return %slice : tensor<8x6xf32>
func.func @axes(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<6x8xf32, #npu.layout<Tensor, [1, 0]>> {
  %padded = npu.pad %x low = [0, 2, 3, 1] high = [0, 0, 0, 0]
    : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x6x9x9xf32, #npu.layout<NHWC>>
  %mean = npu.reduce_mean %padded axes = [0, 2]
    : (tensor<1x6x9x9xf32, #npu.layout<NHWC>>) -> tensor<6x9xf32, #npu.layout<Tensor, [1, 0]>>
  %softmax = npu.softmax %mean axis = 1
    : tensor<6x9xf32, #npu.layout<Tensor, [1, 0]>>
  %slice = npu.slice %softmax starts = [0, 1] limits = [6, 9]
    : (tensor<6x9xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<6x8xf32, #npu.layout<Tensor, [1, 0]>>
  func.return %slice : tensor<6x8xf32, #npu.layout<Tensor, [1, 0]>>
}

// -----

/// A transpose and a relabel that mean something for the logical axes stay, as transposes.
// CHECK-LABEL: func.func @meaning
// CHECK-SAME:    (%x: tensor<1x8x4x6xf32>) -> tensor<1x192xf32> {
// CHECK-NEXT:    %swapped = npu.transpose %x permutation = [0, 1, 3, 2] : (tensor<1x8x4x6xf32>) -> tensor<1x8x6x4xf32>
// CHECK-NEXT:    %tensor = npu.transpose %swapped permutation = [0, 2, 3, 1] : (tensor<1x8x6x4xf32>) -> tensor<1x6x4x8xf32>
// CHECK-NEXT:    %flat = npu.reshape %tensor : (tensor<1x6x4x8xf32>) -> tensor<1x192xf32>
// CHECK-NEXT:    func.return %flat : tensor<1x192xf32>
func.func @meaning(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x192xf32, #npu.layout<Tensor>> {
  %swapped = npu.transpose %x permutation = [0, 2, 1, 3]
    : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x6x4x8xf32, #npu.layout<NHWC>>
  %tensor = npu.relabel %swapped
    : (tensor<1x6x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x6x4x8xf32, #npu.layout<Tensor>>
  %flat = npu.reshape %tensor
    : (tensor<1x6x4x8xf32, #npu.layout<Tensor>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
  func.return %flat : tensor<1x192xf32, #npu.layout<Tensor>>
}

// -----

/// Opaque ops and functions without a body still read what was stored, and calls of others are logical.
// CHECK-LABEL: func.func private @outside
// CHECK-SAME:    (tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32>
// CHECK-LABEL: func.func private @inside
// CHECK-SAME:    (%x: tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32> {
// CHECK-LABEL: func.func @calls
// CHECK-SAME:    (%x: tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32> {
// CHECK-NEXT:    %a = func.call @inside(%x) : (tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32>
// CHECK-NEXT:    %0 = npu.transpose %a permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32>) -> tensor<1x4x6x8xf32>
// CHECK-NEXT:    %b = func.call @outside(%0) : (tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32>
// CHECK-NEXT:    %b_1 = npu.transpose %b permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32>) -> tensor<1x8x4x6xf32>
// CHECK-NEXT:    %1 = npu.transpose %b_1 permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32>) -> tensor<1x4x6x8xf32>
// CHECK-NEXT:    %c = npu.opaque "vendor.op"(%1) : (tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32>
// CHECK-NEXT:    %c_1 = npu.transpose %c permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32>) -> tensor<1x8x4x6xf32>
// CHECK-NEXT:    func.return %c_1 : tensor<1x8x4x6xf32>
func.func private @outside(tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
func.func private @inside(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
  func.return %x : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
}
func.func @calls(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
  %a = func.call @inside(%x) : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %b = func.call @outside(%a) : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %c = npu.opaque "vendor.op"(%b) : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  func.return %c : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
}

// -----

/// A program without layouts is left alone.
// CHECK-LABEL: func.func @plain
// CHECK-NEXT:    %y = npu.max_pool %x window = [2, 2] data_layout = <NHWC> : (tensor<1x4x6x8xf32>) -> tensor<1x3x5x8xf32>
// CHECK-NEXT:    func.return %y : tensor<1x3x5x8xf32>
func.func @plain(%x: tensor<1x4x6x8xf32>) -> tensor<1x3x5x8xf32> {
  %y = npu.max_pool %x window = [2, 2] data_layout = <NHWC> : (tensor<1x4x6x8xf32>) -> tensor<1x3x5x8xf32>
  func.return %y : tensor<1x3x5x8xf32>
}

// -----

/// A function that an attribute refers to still reads and returns what was stored, because the op is not changed.

// CHECK:      func.func private @yes(%x: tensor<1x5x5x2xf32>) -> tensor<1x5x5x2xf32> {
// CHECK-NEXT:   %x_1 = npu.transpose %x permutation = [0, 3, 1, 2] : (tensor<1x5x5x2xf32>) -> tensor<1x2x5x5xf32>
// CHECK-NEXT:   %y = npu.max_pool %x_1 window = [1, 1] data_layout = <NCHW> : tensor<1x2x5x5xf32>
// CHECK-NEXT:   %0 = npu.transpose %y permutation = [0, 2, 3, 1] : (tensor<1x2x5x5xf32>) -> tensor<1x5x5x2xf32>
// CHECK-NEXT:   func.return %0 : tensor<1x5x5x2xf32>
func.func @main(%p: tensor<i1>, %x: tensor<1x5x5x2xf32>) -> tensor<1x5x5x2xf32> {
  %y = npu.opaque "onnx.If"(%p, %x) pure {then_branch = @yes, else_branch = @no, onnx.captures = ["x"]}
    : (tensor<i1>, tensor<1x5x5x2xf32>) -> tensor<1x5x5x2xf32>
  func.return %y : tensor<1x5x5x2xf32>
}
func.func private @yes(%x: tensor<1x5x5x2xf32, #npu.layout<NHWC>>) -> tensor<1x5x5x2xf32, #npu.layout<NHWC>> {
  %y = npu.max_pool %x window = [1, 1] : tensor<1x5x5x2xf32, #npu.layout<NHWC>>
  func.return %y : tensor<1x5x5x2xf32, #npu.layout<NHWC>>
}
func.func private @no(%x: tensor<1x5x5x2xf32>) -> tensor<1x5x5x2xf32> {
  func.return %x : tensor<1x5x5x2xf32>
}

// -----

/// The names of the dimensions in an ONNX model are those of the logical axes.
// CHECK-LABEL: func.func @names
// CHECK-NEXT:    %relu = npu.relu %x {onnx.dims = {{\[\[}}"n", "c", "h", "w"]]} : tensor<?x?x?x?xf32>
// CHECK-NEXT:    func.return %relu : tensor<?x?x?x?xf32>
func.func @names(%x: tensor<?x?x?x?xf32, #npu.layout<NHWC>>) -> tensor<?x?x?x?xf32, #npu.layout<NHWC>> {
  %relu = npu.relu %x {onnx.dims = [["n", "h", "w", "c"]]} : tensor<?x?x?x?xf32, #npu.layout<NHWC>>
  func.return %relu : tensor<?x?x?x?xf32, #npu.layout<NHWC>>
}
