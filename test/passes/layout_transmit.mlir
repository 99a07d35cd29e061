// RUN: npu-opt %s --layout-transmit --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-transmit --layout-transmit --split-input-file | filecheck %s

/// The layouts of a convolution are known: its attributes move into the types of its operands and result.
// CHECK-LABEL: func.func @conv(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %y = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %y : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @conv(%x: tensor<1x8x4x6xf32>, %w: tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32> {
  %y = npu.conv2d %x, %w data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  return %y : tensor<1x8x4x6xf32>
}

// -----

/// The layouts of a matrix product are known: NTensor, or Tensor for a rank without batch. Its bias has the same.
// CHECK-LABEL: func.func @products(
// CHECK-SAME:    %a: tensor<2x3x4xf32, #npu.layout<NTensor>>, %b: tensor<2x4x3xf32, #npu.layout<NTensor>>, %c: tensor<2x3xf32, #npu.layout<Tensor>>, %d: tensor<3x5xf32, #npu.layout<Tensor>>, %bias: tensor<5xf32, #npu.layout<Tensor>>) -> (tensor<2x3x3xf32, #npu.layout<NTensor>>, tensor<2x5xf32, #npu.layout<Tensor>>) {
// CHECK-NEXT:    %p = npu.matmul %a, %b : (tensor<2x3x4xf32, #npu.layout<NTensor>>, tensor<2x4x3xf32, #npu.layout<NTensor>>) -> tensor<2x3x3xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %q = npu.gemm %c, %d, %bias : (tensor<2x3xf32, #npu.layout<Tensor>>, tensor<3x5xf32, #npu.layout<Tensor>>, tensor<5xf32, #npu.layout<Tensor>>) -> tensor<2x5xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %p, %q : tensor<2x3x3xf32, #npu.layout<NTensor>>, tensor<2x5xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @products(%a: tensor<2x3x4xf32>, %b: tensor<2x4x3xf32>, %c: tensor<2x3xf32>, %d: tensor<3x5xf32>, %bias: tensor<5xf32>) -> (tensor<2x3x3xf32>, tensor<2x5xf32>) {
  %p = npu.matmul %a, %b : (tensor<2x3x4xf32>, tensor<2x4x3xf32>) -> tensor<2x3x3xf32>
  %q = npu.gemm %c, %d, %bias : (tensor<2x3xf32>, tensor<3x5xf32>, tensor<5xf32>) -> tensor<2x5xf32>
  return %p, %q : tensor<2x3x3xf32>, tensor<2x5xf32>
}

// -----

