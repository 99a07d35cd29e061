// RUN: npu-opt %s --fold-norms --split-input-file | filecheck %s
// RUN: npu-opt %s --fold-norms --fold-norms --split-input-file | filecheck %s
// RUN: npu-opt %s --fold-norms=reshaped=true --split-input-file | filecheck %s --check-prefix=RESHAPED
// RUN: npu-opt %s --fold-norms=reshaped=true --split-input-file --verify-layouts --remarks -o %t.mlir 2> %t.txt
// RUN: test ! -s %t.txt

/// A factor and a summand for each channel, behind a bias.
// CHECK-LABEL: func.func @scaled(
// CHECK:       %0 = npu.reshape %s : (tensor<1x2x1x1xf32>) -> tensor<2x1x1x1xf32>
// CHECK-NEXT:  %1 = npu.mul %k, %0 : tensor<2x1x1x1xf32>
// CHECK-NEXT:  %2 = npu.reshape %s : (tensor<1x2x1x1xf32>) -> tensor<2xf32>
// CHECK-NEXT:  %3 = npu.mul %b, %2 : tensor<2xf32>
// CHECK-NEXT:  %4 = npu.reshape %t : (tensor<1x2x1x1xf32>) -> tensor<2xf32>
// CHECK-NEXT:  %5 = npu.add %3, %4 : tensor<2xf32>
// CHECK-NEXT:  %y = npu.conv2d %x, %1, %5 data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT:  func.return %y : tensor<1x2x4x4xf32>
func.func @scaled(%x: tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %k = npu.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = npu.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %s = npu.constant dense<[[[[0.5]], [[3.0]]]]> : tensor<1x2x1x1xf32>
  %t = npu.constant dense<[[[[0.25]], [[7.0]]]]> : tensor<1x2x1x1xf32>
  %c = npu.conv2d %x, %k, %b data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<1x2x4x4xf32>
  %p = npu.mul %c, %s : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %y = npu.add %p, %t : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  func.return %y : tensor<1x2x4x4xf32>
}

// -----

/// Two factors behind one another, in channels last, for an op without a bias.
// CHECK-LABEL: func.func @twice(
// CHECK:       %0 = npu.relabel %s : (tensor<1x1x1x2xf32, #npu.layout<NHWC>>) -> tensor<1x1x1x2xf32, #npu.layout<HWIO>>
// CHECK-NEXT:  %1 = npu.mul %k, %0 : tensor<1x1x1x2xf32, #npu.layout<HWIO>>
// CHECK-NEXT:  %2 = npu.relabel %s : (tensor<1x1x1x2xf32, #npu.layout<NHWC>>) -> tensor<1x1x1x2xf32, #npu.layout<HWIO>>
// CHECK-NEXT:  %3 = npu.mul %1, %2 : tensor<1x1x1x2xf32, #npu.layout<HWIO>>
// CHECK-NEXT:  %y = npu.conv2d %x, %3 groups = 2 : (tensor<1x4x4x2xf32, #npu.layout<NHWC>>, tensor<1x1x1x2xf32, #npu.layout<HWIO>>) -> tensor<1x4x4x2xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  func.return %y : tensor<1x4x4x2xf32, #npu.layout<NHWC>>
func.func @twice(%x: tensor<1x4x4x2xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x2xf32, #npu.layout<NHWC>> {
  %k = npu.constant dense<[[[[1.0, 2.0]]]]> : tensor<1x1x1x2xf32, #npu.layout<HWIO>>
  %s = npu.constant dense<[[[[0.5, 3.0]]]]> : tensor<1x1x1x2xf32, #npu.layout<NHWC>>
  %c = npu.conv2d %x, %k groups = 2
    : (tensor<1x4x4x2xf32, #npu.layout<NHWC>>, tensor<1x1x1x2xf32, #npu.layout<HWIO>>) -> tensor<1x4x4x2xf32, #npu.layout<NHWC>>
  %p = npu.mul %s, %c
    : (tensor<1x1x1x2xf32, #npu.layout<NHWC>>, tensor<1x4x4x2xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x2xf32, #npu.layout<NHWC>>
  %y = npu.mul %p, %s
    : (tensor<1x4x4x2xf32, #npu.layout<NHWC>>, tensor<1x1x1x2xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x2xf32, #npu.layout<NHWC>>
  func.return %y : tensor<1x4x4x2xf32, #npu.layout<NHWC>>
}

// -----

/// A norm behind a convolution; its parameters are computed in f64.
// CHECK-LABEL: func.func @norm(
// CHECK:       %0 = npu.cast %s : (tensor<2xf32>) -> tensor<2xf64>
// CHECK-NEXT:  %1 = npu.cast %b : (tensor<2xf32>) -> tensor<2xf64>
// CHECK-NEXT:  %2 = npu.cast %m : (tensor<2xf32>) -> tensor<2xf64>
// CHECK-NEXT:  %3 = npu.cast %v : (tensor<2xf32>) -> tensor<2xf64>
// CHECK-NEXT:  %4 = npu.constant dense<1.000000e-05> : tensor<2xf64>
// CHECK-NEXT:  %5 = npu.add %3, %4 : tensor<2xf64>
// CHECK-NEXT:  %6 = npu.sqrt %5 : tensor<2xf64>
// CHECK-NEXT:  %7 = npu.div %0, %6 : tensor<2xf64>
// CHECK-NEXT:  %8 = npu.mul %2, %7 : tensor<2xf64>
// CHECK-NEXT:  %9 = npu.sub %1, %8 : tensor<2xf64>
// CHECK-NEXT:  %10 = npu.cast %7 : (tensor<2xf64>) -> tensor<2xf32>
// CHECK-NEXT:  %11 = npu.cast %9 : (tensor<2xf64>) -> tensor<2xf32>
// CHECK-NEXT:  %12 = npu.reshape %10 : (tensor<2xf32>) -> tensor<1x2x1xf32>
// CHECK-NEXT:  %13 = npu.reshape %11 : (tensor<2xf32>) -> tensor<1x2x1xf32>
// CHECK-NEXT:  %14 = npu.reshape %12 : (tensor<1x2x1xf32>) -> tensor<2x1x1xf32>
// CHECK-NEXT:  %15 = npu.mul %k, %14 : tensor<2x1x1xf32>
// CHECK-NEXT:  %16 = npu.reshape %13 : (tensor<1x2x1xf32>) -> tensor<2xf32>
// CHECK-NEXT:  %y = npu.conv1d %x, %15, %16 data_layout = <NCW> kernel_layout = <OIW> : (tensor<1x1x6xf32>, tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<1x2x6xf32>
// CHECK-NEXT:  func.return %y : tensor<1x2x6xf32>
func.func @norm(%x: tensor<1x1x6xf32>, %unused: tensor<2xf32>) -> tensor<1x2x6xf32> {
  %k = npu.constant dense<[[[1.0]], [[2.0]]]> : tensor<2x1x1xf32>
  %s = npu.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %b = npu.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %m = npu.constant dense<[4.0, 5.0]> : tensor<2xf32>
  %v = npu.constant dense<[6.0, 7.0]> : tensor<2xf32>
  %c = npu.conv1d %x, %k data_layout = <NCW> kernel_layout = <OIW>
    : (tensor<1x1x6xf32>, tensor<2x1x1xf32>) -> tensor<1x2x6xf32>
  %y = npu.batch_norm %c, %s, %b, %m, %v axis = 1
    : (tensor<1x2x6xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x6xf32>
  func.return %y : tensor<1x2x6xf32>
}

// -----

/// The outputs of a transposed convolution are along I, or along O if each group has one channel.
// CHECK-LABEL: func.func @transposed(
// CHECK:       %0 = npu.mul %k, %s : (tensor<2x3x2x2xf32>, tensor<1x3x1x1xf32>) -> tensor<2x3x2x2xf32>
// CHECK-NEXT:  %y = npu.conv_transpose2d %x, %0 strides = [2, 2] data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x2x3x3xf32>, tensor<2x3x2x2xf32>) -> tensor<1x3x6x6xf32>
// CHECK-NEXT:  %1 = npu.reshape %t : (tensor<1x2x1x1xf32>) -> tensor<2x1x1x1xf32>
// CHECK-NEXT:  %2 = npu.mul %g, %1 : (tensor<2x1x2x2xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x2x2xf32>
// CHECK-NEXT:  %z = npu.conv_transpose2d %x, %2 strides = [2, 2] groups = 2 data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x2x3x3xf32>, tensor<2x1x2x2xf32>) -> tensor<1x2x6x6xf32>
// CHECK-NEXT:  func.return %y, %z : tensor<1x3x6x6xf32>, tensor<1x2x6x6xf32>
func.func @transposed(%x: tensor<1x2x3x3xf32>) -> (tensor<1x3x6x6xf32>, tensor<1x2x6x6xf32>) {
  %k = npu.constant #npu.reference<"missing.safetensors", "k"> : tensor<2x3x2x2xf32>
  %g = npu.constant #npu.reference<"missing.safetensors", "g"> : tensor<2x1x2x2xf32>
  %s = npu.constant dense<[[[[0.5]], [[3.0]], [[7.0]]]]> : tensor<1x3x1x1xf32>
  %t = npu.constant dense<[[[[0.25]], [[7.0]]]]> : tensor<1x2x1x1xf32>
  %c = npu.conv_transpose2d %x, %k strides = [2, 2] data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x2x3x3xf32>, tensor<2x3x2x2xf32>) -> tensor<1x3x6x6xf32>
  %d = npu.conv_transpose2d %x, %g strides = [2, 2] groups = 2 data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x2x3x3xf32>, tensor<2x1x2x2xf32>) -> tensor<1x2x6x6xf32>
  %y = npu.mul %c, %s : (tensor<1x3x6x6xf32>, tensor<1x3x1x1xf32>) -> tensor<1x3x6x6xf32>
  %z = npu.mul %d, %t : (tensor<1x2x6x6xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x6x6xf32>
  func.return %y, %z : tensor<1x3x6x6xf32>, tensor<1x2x6x6xf32>
}

// -----

/// A product takes a factor that is behind a sum; `npu.gemm` takes the summand as well.
// CHECK-LABEL: func.func @products(
// CHECK:       %0 = npu.mul %b, %s : (tensor<1x3xf32>, tensor<f32>) -> tensor<1x3xf32>
// CHECK-NEXT:  %1 = npu.reshape %s : (tensor<f32>) -> tensor<1x1xf32>
// CHECK-NEXT:  %2 = npu.mul %k, %1 : (tensor<2x3xf32>, tensor<1x1xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:  %3 = npu.matmul %x, %2 : (tensor<?x2xf32>, tensor<2x3xf32>) -> tensor<?x3xf32>
// CHECK-NEXT:  %y = npu.add %3, %0 : (tensor<?x3xf32>, tensor<1x3xf32>) -> tensor<?x3xf32>
// CHECK-NEXT:  %4 = npu.reshape %s : (tensor<f32>) -> tensor<1xf32>
// CHECK-NEXT:  %5 = npu.reshape %b : (tensor<1x3xf32>) -> tensor<3xf32>
// CHECK-NEXT:  %6 = npu.add %4, %5 : (tensor<1xf32>, tensor<3xf32>) -> tensor<3xf32>
// CHECK-NEXT:  %7 = npu.reshape %b : (tensor<1x3xf32>) -> tensor<3x1xf32>
// CHECK-NEXT:  %8 = npu.mul %w, %7 : (tensor<3x2xf32>, tensor<3x1xf32>) -> tensor<3x2xf32>
// CHECK-NEXT:  %9 = npu.reshape %b : (tensor<1x3xf32>) -> tensor<3xf32>
// CHECK-NEXT:  %10 = npu.mul %6, %9 : tensor<3xf32>
// CHECK-NEXT:  %z = npu.gemm %x, %8, %10 trans_b : (tensor<?x2xf32>, tensor<3x2xf32>, tensor<3xf32>) -> tensor<?x3xf32>
// CHECK-NEXT:  func.return %y, %z : tensor<?x3xf32>, tensor<?x3xf32>
func.func @products(%x: tensor<?x2xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %k = npu.constant #npu.reference<"missing.safetensors", "k"> : tensor<2x3xf32>
  %w = npu.constant #npu.reference<"missing.safetensors", "w"> : tensor<3x2xf32>
  %b = npu.constant dense<[[1.0, 2.0, 9.0]]> : tensor<1x3xf32>
  %s = npu.constant dense<0.3> : tensor<f32>
  %c = npu.matmul %x, %k : (tensor<?x2xf32>, tensor<2x3xf32>) -> tensor<?x3xf32>
  %d = npu.add %c, %b : (tensor<?x3xf32>, tensor<1x3xf32>) -> tensor<?x3xf32>
  %y = npu.mul %d, %s : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %g = npu.gemm %x, %w, %s trans_b : (tensor<?x2xf32>, tensor<3x2xf32>, tensor<f32>) -> tensor<?x3xf32>
  %h = npu.add %b, %g : (tensor<1x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %z = npu.mul %h, %b : (tensor<?x3xf32>, tensor<1x3xf32>) -> tensor<?x3xf32>
  func.return %y, %z : tensor<?x3xf32>, tensor<?x3xf32>
}

// -----

/// Nothing crosses a relu, and nothing is taken from a value that is read twice, or that is an integer.
// CHECK-LABEL: func.func @kept(
// CHECK:       %a = npu.matmul %x, %k : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT:  %r = npu.relu %a : tensor<1x2xf32>
// CHECK-NEXT:  %y = npu.mul %r, %s : tensor<1x2xf32>
// CHECK-NEXT:  %b = npu.matmul %x, %k trans_b : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT:  %z = npu.mul %b, %s : tensor<1x2xf32>
// CHECK-NEXT:  %c = npu.matmul %n, %i : (tensor<1x2xi32>, tensor<2x2xi32>) -> tensor<1x2xi32>
// CHECK-NEXT:  %u = npu.mul %c, %j : tensor<1x2xi32>
// CHECK-NEXT:  func.return %y, %b, %z, %u : tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xi32>
func.func @kept(%x: tensor<1x2xf32>, %n: tensor<1x2xi32>)
    -> (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xi32>) {
  %k = npu.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %i = npu.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %s = npu.constant dense<[[0.5, 3.0]]> : tensor<1x2xf32>
  %j = npu.constant dense<[[5, 3]]> : tensor<1x2xi32>
  %a = npu.matmul %x, %k : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %r = npu.relu %a : tensor<1x2xf32>
  %y = npu.mul %r, %s : tensor<1x2xf32>
  %b = npu.matmul %x, %k trans_b : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %z = npu.mul %b, %s : tensor<1x2xf32>
  %c = npu.matmul %n, %i : (tensor<1x2xi32>, tensor<2x2xi32>) -> tensor<1x2xi32>
  %u = npu.mul %c, %j : tensor<1x2xi32>
  func.return %y, %b, %z, %u : tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xi32>
}

// -----

/// Numbers along other axes, computed numbers, and computed weights stay.
// CHECK-LABEL: func.func @other(
// CHECK:       %a = npu.matmul %x, %k : tensor<2x2xf32>
// CHECK-NEXT:  %y = npu.mul %a, %rows : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
// CHECK-NEXT:  %b = npu.matmul %x, %k trans_b : tensor<2x2xf32>
// CHECK-NEXT:  %z = npu.mul %b, %w : tensor<2x2xf32>
// CHECK-NEXT:  %c = npu.matmul %x, %w : tensor<2x2xf32>
// CHECK:       %u = npu.mul %c, %two : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
// CHECK-NEXT:  func.return %y, %z, %u : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
func.func @other(%x: tensor<2x2xf32>, %w: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) {
  %k = npu.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %rows = npu.constant dense<[[0.5], [3.0]]> : tensor<2x1xf32>
  %a = npu.matmul %x, %k : tensor<2x2xf32>
  %y = npu.mul %a, %rows : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  %b = npu.matmul %x, %k trans_b : tensor<2x2xf32>
  %z = npu.mul %b, %w : tensor<2x2xf32>
  %c = npu.matmul %x, %w : tensor<2x2xf32>
  %two = npu.constant dense<2.0> : tensor<f32>
  %u = npu.mul %c, %two : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  func.return %y, %z, %u : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
}

// -----

/// With reshaped=true, a reshape of axes of one element between a product and a norm comes last; others stay.
// CHECK-LABEL: func.func @viewed(
// CHECK:       %a = npu.matmul %x, %k : (tensor<1x4x2xf32>, tensor<1x2x2xf32>) -> tensor<1x4x2xf32>
// CHECK-NEXT:  %v = npu.reshape %a : (tensor<1x4x2xf32>) -> tensor<4x2x1xf32>
// CHECK-NEXT:  %y = npu.batch_norm %v, %p, %p, %p, %p axis = 1 : (tensor<4x2x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<4x2x1xf32>
// CHECK-NEXT:  %b = npu.matmul %x, %k : (tensor<1x4x2xf32>, tensor<1x2x2xf32>) -> tensor<1x4x2xf32>
// CHECK-NEXT:  %w = npu.reshape %b : (tensor<1x4x2xf32>) -> tensor<2x4xf32>
// CHECK-NEXT:  %z = npu.batch_norm %w, %q, %q, %q, %q axis = 1 : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT:  func.return %y, %z : tensor<4x2x1xf32>, tensor<2x4xf32>
// RESHAPED-LABEL: func.func @viewed(
// RESHAPED:      %0 = npu.cast %p : (tensor<2xf32>) -> tensor<2xf64>
// RESHAPED-NEXT:  %1 = npu.cast %p : (tensor<2xf32>) -> tensor<2xf64>
// RESHAPED-NEXT:  %2 = npu.cast %p : (tensor<2xf32>) -> tensor<2xf64>
// RESHAPED-NEXT:  %3 = npu.cast %p : (tensor<2xf32>) -> tensor<2xf64>
// RESHAPED-NEXT:  %4 = npu.constant dense<1.000000e-05> : tensor<2xf64>
// RESHAPED-NEXT:  %5 = npu.add %3, %4 : tensor<2xf64>
// RESHAPED-NEXT:  %6 = npu.sqrt %5 : tensor<2xf64>
// RESHAPED-NEXT:  %7 = npu.div %0, %6 : tensor<2xf64>
// RESHAPED-NEXT:  %8 = npu.mul %2, %7 : tensor<2xf64>
// RESHAPED-NEXT:  %9 = npu.sub %1, %8 : tensor<2xf64>
// RESHAPED-NEXT:  %10 = npu.cast %7 : (tensor<2xf64>) -> tensor<2xf32>
// RESHAPED-NEXT:  %11 = npu.cast %9 : (tensor<2xf64>) -> tensor<2xf32>
// RESHAPED-NEXT:  %12 = npu.reshape %10 : (tensor<2xf32>) -> tensor<1x1x2xf32>
// RESHAPED-NEXT:  %13 = npu.reshape %11 : (tensor<2xf32>) -> tensor<1x1x2xf32>
// RESHAPED-NEXT:  %14 = npu.mul %k, %12 : (tensor<1x2x2xf32>, tensor<1x1x2xf32>) -> tensor<1x2x2xf32>
// RESHAPED-NEXT:  %15 = npu.matmul %x, %14 : (tensor<1x4x2xf32>, tensor<1x2x2xf32>) -> tensor<1x4x2xf32>
// RESHAPED-NEXT:  %16 = npu.add %15, %13 : (tensor<1x4x2xf32>, tensor<1x1x2xf32>) -> tensor<1x4x2xf32>
// RESHAPED-NEXT:  %y = npu.reshape %16 : (tensor<1x4x2xf32>) -> tensor<4x2x1xf32>
// RESHAPED-NEXT:  %b = npu.matmul %x, %k : (tensor<1x4x2xf32>, tensor<1x2x2xf32>) -> tensor<1x4x2xf32>
// RESHAPED-NEXT:  %w = npu.reshape %b : (tensor<1x4x2xf32>) -> tensor<2x4xf32>
// RESHAPED-NEXT:  %z = npu.batch_norm %w, %q, %q, %q, %q axis = 1 : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// RESHAPED-NEXT:  func.return %y, %z : tensor<4x2x1xf32>, tensor<2x4xf32>
func.func @viewed(%x: tensor<1x4x2xf32>) -> (tensor<4x2x1xf32>, tensor<2x4xf32>) {
  %k = npu.constant dense<[[[1.0, 2.0], [3.0, 4.0]]]> : tensor<1x2x2xf32>
  %p = npu.constant dense<[0.5, 3.0]> : tensor<2xf32>
  %q = npu.constant dense<[0.5, 3.0, 5.0, 7.0]> : tensor<4xf32>
  %a = npu.matmul %x, %k : (tensor<1x4x2xf32>, tensor<1x2x2xf32>) -> tensor<1x4x2xf32>
  %v = npu.reshape %a : (tensor<1x4x2xf32>) -> tensor<4x2x1xf32>
  %y = npu.batch_norm %v, %p, %p, %p, %p axis = 1
    : (tensor<4x2x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<4x2x1xf32>
  %b = npu.matmul %x, %k : (tensor<1x4x2xf32>, tensor<1x2x2xf32>) -> tensor<1x4x2xf32>
  %w = npu.reshape %b : (tensor<1x4x2xf32>) -> tensor<2x4xf32>
  %z = npu.batch_norm %w, %q, %q, %q, %q axis = 1
    : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  func.return %y, %z : tensor<4x2x1xf32>, tensor<2x4xf32>
}

// -----

/// A matrix is multiplied in front of the reshape that lets all batches read it.
// CHECK-LABEL: func.func @shared(
// CHECK:       %0 = npu.reshape %s : (tensor<1x1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT:  %1 = npu.mul %k, %0 : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT:  %2 = npu.reshape %1 : (tensor<2x2xf32>) -> tensor<1x2x2xf32>
// CHECK-NEXT:  %y = npu.matmul %x, %2 : (tensor<3x4x2xf32>, tensor<1x2x2xf32>) -> tensor<3x4x2xf32>
// CHECK-NEXT:  func.return %y : tensor<3x4x2xf32>
func.func @shared(%x: tensor<3x4x2xf32>) -> tensor<3x4x2xf32> {
  %k = npu.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %s = npu.constant dense<[[[0.5, 3.0]]]> : tensor<1x1x2xf32>
  %b = npu.reshape %k : (tensor<2x2xf32>) -> tensor<1x2x2xf32>
  %c = npu.matmul %x, %b : (tensor<3x4x2xf32>, tensor<1x2x2xf32>) -> tensor<3x4x2xf32>
  %y = npu.mul %c, %s : (tensor<3x4x2xf32>, tensor<1x1x2xf32>) -> tensor<3x4x2xf32>
  func.return %y : tensor<3x4x2xf32>
}