/// Quantised convolutions and products know their layouts as well; scales and zero points have no letters.
// CHECK-LABEL: func.func @quantised(
// CHECK-SAME:    %x: tensor<1x8x4x6xui8, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xi8, #npu.layout<OIHW>>, %xs: tensor<f32, #npu.layout<Tensor>>, %xz: tensor<ui8, #npu.layout<Tensor>>, %ws: tensor<8xf32, #npu.layout<Tensor>>, %wz: tensor<8xi8, #npu.layout<Tensor>>, %ys: tensor<f32, #npu.layout<Tensor>>, %yz: tensor<ui8, #npu.layout<Tensor>>, %m: tensor<6x5xi8, #npu.layout<Tensor>>, %ms: tensor<f32, #npu.layout<Tensor>>, %mz: tensor<i8, #npu.layout<Tensor>>) -> tensor<1x8x4x5xui8, #npu.layout<NTensor>> {
// CHECK-NEXT:    %y = npu.quant_conv2d %x, %w, %xs, %xz, %ws, %wz, %ys, %yz : (tensor<1x8x4x6xui8, #npu.layout<NCHW>>, tensor<8x8x1x1xi8, #npu.layout<OIHW>>, tensor<f32, #npu.layout<Tensor>>, tensor<ui8, #npu.layout<Tensor>>, tensor<8xf32, #npu.layout<Tensor>>, tensor<8xi8, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>, tensor<ui8, #npu.layout<Tensor>>) -> tensor<1x8x4x6xui8, #npu.layout<NCHW>>
// CHECK-NEXT:    %b = npu.broadcast %m axes = [2, 3] : (tensor<6x5xi8, #npu.layout<Tensor>>) -> tensor<1x8x6x5xi8, #npu.layout<NTensor>>
// CHECK-NEXT:    %0 = npu.relabel %y : (tensor<1x8x4x6xui8, #npu.layout<NCHW>>) -> tensor<1x8x4x6xui8, #npu.layout<NTensor>>
// CHECK-NEXT:    %z = npu.quant_gemm %0, %b, %xs, %xz, %ms, %mz, %ys, %yz : (tensor<1x8x4x6xui8, #npu.layout<NTensor>>, tensor<1x8x6x5xi8, #npu.layout<NTensor>>, tensor<f32, #npu.layout<Tensor>>, tensor<ui8, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>, tensor<ui8, #npu.layout<Tensor>>) -> tensor<1x8x4x5xui8, #npu.layout<NTensor>>
// CHECK-NEXT:    func.return %z : tensor<1x8x4x5xui8, #npu.layout<NTensor>>
// CHECK-NEXT:  }
func.func @quantised(%x: tensor<1x8x4x6xui8>, %w: tensor<8x8x1x1xi8>, %xs: tensor<f32>, %xz: tensor<ui8>, %ws: tensor<8xf32>, %wz: tensor<8xi8>, %ys: tensor<f32>, %yz: tensor<ui8>, %m: tensor<6x5xi8>, %ms: tensor<f32>, %mz: tensor<i8>) -> tensor<1x8x4x5xui8> {
  %y = npu.quant_conv2d %x, %w, %xs, %xz, %ws, %wz, %ys, %yz data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x4x6xui8>, tensor<8x8x1x1xi8>, tensor<f32>, tensor<ui8>, tensor<8xf32>, tensor<8xi8>, tensor<f32>, tensor<ui8>) -> tensor<1x8x4x6xui8>
  %b = npu.broadcast %m axes = [2, 3] : (tensor<6x5xi8>) -> tensor<1x8x6x5xi8>
  %z = npu.quant_gemm %y, %b, %xs, %xz, %ms, %mz, %ys, %yz : (tensor<1x8x4x6xui8>, tensor<1x8x6x5xi8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<1x8x4x5xui8>
  return %z : tensor<1x8x4x5xui8>
}

// -----

/// The gradient with respect to a kernel gives a result of class Weight.
// CHECK-LABEL: func.func @bpw(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %g: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<8x8x1x1xf32, #npu.layout<OIHW>> {
// CHECK-NEXT:    %k = npu.conv2d_bpw %x, %g : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<8x8x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:    %y = npu.relu %k : tensor<8x8x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:    func.return %y : tensor<8x8x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:  }
func.func @bpw(%x: tensor<1x8x4x6xf32>, %g: tensor<1x8x4x6xf32>) -> tensor<8x8x1x1xf32> {
  %k = npu.conv2d_bpw %x, %g data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x4x6xf32>, tensor<1x8x4x6xf32>) -> tensor<8x8x1x1xf32>
  %y = npu.relu %k : tensor<8x8x1x1xf32>
  return %y : tensor<8x8x1x1xf32>
}

// -----

/// The hardware's own transposes know both their layouts.
// CHECK-LABEL: func.func @fixed(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %a = npu.nchw2nhwc %x : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b = npu.nhwc2nchw %a : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %b : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @fixed(%x: tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32> {
  %a = npu.nchw2nhwc %x : (tensor<1x8x4x6xf32>) -> tensor<1x4x6x8xf32>
  %b = npu.nhwc2nchw %a : (tensor<1x4x6x8xf32>) -> tensor<1x8x4x6xf32>
  return %b : tensor<1x8x4x6xf32>
}

// -----

/// Layouts travel against the direction of data to the arguments, and in it to the results.
// CHECK-LABEL: func.func @travel(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %a = npu.relu %x : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b = npu.conv2d %a, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %c = npu.abs %b : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %c : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  }
func.func @travel(%x: tensor<1x4x6x8xf32>, %w: tensor<1x1x8x8xf32>) -> tensor<1x4x6x8xf32> {
  %a = npu.relu %x : tensor<1x4x6x8xf32>
  %b = npu.conv2d %a, %w data_layout = <NHWC> kernel_layout = <HWOI> : (tensor<1x4x6x8xf32>, tensor<1x1x8x8xf32>) -> tensor<1x4x6x8xf32>
  %c = npu.abs %b : tensor<1x4x6x8xf32>
  return %c : tensor<1x4x6x8xf32>
}

// -----

/// A typed argument keeps its type, and its layout travels on.
// CHECK-LABEL: func.func @typed(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %y = npu.relu %x : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %y : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  }
func.func @typed(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32> {
  %y = npu.relu %x : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32>
  return %y : tensor<1x4x6x8xf32>
}

// -----

/// A convolution that declares another layout than that of a typed argument gets a relabel on the way to it, never a transpose.
// CHECK-LABEL: func.func @renamed(
// CHECK-SAME:    %x: tensor<1x8x8x8xf32, #npu.layout<NHWC>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x8x8xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %0 = npu.relabel %x : (tensor<1x8x8x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x8x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %a = npu.relu %0 : tensor<1x8x8x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %y = npu.conv2d %a, %w : (tensor<1x8x8x8xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x8x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %y : tensor<1x8x8x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @renamed(%x: tensor<1x8x8x8xf32, #npu.layout<NHWC>>, %w: tensor<8x8x1x1xf32>) -> tensor<1x8x8x8xf32> {
  %a = npu.relu %x : (tensor<1x8x8x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x8x8xf32>
  %y = npu.conv2d %a, %w data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x8x8xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x8x8xf32>
  return %y : tensor<1x8x8x8xf32>
}

// -----

/// A value needed under two layouts has that of its producer; each other user gets a relabel.
// CHECK-LABEL: func.func @producer(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> (tensor<1x4x6x8xf32, #npu.layout<NCHW>>, tensor<1x4x6x8xf32, #npu.layout<NCHW>>) {
// CHECK-NEXT:    %p = npu.max_pool %x window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %0 = npu.relabel %p : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %a = npu.max_pool %0 window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %1 = npu.relabel %p : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %b = npu.avg_pool %1 window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %a, %b : tensor<1x4x6x8xf32, #npu.layout<NCHW>>, tensor<1x4x6x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @producer(%x: tensor<1x4x6x8xf32>) -> (tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>) {
  %p = npu.max_pool %x window = [1, 1] data_layout = <NHWC> : tensor<1x4x6x8xf32>
  %a = npu.max_pool %p window = [1, 1] data_layout = <NCHW> : tensor<1x4x6x8xf32>
  %b = npu.avg_pool %p window = [1, 1] data_layout = <NCHW> : tensor<1x4x6x8xf32>
  return %a, %b : tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>
}

// -----

/// If the producer does not know, most users decide.
// CHECK-LABEL: func.func @majority(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NCHW>>) -> (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x4x6x8xf32, #npu.layout<NCHW>>, tensor<1x4x6x8xf32, #npu.layout<NCHW>>) {
// CHECK-NEXT:    %r = npu.relu %x : tensor<1x4x6x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %0 = npu.relabel %r : (tensor<1x4x6x8xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.max_pool %0 window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b = npu.max_pool %r window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %c = npu.avg_pool %r window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %a, %b, %c : tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x4x6x8xf32, #npu.layout<NCHW>>, tensor<1x4x6x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @majority(%x: tensor<1x4x6x8xf32>) -> (tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>) {
  %r = npu.relu %x : tensor<1x4x6x8xf32>
  %a = npu.max_pool %r window = [1, 1] data_layout = <NHWC> : tensor<1x4x6x8xf32>
  %b = npu.max_pool %r window = [1, 1] data_layout = <NCHW> : tensor<1x4x6x8xf32>
  %c = npu.avg_pool %r window = [1, 1] data_layout = <NCHW> : tensor<1x4x6x8xf32>
  return %a, %b, %c : tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>
}

// -----

/// If as many users expect one layout as the other, the first user decides.
// CHECK-LABEL: func.func @first_user(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x4x6x8xf32, #npu.layout<NCHW>>) {
// CHECK-NEXT:    %a = npu.max_pool %x window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %0 = npu.relabel %x : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %b = npu.max_pool %0 window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %a, %b : tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x4x6x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @first_user(%x: tensor<1x4x6x8xf32>) -> (tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>) {
  %a = npu.max_pool %x window = [1, 1] data_layout = <NHWC> : tensor<1x4x6x8xf32>
  %b = npu.max_pool %x window = [1, 1] data_layout = <NCHW> : tensor<1x4x6x8xf32>
  return %a, %b : tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>
}

// -----

/// A user that reads a value twice has one voice, and one relabel.
// CHECK-LABEL: func.func @one_voice(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x4x6x8xf32, #npu.layout<NCHW>>) {
// CHECK-NEXT:    %a = npu.max_pool %x window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %0 = npu.relabel %x : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %s = npu.mul %0, %0 : tensor<1x4x6x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %b = npu.max_pool %s window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %a, %b : tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x4x6x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @one_voice(%x: tensor<1x4x6x8xf32>) -> (tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>) {
  %a = npu.max_pool %x window = [1, 1] data_layout = <NHWC> : tensor<1x4x6x8xf32>
  %s = npu.mul %x, %x : tensor<1x4x6x8xf32>
  %b = npu.max_pool %s window = [1, 1] data_layout = <NCHW> : tensor<1x4x6x8xf32>
  return %a, %b : tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>
}

// -----

/// An argument and a constant whose users need no layout take that of the operand they are combined with.
// CHECK-LABEL: func.func @sibling(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>, %skip: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %y = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %scale = npu.constant dense<5.000000e-01> : tensor<1x8x1x1xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %a = npu.mul %y, %scale : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %b = npu.add %y, %skip : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %c = npu.add %a, %b : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %c : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @sibling(%x: tensor<1x8x4x6xf32>, %w: tensor<8x8x1x1xf32>, %skip: tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32> {
  %y = npu.conv2d %x, %w data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %scale = npu.constant dense<0.5> : tensor<1x8x1x1xf32>
  %a = npu.mul %y, %scale : (tensor<1x8x4x6xf32>, tensor<1x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %b = npu.add %y, %skip : tensor<1x8x4x6xf32>
  %c = npu.add %a, %b : tensor<1x8x4x6xf32>
  return %c : tensor<1x8x4x6xf32>
}

// -----

/// An argument takes the layout of a sibling that got its own from another user, though that is behind it.
// CHECK-LABEL: func.func @later_sibling(
// CHECK-SAME:    %a: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %b: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
// CHECK-NEXT:    %s = npu.add %a, %b : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %p = npu.max_pool %b window = [1, 1] : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %s, %p : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @later_sibling(%a: tensor<1x8x4x6xf32>, %b: tensor<1x8x4x6xf32>) -> (tensor<1x8x4x6xf32>, tensor<1x8x4x6xf32>) {
  %s = npu.add %a, %b : tensor<1x8x4x6xf32>
  %p = npu.max_pool %b window = [1, 1] data_layout = <NCHW> : tensor<1x8x4x6xf32>
  return %s, %p : tensor<1x8x4x6xf32>, tensor<1x8x4x6xf32>
}

// -----

/// A sibling that is re-ordered is no example: a re-ordered Tensor is never made.
// CHECK-LABEL: func.func @reordered_sibling(
// CHECK-SAME:    %x: tensor<2x3xf32, #npu.layout<Tensor, [1, 0]>>, %y: tensor<2x3xf32, #npu.layout<Tensor>>) -> tensor<2x3xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %0 = npu.relabel %x : (tensor<2x3xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<2x3xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %s = npu.add %0, %y : tensor<2x3xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %s : tensor<2x3xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @reordered_sibling(%x: tensor<2x3xf32, #npu.layout<Tensor, [1, 0]>>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %s = npu.add %x, %y : (tensor<2x3xf32, #npu.layout<Tensor, [1, 0]>>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %s : tensor<2x3xf32>
}

// -----

/// A repeated tensor that is combined with a feature is relabelled.
// CHECK-LABEL: func.func @repeated(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %s: tensor<1x1x6x6xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %p = npu.max_pool %x window = [1, 1] : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %m = npu.matmul %s, %s : tensor<1x1x6x6xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %v = npu.slice %m starts = [0, 0, 0, 0] limits = [1, 1, 1, 6] : (tensor<1x1x6x6xf32, #npu.layout<NTensor>>) -> tensor<1x1x1x6xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %0 = npu.relabel %v : (tensor<1x1x1x6xf32, #npu.layout<NTensor>>) -> tensor<1x1x1x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %y = npu.mul %0, %p : (tensor<1x1x1x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %y : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @repeated(%x: tensor<1x8x4x6xf32>, %s: tensor<1x1x6x6xf32>) -> tensor<1x8x4x6xf32> {
  %p = npu.max_pool %x window = [1, 1] data_layout = <NCHW> : tensor<1x8x4x6xf32>
  %m = npu.matmul %s, %s : tensor<1x1x6x6xf32>
  %v = npu.slice %m starts = [0, 0, 0, 0] limits = [1, 1, 1, 6] : (tensor<1x1x6x6xf32>) -> tensor<1x1x1x6xf32>
  %y = npu.mul %v, %p : (tensor<1x1x1x6xf32>, tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32>
  return %y : tensor<1x8x4x6xf32>
}

// -----

/// The result of a feature and a tensor is a feature, whichever comes first; the tensor is relabelled.
// CHECK-LABEL: func.func @feature_last(
// CHECK-SAME:    %x: tensor<2x3x8x8xf32, #npu.layout<NCHW>>) -> tensor<2x3x8x8xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %p = npu.max_pool %x window = [1, 1] : tensor<2x3x8x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %0 = npu.relabel %p : (tensor<2x3x8x8xf32, #npu.layout<NCHW>>) -> tensor<2x3x8x8xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %m = npu.matmul %0, %0 : tensor<2x3x8x8xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %1 = npu.relabel %m : (tensor<2x3x8x8xf32, #npu.layout<NTensor>>) -> tensor<2x3x8x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %y = npu.add %1, %p : tensor<2x3x8x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %y : tensor<2x3x8x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
// CHECK-LABEL: func.func @feature_first(
// CHECK-SAME:    %x: tensor<2x3x8x8xf32, #npu.layout<NCHW>>) -> tensor<2x3x8x8xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %p = npu.max_pool %x window = [1, 1] : tensor<2x3x8x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %0 = npu.relabel %p : (tensor<2x3x8x8xf32, #npu.layout<NCHW>>) -> tensor<2x3x8x8xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %m = npu.matmul %0, %0 : tensor<2x3x8x8xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %1 = npu.relabel %m : (tensor<2x3x8x8xf32, #npu.layout<NTensor>>) -> tensor<2x3x8x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %y = npu.add %p, %1 : tensor<2x3x8x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %y : tensor<2x3x8x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @feature_last(%x: tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32> {
  %p = npu.max_pool %x window = [1, 1] data_layout = <NCHW> : tensor<2x3x8x8xf32>
  %m = npu.matmul %p, %p : tensor<2x3x8x8xf32>
  %y = npu.add %m, %p : tensor<2x3x8x8xf32>
  return %y : tensor<2x3x8x8xf32>
}
func.func @feature_first(%x: tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32> {
  %p = npu.max_pool %x window = [1, 1] data_layout = <NCHW> : tensor<2x3x8x8xf32>
  %m = npu.matmul %p, %p : tensor<2x3x8x8xf32>
  %y = npu.add %p, %m : tensor<2x3x8x8xf32>
  return %y : tensor<2x3x8x8xf32>
}

// -----

/// So it is where the feature is repeated and the tensor is not, and at ops that are not elementwise.
// CHECK-LABEL: func.func @repeated_feature(
// CHECK-SAME:    %s: tensor<1x8x1x1xf32, #npu.layout<NCHW>>, %t: tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x16x4x6xf32, #npu.layout<NCHW>>) {
// CHECK-NEXT:    %r = npu.relu %s : tensor<1x8x1x1xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %u = npu.relu %t : tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %0 = npu.relabel %u : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %m = npu.mul %0, %r : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %1 = npu.relabel %u : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %c = npu.concat %1, %m axis = 1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x16x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %m, %c : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x16x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @repeated_feature(%s: tensor<1x8x1x1xf32, #npu.layout<NCHW>>, %t: tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> (tensor<1x8x4x6xf32>, tensor<1x16x4x6xf32>) {
  %r = npu.relu %s : (tensor<1x8x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x8x1x1xf32>
  %u = npu.relu %t : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32>
  %m = npu.mul %u, %r : (tensor<1x8x4x6xf32>, tensor<1x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %c = npu.concat %u, %m axis = 1 : (tensor<1x8x4x6xf32>, tensor<1x8x4x6xf32>) -> tensor<1x16x4x6xf32>
  return %m, %c : tensor<1x8x4x6xf32>, tensor<1x16x4x6xf32>
}

// -----

/// A feature comes before a weight, and the identity before other orders.
// CHECK-LABEL: func.func @feature_and_weight(
// CHECK-SAME:    %x: tensor<8x8x1x1xf32, #npu.layout<NHWC>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>, %z: tensor<8x8x1x1xf32, #npu.layout<NCHW>>) -> (tensor<8x8x1x1xf32, #npu.layout<NHWC>>, tensor<8x8x1x1xf32, #npu.layout<NCHW>>) {
// CHECK-NEXT:    %a = npu.relu %w : tensor<8x8x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:    %0 = npu.relabel %a : (tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<8x8x1x1xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b = npu.add %0, %x : tensor<8x8x1x1xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %c = npu.relu %z : tensor<8x8x1x1xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %1 = npu.relabel %b : (tensor<8x8x1x1xf32, #npu.layout<NHWC>>) -> tensor<8x8x1x1xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %d = npu.add %1, %c : tensor<8x8x1x1xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %b, %d : tensor<8x8x1x1xf32, #npu.layout<NHWC>>, tensor<8x8x1x1xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @feature_and_weight(%x: tensor<8x8x1x1xf32, #npu.layout<NHWC>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>, %z: tensor<8x8x1x1xf32, #npu.layout<NCHW>>) -> (tensor<8x8x1x1xf32>, tensor<8x8x1x1xf32>) {
  %a = npu.relu %w : (tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<8x8x1x1xf32>
  %b = npu.add %a, %x : (tensor<8x8x1x1xf32>, tensor<8x8x1x1xf32, #npu.layout<NHWC>>) -> tensor<8x8x1x1xf32>
  %c = npu.relu %z : (tensor<8x8x1x1xf32, #npu.layout<NCHW>>) -> tensor<8x8x1x1xf32>
  %d = npu.add %b, %c : tensor<8x8x1x1xf32>
  return %b, %d : tensor<8x8x1x1xf32>, tensor<8x8x1x1xf32>
}

// -----

/// Of the siblings that an argument has at one op the feature is the example, whichever comes first.
// CHECK-LABEL: func.func @siblings(
// CHECK-SAME:    %c: tensor<1x8x4x6xi1, #npu.layout<NCHW>>, %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %t: tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %r = npu.relu %t : tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %0 = npu.relabel %r : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %s = npu.select %c, %0, %x : (tensor<1x8x4x6xi1, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %s : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @siblings(%c: tensor<1x8x4x6xi1>, %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %t: tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32> {
  %r = npu.relu %t : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32>
  %s = npu.select %c, %r, %x : (tensor<1x8x4x6xi1>, tensor<1x8x4x6xf32>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32>
  return %s : tensor<1x8x4x6xf32>
}

// -----

/// One element has every layout: it is not relabelled, whatever its class.
// CHECK-LABEL: func.func @one_element(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %s: tensor<f32, #npu.layout<Tensor>>, %t: tensor<1x1x1x1xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %p = npu.max_pool %x window = [1, 1] : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %a = npu.mul %p, %s : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<f32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %b = npu.add %a, %t : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x1x1xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %b : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @one_element(%x: tensor<1x8x4x6xf32>, %s: tensor<f32>, %t: tensor<1x1x1x1xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32> {
  %p = npu.max_pool %x window = [1, 1] data_layout = <NCHW> : tensor<1x8x4x6xf32>
  %a = npu.mul %p, %s : (tensor<1x8x4x6xf32>, tensor<f32>) -> tensor<1x8x4x6xf32>
  %b = npu.add %a, %t : (tensor<1x8x4x6xf32>, tensor<1x1x1x1xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32>
  return %b : tensor<1x8x4x6xf32>
}

// -----

/// A constant gets the layout known from its user, in the type of its elements as well; so does one kept in a file.
// CHECK-LABEL: func.func @constants(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %w = npu.constant dense<5.000000e-01> : tensor<8x8x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:    %v = npu.constant #npu.reference<"w.safetensors", "w"> : tensor<8x8x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:    %b = npu.constant dense<1.000000e+00> : tensor<8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %y = npu.conv2d %x, %w, %b : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>, tensor<8xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %z = npu.conv2d %y, %v : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %z : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @constants(%x: tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32> {
  %w = npu.constant dense<0.5> : tensor<8x8x1x1xf32>
  %v = npu.constant #npu.reference<"w.safetensors", "w"> : tensor<8x8x1x1xf32>
  %b = npu.constant dense<1.0> : tensor<8xf32>
  %y = npu.conv2d %x, %w, %b data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>, tensor<8xf32>) -> tensor<1x8x4x6xf32>
  %z = npu.conv2d %y, %v data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  return %z : tensor<1x8x4x6xf32>
}

// -----

/// A constant of another system gets its layout in the type of its numbers, too.
// CHECK-LABEL: func.func @foreign_constant(
// CHECK-SAME:    %x: tensor<4xf32, #npu.layout<Tensor>>) -> tensor<4xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %k = arith.constant dense<1.000000e+00> : tensor<4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %y = npu.add %x, %k : tensor<4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %y : tensor<4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @foreign_constant(%x: tensor<4xf32>) -> tensor<4xf32> {
  %k = arith.constant dense<1.0> : tensor<4xf32>
  %y = npu.add %x, %k : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

/// Opaque ops and ops of other systems read and give tensors without letters; what was typed stays.
// CHECK-LABEL: func.func @opaque(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> (tensor<1x4x6x8xf32, #npu.layout<Tensor>>, tensor<1x8x4x6xf32, #npu.layout<Tensor>>) {
// CHECK-NEXT:    %a = npu.opaque "vendor.a"(%x) : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %p = npu.max_pool %y window = [1, 1] : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %0 = npu.relabel %p : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %b = npu.opaque "vendor.b"(%0) : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %c = arith.addf %b, %b : tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %a, %c : tensor<1x4x6x8xf32, #npu.layout<Tensor>>, tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @opaque(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>, %y: tensor<1x8x4x6xf32>) -> (tensor<1x4x6x8xf32>, tensor<1x8x4x6xf32>) {
  %a = npu.opaque "vendor.a"(%x) : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32>
  %p = npu.max_pool %y window = [1, 1] data_layout = <NCHW> : tensor<1x8x4x6xf32>
  %b = npu.opaque "vendor.b"(%p) : (tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32>
  %c = arith.addf %b, %b : tensor<1x8x4x6xf32>
  return %a, %c : tensor<1x4x6x8xf32>, tensor<1x8x4x6xf32>
}

// -----

/// An encoding of another system is left alone.
// CHECK-LABEL: func.func @other_encoding(
// CHECK-SAME:    %x: tensor<4xf32, "sparse">) -> tensor<4xf32, "sparse"> {
// CHECK-NEXT:    %y = "test.op"(%x) : (tensor<4xf32, "sparse">) -> tensor<4xf32, "sparse">
// CHECK-NEXT:    func.return %y : tensor<4xf32, "sparse">
// CHECK-NEXT:  }
func.func @other_encoding(%x: tensor<4xf32, "sparse">) -> tensor<4xf32, "sparse"> {
  %y = "test.op"(%x) : (tensor<4xf32, "sparse">) -> tensor<4xf32, "sparse">
  return %y : tensor<4xf32, "sparse">
}

// -----

/// An op without uses is coloured like any other.
// CHECK-LABEL: func.func @dead(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %p = npu.max_pool %x window = [1, 1] : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %d = npu.exp %p : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %p : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @dead(%x: tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32> {
  %p = npu.max_pool %x window = [1, 1] data_layout = <NCHW> : tensor<1x8x4x6xf32>
  %d = npu.exp %p : tensor<1x8x4x6xf32>
  return %p : tensor<1x8x4x6xf32>
}

// -----

/// Nothing is known: all is Tensor, whatever the rank.
// CHECK-LABEL: func.func @nothing(
// CHECK-SAME:    %a: tensor<f32, #npu.layout<Tensor>>, %b: tensor<2x1x1x1x1x1x1xf32, #npu.layout<Tensor>>, %c: tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> (tensor<2x1x1x1x1x1x1xf32, #npu.layout<Tensor>>, tensor<1x8x4x6xf32, #npu.layout<Tensor>>) {
// CHECK-NEXT:    %y = npu.mul %b, %a : (tensor<2x1x1x1x1x1x1xf32, #npu.layout<Tensor>>, tensor<f32, #npu.layout<Tensor>>) -> tensor<2x1x1x1x1x1x1xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %z = npu.relu %c : tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %y, %z : tensor<2x1x1x1x1x1x1xf32, #npu.layout<Tensor>>, tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @nothing(%a: tensor<f32>, %b: tensor<2x1x1x1x1x1x1xf32>, %c: tensor<1x8x4x6xf32>) -> (tensor<2x1x1x1x1x1x1xf32>, tensor<1x8x4x6xf32>) {
  %y = npu.mul %b, %a : (tensor<2x1x1x1x1x1x1xf32>, tensor<f32>) -> tensor<2x1x1x1x1x1x1xf32>
  %z = npu.relu %c : tensor<1x8x4x6xf32>
  return %y, %z : tensor<2x1x1x1x1x1x1xf32>, tensor<1x8x4x6xf32>
}

// -----

/// An argument whose users say nothing has the layout of the value that its first user combines it with.
// CHECK-LABEL: func.func @first_sibling(
// CHECK-SAME:    %x: tensor<4x4x3x3xf32, #npu.layout<NCHW>>, %f: tensor<4x4x3x3xf32, #npu.layout<NCHW>>, %w: tensor<4x4x3x3xf32, #npu.layout<OIHW>>) {
// CHECK-NEXT:    %a = npu.add %x, %f : tensor<4x4x3x3xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %0 = npu.relabel %w : (tensor<4x4x3x3xf32, #npu.layout<OIHW>>) -> tensor<4x4x3x3xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %b = npu.add %x, %0 : tensor<4x4x3x3xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
func.func @first_sibling(%x: tensor<4x4x3x3xf32>, %f: tensor<4x4x3x3xf32, #npu.layout<NCHW>>, %w: tensor<4x4x3x3xf32, #npu.layout<OIHW>>) {
  %a = npu.add %x, %f : (tensor<4x4x3x3xf32>, tensor<4x4x3x3xf32, #npu.layout<NCHW>>) -> tensor<4x4x3x3xf32>
  %b = npu.add %x, %w : (tensor<4x4x3x3xf32>, tensor<4x4x3x3xf32, #npu.layout<OIHW>>) -> tensor<4x4x3x3xf32>
  return
}
