// RUN: npu-opt %s --recognise-quantised --split-input-file | filecheck %s
// RUN: npu-opt %s --recognise-quantised --recognise-quantised --split-input-file | filecheck %s

/// A convolution with one scale per channel of the kernel, and with a bias whose scale is the product of the others.
// CHECK-LABEL: func.func @convolution
// CHECK-SAME:    (%x: tensor<1x3x8x8xui8>, %w: tensor<4x3x3x3xi8>, %b: tensor<4xi32>) -> tensor<1x4x8x8xui8> {
// CHECK-NEXT:    %xs = npu.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT:    %xz = npu.constant dense<3> : tensor<ui8>
// CHECK-NEXT:    %ws = npu.constant dense<[5.000000e-01, 2.500000e-01, 1.250000e-01, 2.000000e+00]> : tensor<4xf32>
// CHECK-NEXT:    %wz = npu.constant dense<0> : tensor<4xi8>
// CHECK-NEXT:    %ys = npu.constant dense<4.000000e+00> : tensor<f32>
// CHECK-NEXT:    %yz = npu.constant dense<7> : tensor<ui8>
// CHECK-NEXT:    %y = npu.quant_conv2d %x, %w, %xs, %xz, %ws, %wz, %ys, %yz, %b pads = [1, 1, 1, 1] data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x3x8x8xui8>, tensor<4x3x3x3xi8>, tensor<f32>, tensor<ui8>, tensor<4xf32>, tensor<4xi8>, tensor<f32>, tensor<ui8>, tensor<4xi32>) -> tensor<1x4x8x8xui8>
// CHECK-NEXT:    func.return %y : tensor<1x4x8x8xui8>
func.func @convolution(%x: tensor<1x3x8x8xui8>, %w: tensor<4x3x3x3xi8>, %b: tensor<4xi32>) -> tensor<1x4x8x8xui8> {
  %xs = npu.constant dense<0.5> : tensor<f32>
  %xz = npu.constant dense<3> : tensor<ui8>
  %ws = npu.constant dense<[0.5, 0.25, 0.125, 2.0]> : tensor<4xf32>
  %wz = npu.constant dense<0> : tensor<4xi8>
  %bs = npu.constant dense<[0.25, 0.125, 0.0625, 1.0]> : tensor<4xf32>
  %bz = npu.constant dense<0> : tensor<4xi32>
  %ys = npu.constant dense<4.0> : tensor<f32>
  %yz = npu.constant dense<7> : tensor<ui8>
  %xf = npu.dequantize %x, %xs, %xz : (tensor<1x3x8x8xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x3x8x8xf32>
  %wf = npu.dequantize %w, %ws, %wz axis = 0 : (tensor<4x3x3x3xi8>, tensor<4xf32>, tensor<4xi8>) -> tensor<4x3x3x3xf32>
  %bf = npu.dequantize %b, %bs, %bz axis = 0 : (tensor<4xi32>, tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
  %c = npu.conv2d %xf, %wf, %bf pads = [1, 1, 1, 1] data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>) -> tensor<1x4x8x8xf32>
  %y = npu.quantize %c, %ys, %yz : (tensor<1x4x8x8xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x4x8x8xui8>
  return %y : tensor<1x4x8x8xui8>
}

// -----

/// Depthwise, in a coloured program. Another convolution reads the same floats and stays.
// CHECK-LABEL: func.func @depthwise
// CHECK-SAME:    (%x: tensor<1x8x8x4xi8, #npu.layout<NHWC>>, %w: tensor<3x3x4x1xi8, #npu.layout<HWOI>>) -> (tensor<1x6x6x4xi8, #npu.layout<NHWC>>, tensor<1x2x2x4xf32, #npu.layout<NHWC>>) {
// CHECK-NEXT:    %s = npu.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT:    %z = npu.constant dense<-3> : tensor<i8>
// CHECK-NEXT:    %xf = npu.dequantize %x, %s, %z : (tensor<1x8x8x4xi8, #npu.layout<NHWC>>, tensor<f32>, tensor<i8>) -> tensor<1x8x8x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %wf = npu.dequantize %w, %s, %z : (tensor<3x3x4x1xi8, #npu.layout<HWOI>>, tensor<f32>, tensor<i8>) -> tensor<3x3x4x1xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %y = npu.quant_conv2d %x, %w, %s, %z, %s, %z, %s, %z groups = 4 : (tensor<1x8x8x4xi8, #npu.layout<NHWC>>, tensor<3x3x4x1xi8, #npu.layout<HWOI>>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<1x6x6x4xi8, #npu.layout<NHWC>>
// CHECK-NEXT:    %d = npu.conv2d %xf, %wf strides = [5, 5] groups = 4 : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<3x3x4x1xf32, #npu.layout<HWOI>>) -> tensor<1x2x2x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %y, %d : tensor<1x6x6x4xi8, #npu.layout<NHWC>>, tensor<1x2x2x4xf32, #npu.layout<NHWC>>
func.func @depthwise(
  %x: tensor<1x8x8x4xi8, #npu.layout<NHWC>>, %w: tensor<3x3x4x1xi8, #npu.layout<HWOI>>
) -> (tensor<1x6x6x4xi8, #npu.layout<NHWC>>, tensor<1x2x2x4xf32, #npu.layout<NHWC>>) {
  %s = npu.constant dense<0.5> : tensor<f32>
  %z = npu.constant dense<-3> : tensor<i8>
  %xf = npu.dequantize %x, %s, %z
    : (tensor<1x8x8x4xi8, #npu.layout<NHWC>>, tensor<f32>, tensor<i8>) -> tensor<1x8x8x4xf32, #npu.layout<NHWC>>
  %wf = npu.dequantize %w, %s, %z
    : (tensor<3x3x4x1xi8, #npu.layout<HWOI>>, tensor<f32>, tensor<i8>) -> tensor<3x3x4x1xf32, #npu.layout<HWOI>>
  %c = npu.conv2d %xf, %wf groups = 4
    : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<3x3x4x1xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x4xf32, #npu.layout<NHWC>>
  %y = npu.quantize %c, %s, %z
    : (tensor<1x6x6x4xf32, #npu.layout<NHWC>>, tensor<f32>, tensor<i8>) -> tensor<1x6x6x4xi8, #npu.layout<NHWC>>
  %d = npu.conv2d %xf, %wf strides = [5, 5] groups = 4
    : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<3x3x4x1xf32, #npu.layout<HWOI>>) -> tensor<1x2x2x4xf32, #npu.layout<NHWC>>
  return %y, %d : tensor<1x6x6x4xi8, #npu.layout<NHWC>>, tensor<1x2x2x4xf32, #npu.layout<NHWC>>
}

// -----

/// A signal is an image with one row; strides, dilations, pads and one scale per channel stay.
// CHECK-LABEL: func.func @signal
// CHECK-SAME:    (%x: tensor<2x4x9xi8>, %w: tensor<6x2x3xi8>, %b: tensor<6xi32>) -> tensor<2x6x4xi8> {
// CHECK-NEXT:    %s = npu.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT:    %z = npu.constant dense<1> : tensor<i8>
// CHECK-NEXT:    %ws = npu.constant dense<[5.000000e-01, 1.000000e+00, 2.000000e+00, 5.000000e-01, 2.500000e-01, 1.000000e+00]> : tensor<6xf32>
// CHECK-NEXT:    %wz = npu.constant dense<0> : tensor<i8>
// CHECK-NEXT:    %0 = npu.reshape %x : (tensor<2x4x9xi8>) -> tensor<2x4x1x9xi8>
// CHECK-NEXT:    %1 = npu.reshape %w : (tensor<6x2x3xi8>) -> tensor<6x2x1x3xi8>
// CHECK-NEXT:    %2 = npu.quant_conv2d %0, %1, %s, %z, %ws, %wz, %s, %z, %b strides = [1, 2] dilations = [1, 2] pads = [0, 1, 0, 2] groups = 2 data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<2x4x1x9xi8>, tensor<6x2x1x3xi8>, tensor<f32>, tensor<i8>, tensor<6xf32>, tensor<i8>, tensor<f32>, tensor<i8>, tensor<6xi32>) -> tensor<2x6x1x4xi8>
// CHECK-NEXT:    %3 = npu.reshape %2 : (tensor<2x6x1x4xi8>) -> tensor<2x6x4xi8>
// CHECK-NEXT:    %y = npu.clip %3 min = 1.000000e+00 : tensor<2x6x4xi8>
// CHECK-NEXT:    func.return %y : tensor<2x6x4xi8>
func.func @signal(%x: tensor<2x4x9xi8>, %w: tensor<6x2x3xi8>, %b: tensor<6xi32>) -> tensor<2x6x4xi8> {
  %s = npu.constant dense<0.5> : tensor<f32>
  %z = npu.constant dense<1> : tensor<i8>
  %ws = npu.constant dense<[0.5, 1.0, 2.0, 0.5, 0.25, 1.0]> : tensor<6xf32>
  %wz = npu.constant dense<0> : tensor<i8>
  %bs = npu.constant dense<[0.25, 0.5, 1.0, 0.25, 0.125, 0.5]> : tensor<6xf32>
  %bz = npu.constant dense<0> : tensor<i32>
  %xf = npu.dequantize %x, %s, %z : (tensor<2x4x9xi8>, tensor<f32>, tensor<i8>) -> tensor<2x4x9xf32>
  %wf = npu.dequantize %w, %ws, %wz axis = 0 : (tensor<6x2x3xi8>, tensor<6xf32>, tensor<i8>) -> tensor<6x2x3xf32>
  %bf = npu.dequantize %b, %bs, %bz axis = 0 : (tensor<6xi32>, tensor<6xf32>, tensor<i32>) -> tensor<6xf32>
  %c = npu.conv1d %xf, %wf, %bf strides = [2] dilations = [2] pads = [1, 2] groups = 2 data_layout = <NCW>
    kernel_layout = <OIW> : (tensor<2x4x9xf32>, tensor<6x2x3xf32>, tensor<6xf32>) -> tensor<2x6x4xf32>
  %r = npu.relu %c : tensor<2x6x4xf32>
  %y = npu.quantize %r, %s, %z : (tensor<2x6x4xf32>, tensor<f32>, tensor<i8>) -> tensor<2x6x4xi8>
  return %y : tensor<2x6x4xi8>
}

// -----

/// The same in a coloured program, without a bias.
// CHECK-LABEL: func.func @coloured_signal
// CHECK-SAME:    (%x: tensor<1x9x4xi8, #npu.layout<NWC>>, %w: tensor<3x6x4xi8, #npu.layout<WOI>>) -> tensor<1x7x6xi8, #npu.layout<NWC>> {
// CHECK-NEXT:    %s = npu.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT:    %z = npu.constant dense<1> : tensor<i8>
// CHECK-NEXT:    %0 = npu.reshape %x : (tensor<1x9x4xi8, #npu.layout<NWC>>) -> tensor<1x1x9x4xi8, #npu.layout<NHWC>>
// CHECK-NEXT:    %1 = npu.reshape %w : (tensor<3x6x4xi8, #npu.layout<WOI>>) -> tensor<1x3x6x4xi8, #npu.layout<HWOI>>
// CHECK-NEXT:    %2 = npu.quant_conv2d %0, %1, %s, %z, %s, %z, %s, %z : (tensor<1x1x9x4xi8, #npu.layout<NHWC>>, tensor<1x3x6x4xi8, #npu.layout<HWOI>>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<1x1x7x6xi8, #npu.layout<NHWC>>
// CHECK-NEXT:    %y = npu.reshape %2 : (tensor<1x1x7x6xi8, #npu.layout<NHWC>>) -> tensor<1x7x6xi8, #npu.layout<NWC>>
// CHECK-NEXT:    func.return %y : tensor<1x7x6xi8, #npu.layout<NWC>>
func.func @coloured_signal(%x: tensor<1x9x4xi8, #npu.layout<NWC>>, %w: tensor<3x6x4xi8, #npu.layout<WOI>>) -> tensor<1x7x6xi8, #npu.layout<NWC>> {
  %s = npu.constant dense<0.5> : tensor<f32>
  %z = npu.constant dense<1> : tensor<i8>
  %xf = npu.dequantize %x, %s, %z : (tensor<1x9x4xi8, #npu.layout<NWC>>, tensor<f32>, tensor<i8>) -> tensor<1x9x4xf32, #npu.layout<NWC>>
  %wf = npu.dequantize %w, %s, %z : (tensor<3x6x4xi8, #npu.layout<WOI>>, tensor<f32>, tensor<i8>) -> tensor<3x6x4xf32, #npu.layout<WOI>>
  %c = npu.conv1d %xf, %wf : (tensor<1x9x4xf32, #npu.layout<NWC>>, tensor<3x6x4xf32, #npu.layout<WOI>>) -> tensor<1x7x6xf32, #npu.layout<NWC>>
  %y = npu.quantize %c, %s, %z : (tensor<1x7x6xf32, #npu.layout<NWC>>, tensor<f32>, tensor<i8>) -> tensor<1x7x6xi8, #npu.layout<NWC>>
  return %y : tensor<1x7x6xi8, #npu.layout<NWC>>
}

// -----

/// Products of matrices: with a bias and one scale per column, and of two values of the program.
// CHECK-LABEL: func.func @products
// CHECK-SAME:    (%x: tensor<4x8xi8>, %w: tensor<6x8xi8>, %b: tensor<6xi32>, %r: tensor<6x5xi8>) -> tensor<4x5xi8> {
// CHECK-NEXT:    %s = npu.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT:    %z = npu.constant dense<1> : tensor<i8>
// CHECK-NEXT:    %ws = npu.constant dense<[1.000000e+00, 2.000000e+00, 4.000000e+00, 1.000000e+00, 2.000000e+00, 4.000000e+00]> : tensor<6xf32>
// CHECK-NEXT:    %wz = npu.constant dense<0> : tensor<i8>
// CHECK-NEXT:    %q = npu.quant_gemm %x, %w, %s, %z, %ws, %wz, %s, %z, %b trans_b : (tensor<4x8xi8>, tensor<6x8xi8>, tensor<f32>, tensor<i8>, tensor<6xf32>, tensor<i8>, tensor<f32>, tensor<i8>, tensor<6xi32>) -> tensor<4x6xi8>
// CHECK-NEXT:    %y = npu.quant_matmul %q, %r, %s, %z, %s, %wz, %s, %z : (tensor<4x6xi8>, tensor<6x5xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<4x5xi8>
// CHECK-NEXT:    func.return %y : tensor<4x5xi8>
func.func @products(
  %x: tensor<4x8xi8>, %w: tensor<6x8xi8>, %b: tensor<6xi32>, %r: tensor<6x5xi8>
) -> tensor<4x5xi8> {
  %s = npu.constant dense<0.5> : tensor<f32>
  %z = npu.constant dense<1> : tensor<i8>
  %ws = npu.constant dense<[1.0, 2.0, 4.0, 1.0, 2.0, 4.0]> : tensor<6xf32>
  %wz = npu.constant dense<0> : tensor<i8>
  %bs = npu.constant dense<[0.5, 1.0, 2.0, 0.5, 1.0, 2.0]> : tensor<6xf32>
  %bz = npu.constant dense<0> : tensor<i32>
  %xf = npu.dequantize %x, %s, %z : (tensor<4x8xi8>, tensor<f32>, tensor<i8>) -> tensor<4x8xf32>
  %wf = npu.dequantize %w, %ws, %wz axis = 0 : (tensor<6x8xi8>, tensor<6xf32>, tensor<i8>) -> tensor<6x8xf32>
  %bf = npu.dequantize %b, %bs, %bz axis = 0 : (tensor<6xi32>, tensor<6xf32>, tensor<i32>) -> tensor<6xf32>
  %g = npu.gemm %xf, %wf, %bf trans_b : (tensor<4x8xf32>, tensor<6x8xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  %q = npu.quantize %g, %s, %z : (tensor<4x6xf32>, tensor<f32>, tensor<i8>) -> tensor<4x6xi8>
  %qf = npu.dequantize %q, %s, %z : (tensor<4x6xi8>, tensor<f32>, tensor<i8>) -> tensor<4x6xf32>
  %rf = npu.dequantize %r, %s, %wz : (tensor<6x5xi8>, tensor<f32>, tensor<i8>) -> tensor<6x5xf32>
  %m = npu.matmul %qf, %rf : (tensor<4x6xf32>, tensor<6x5xf32>) -> tensor<4x5xf32>
  %y = npu.quantize %m, %s, %z : (tensor<4x5xf32>, tensor<f32>, tensor<i8>) -> tensor<4x5xi8>
  return %y : tensor<4x5xi8>
}

// -----

/// Sums and products of elements, with scales of their own, and means.
// CHECK-LABEL: func.func @elementwise
// CHECK-SAME:    (%a: tensor<1x4x6x6xui8>, %b: tensor<1x4x1x1xi8>) -> tensor<1x4x1x1xi8> {
// CHECK-NEXT:    %s = npu.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT:    %s2 = npu.constant dense<3.000000e-01> : tensor<1xf32>
// CHECK-NEXT:    %z = npu.constant dense<1> : tensor<i8>
// CHECK-NEXT:    %zu = npu.constant dense<128> : tensor<ui8>
// CHECK-NEXT:    %q = npu.quant_add %a, %b, %s, %zu, %s2, %z, %s2, %z : (tensor<1x4x6x6xui8>, tensor<1x4x1x1xi8>, tensor<f32>, tensor<ui8>, tensor<1xf32>, tensor<i8>, tensor<1xf32>, tensor<i8>) -> tensor<1x4x6x6xi8>
// CHECK-NEXT:    %r = npu.quant_mul %q, %q, %s2, %z, %s2, %z, %s, %z : (tensor<1x4x6x6xi8>, tensor<1x4x6x6xi8>, tensor<1xf32>, tensor<i8>, tensor<1xf32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<1x4x6x6xi8>
// CHECK-NEXT:    %t = npu.quant_avg_pool %r, %s, %z, %s, %z window = [3, 3] pads = [1, 1, 1, 1] count_padding data_layout = <NCHW> : (tensor<1x4x6x6xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<1x4x6x6xi8>
// CHECK-NEXT:    %y = npu.quant_global_avg_pool %t, %s, %z, %s, %z data_layout = <NCHW> : (tensor<1x4x6x6xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<1x4x1x1xi8>
// CHECK-NEXT:    func.return %y : tensor<1x4x1x1xi8>
func.func @elementwise(%a: tensor<1x4x6x6xui8>, %b: tensor<1x4x1x1xi8>) -> tensor<1x4x1x1xi8> {
  %s = npu.constant dense<0.5> : tensor<f32>
  %s2 = npu.constant dense<0.3> : tensor<1xf32>
  %z = npu.constant dense<1> : tensor<i8>
  %zu = npu.constant dense<128> : tensor<ui8>
  %af = npu.dequantize %a, %s, %zu : (tensor<1x4x6x6xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x4x6x6xf32>
  %bf = npu.dequantize %b, %s2, %z : (tensor<1x4x1x1xi8>, tensor<1xf32>, tensor<i8>) -> tensor<1x4x1x1xf32>
  %sum = npu.add %af, %bf : (tensor<1x4x6x6xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x6x6xf32>
  %q = npu.quantize %sum, %s2, %z : (tensor<1x4x6x6xf32>, tensor<1xf32>, tensor<i8>) -> tensor<1x4x6x6xi8>
  %qf = npu.dequantize %q, %s2, %z : (tensor<1x4x6x6xi8>, tensor<1xf32>, tensor<i8>) -> tensor<1x4x6x6xf32>
  %square = npu.mul %qf, %qf : tensor<1x4x6x6xf32>
  %r = npu.quantize %square, %s, %z : (tensor<1x4x6x6xf32>, tensor<f32>, tensor<i8>) -> tensor<1x4x6x6xi8>
  %rf = npu.dequantize %r, %s, %z : (tensor<1x4x6x6xi8>, tensor<f32>, tensor<i8>) -> tensor<1x4x6x6xf32>
  %mean = npu.avg_pool %rf window = [3, 3] pads = [1, 1, 1, 1] count_padding data_layout = <NCHW> : tensor<1x4x6x6xf32>
  %t = npu.quantize %mean, %s, %z : (tensor<1x4x6x6xf32>, tensor<f32>, tensor<i8>) -> tensor<1x4x6x6xi8>
  %tf = npu.dequantize %t, %s, %z : (tensor<1x4x6x6xi8>, tensor<f32>, tensor<i8>) -> tensor<1x4x6x6xf32>
  %all = npu.global_avg_pool %tf data_layout = <NCHW> : (tensor<1x4x6x6xf32>) -> tensor<1x4x1x1xf32>
  %y = npu.quantize %all, %s, %z : (tensor<1x4x1x1xf32>, tensor<f32>, tensor<i8>) -> tensor<1x4x1x1xi8>
  return %y : tensor<1x4x1x1xi8>
}

// -----

/// Maxima, concatenations and views need no numbers: they take the integers, if scale and zero point are the same.
// CHECK-LABEL: func.func @selected
// CHECK-SAME:    (%a: tensor<1x4x6x6xi8>, %b: tensor<1x2x3x3xi8>) -> tensor<1x54xi8> {
// CHECK-NEXT:    %q = npu.max_pool %a window = [2, 2] strides = [2, 2] data_layout = <NCHW> : (tensor<1x4x6x6xi8>) -> tensor<1x4x3x3xi8>
// CHECK-NEXT:    %r = npu.concat %q, %b axis = 1 : (tensor<1x4x3x3xi8>, tensor<1x2x3x3xi8>) -> tensor<1x6x3x3xi8>
// CHECK-NEXT:    %y = npu.reshape %r : (tensor<1x6x3x3xi8>) -> tensor<1x54xi8>
// CHECK-NEXT:    func.return %y : tensor<1x54xi8>
func.func @selected(%a: tensor<1x4x6x6xi8>, %b: tensor<1x2x3x3xi8>) -> tensor<1x54xi8> {
  %s = npu.constant dense<0.5> : tensor<f32>
  %z = npu.constant dense<1> : tensor<i8>
  %same = npu.constant dense<0.5> : tensor<1xf32>
  %af = npu.dequantize %a, %s, %z : (tensor<1x4x6x6xi8>, tensor<f32>, tensor<i8>) -> tensor<1x4x6x6xf32>
  %largest = npu.max_pool %af window = [2, 2] strides = [2, 2] data_layout = <NCHW>
    : (tensor<1x4x6x6xf32>) -> tensor<1x4x3x3xf32>
  %q = npu.quantize %largest, %s, %z : (tensor<1x4x3x3xf32>, tensor<f32>, tensor<i8>) -> tensor<1x4x3x3xi8>
  %qf = npu.dequantize %q, %s, %z : (tensor<1x4x3x3xi8>, tensor<f32>, tensor<i8>) -> tensor<1x4x3x3xf32>
  %bf = npu.dequantize %b, %same, %z : (tensor<1x2x3x3xi8>, tensor<1xf32>, tensor<i8>) -> tensor<1x2x3x3xf32>
  %both = npu.concat %qf, %bf axis = 1 : (tensor<1x4x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x6x3x3xf32>
  %r = npu.quantize %both, %same, %z : (tensor<1x6x3x3xf32>, tensor<1xf32>, tensor<i8>) -> tensor<1x6x3x3xi8>
  %rf = npu.dequantize %r, %s, %z : (tensor<1x6x3x3xi8>, tensor<f32>, tensor<i8>) -> tensor<1x6x3x3xf32>
  %flat = npu.reshape %rf : (tensor<1x6x3x3xf32>) -> tensor<1x54xf32>
  %y = npu.quantize %flat, %s, %z : (tensor<1x54xf32>, tensor<f32>, tensor<i8>) -> tensor<1x54xi8>
  return %y : tensor<1x54xi8>
}

// -----

/// The integers begin at the zero point, so they represent no number that a relu would change. A clip that ends where
/// they do not is a clip of integers.
// CHECK-LABEL: func.func @clamps
// CHECK-SAME:    (%a: tensor<2x3xi8>) -> (tensor<2x3xui8>, tensor<2x3xui8>) {
// CHECK-NEXT:    %s = npu.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT:    %z = npu.constant dense<1> : tensor<i8>
// CHECK-NEXT:    %low = npu.constant dense<0> : tensor<ui8>
// CHECK-NEXT:    %middle = npu.constant dense<100> : tensor<ui8>
// CHECK-NEXT:    %y = npu.quant_add %a, %a, %s, %z, %s, %z, %s, %low : (tensor<2x3xi8>, tensor<2x3xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<2x3xui8>
// CHECK-NEXT:    %0 = npu.quant_mul %a, %a, %s, %z, %s, %z, %s, %middle : (tensor<2x3xi8>, tensor<2x3xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<2x3xui8>
// CHECK-NEXT:    %t = npu.clip %0 min = 1.000000e+02 max = 1.120000e+02 : tensor<2x3xui8>
// CHECK-NEXT:    func.return %y, %t : tensor<2x3xui8>, tensor<2x3xui8>
func.func @clamps(%a: tensor<2x3xi8>) -> (tensor<2x3xui8>, tensor<2x3xui8>) {
  %s = npu.constant dense<0.5> : tensor<f32>
  %z = npu.constant dense<1> : tensor<i8>
  %low = npu.constant dense<0> : tensor<ui8>
  %middle = npu.constant dense<100> : tensor<ui8>
  %af = npu.dequantize %a, %s, %z : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3xf32>
  %sum = npu.add %af, %af : tensor<2x3xf32>
  %relu = npu.relu %sum : tensor<2x3xf32>
  %y = npu.quantize %relu, %s, %low : (tensor<2x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x3xui8>
  %square = npu.mul %af, %af : tensor<2x3xf32>
  %relu6 = npu.clip %square min = 0.000000e+00 max = 6.000000e+00 : tensor<2x3xf32>
  %t = npu.quantize %relu6, %s, %middle : (tensor<2x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x3xui8>
  return %y, %t : tensor<2x3xui8>, tensor<2x3xui8>
}

// -----

/// A bias with another scale would be rounded once more.
// CHECK-LABEL: func.func @other_bias
// CHECK-SAME:    (%x: tensor<2x4xi8>, %w: tensor<4x3xi8>, %b: tensor<3xi32>) -> tensor<2x3xi8> {
// CHECK-NEXT:    %s = npu.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT:    %z = npu.constant dense<0> : tensor<i8>
// CHECK-NEXT:    %bs = npu.constant dense<3.000000e-01> : tensor<f32>
// CHECK-NEXT:    %bz = npu.constant dense<0> : tensor<i32>
// CHECK-NEXT:    %xf = npu.dequantize %x, %s, %z : (tensor<2x4xi8>, tensor<f32>, tensor<i8>) -> tensor<2x4xf32>
// CHECK-NEXT:    %wf = npu.dequantize %w, %s, %z : (tensor<4x3xi8>, tensor<f32>, tensor<i8>) -> tensor<4x3xf32>
// CHECK-NEXT:    %bf = npu.dequantize %b, %bs, %bz : (tensor<3xi32>, tensor<f32>, tensor<i32>) -> tensor<3xf32>
// CHECK-NEXT:    %g = npu.gemm %xf, %wf, %bf : (tensor<2x4xf32>, tensor<4x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %y = npu.quantize %g, %s, %z : (tensor<2x3xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
// CHECK-NEXT:    func.return %y : tensor<2x3xi8>
func.func @other_bias(%x: tensor<2x4xi8>, %w: tensor<4x3xi8>, %b: tensor<3xi32>) -> tensor<2x3xi8> {
  %s = npu.constant dense<0.5> : tensor<f32>
  %z = npu.constant dense<0> : tensor<i8>
  %bs = npu.constant dense<0.3> : tensor<f32>
  %bz = npu.constant dense<0> : tensor<i32>
  %xf = npu.dequantize %x, %s, %z : (tensor<2x4xi8>, tensor<f32>, tensor<i8>) -> tensor<2x4xf32>
  %wf = npu.dequantize %w, %s, %z : (tensor<4x3xi8>, tensor<f32>, tensor<i8>) -> tensor<4x3xf32>
  %bf = npu.dequantize %b, %bs, %bz : (tensor<3xi32>, tensor<f32>, tensor<i32>) -> tensor<3xf32>
  %g = npu.gemm %xf, %wf, %bf : (tensor<2x4xf32>, tensor<4x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %y = npu.quantize %g, %s, %z : (tensor<2x3xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  return %y : tensor<2x3xi8>
}

// -----

/// The sum is read as floats as well.
// CHECK-LABEL: func.func @read_elsewhere
// CHECK-SAME:    (%a: tensor<2x3xi8>) -> (tensor<2x3xi8>, tensor<2x3xf32>) {
// CHECK-NEXT:    %s = npu.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT:    %z = npu.constant dense<0> : tensor<i8>
// CHECK-NEXT:    %af = npu.dequantize %a, %s, %z : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3xf32>
// CHECK-NEXT:    %sum = npu.add %af, %af : tensor<2x3xf32>
// CHECK-NEXT:    %y = npu.quantize %sum, %s, %z : (tensor<2x3xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
// CHECK-NEXT:    func.return %y, %sum : tensor<2x3xi8>, tensor<2x3xf32>
func.func @read_elsewhere(%a: tensor<2x3xi8>) -> (tensor<2x3xi8>, tensor<2x3xf32>) {
  %s = npu.constant dense<0.5> : tensor<f32>
  %z = npu.constant dense<0> : tensor<i8>
  %af = npu.dequantize %a, %s, %z : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3xf32>
  %sum = npu.add %af, %af : tensor<2x3xf32>
  %y = npu.quantize %sum, %s, %z : (tensor<2x3xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  return %y, %sum : tensor<2x3xi8>, tensor<2x3xf32>
}

// -----

/// Scales and zero points are constants.
// CHECK-LABEL: func.func @unknown
// CHECK-SAME:    (%a: tensor<2x3xi8>, %b: tensor<2x3xi8>, %z: tensor<i8>, %r: tensor<f32>) -> tensor<2x3xi8> {
// CHECK-NEXT:    %s = npu.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT:    %zero = npu.constant dense<0> : tensor<i8>
// CHECK-NEXT:    %af = npu.dequantize %a, %s, %z : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3xf32>
// CHECK-NEXT:    %bf = npu.dequantize %b, %r, %zero : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3xf32>
// CHECK-NEXT:    %sum = npu.add %af, %bf : tensor<2x3xf32>
// CHECK-NEXT:    %y = npu.quantize %sum, %s, %zero : (tensor<2x3xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
// CHECK-NEXT:    func.return %y : tensor<2x3xi8>
func.func @unknown(%a: tensor<2x3xi8>, %b: tensor<2x3xi8>, %z: tensor<i8>, %r: tensor<f32>) -> tensor<2x3xi8> {
  %s = npu.constant dense<0.5> : tensor<f32>
  %zero = npu.constant dense<0> : tensor<i8>
  %af = npu.dequantize %a, %s, %z : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3xf32>
  %bf = npu.dequantize %b, %r, %zero : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3xf32>
  %sum = npu.add %af, %bf : tensor<2x3xf32>
  %y = npu.quantize %sum, %s, %zero : (tensor<2x3xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  return %y : tensor<2x3xi8>
}

// -----

/// Integers of 16 bits, whose products do not fit, and floats of 16 bits.
// CHECK-LABEL: func.func @other_types
// CHECK-SAME:    (%a: tensor<2x3xi16>, %b: tensor<2x3xi8>) -> (tensor<2x3xi16>, tensor<2x3xi8>) {
// CHECK-NEXT:    %s = npu.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT:    %h = npu.constant dense<5.000000e-01> : tensor<f16>
// CHECK-NEXT:    %z = npu.constant dense<0> : tensor<i16>
// CHECK-NEXT:    %z8 = npu.constant dense<0> : tensor<i8>
// CHECK-NEXT:    %af = npu.dequantize %a, %s, %z : (tensor<2x3xi16>, tensor<f32>, tensor<i16>) -> tensor<2x3xf32>
// CHECK-NEXT:    %sum = npu.add %af, %af : tensor<2x3xf32>
// CHECK-NEXT:    %y = npu.quantize %sum, %s, %z : (tensor<2x3xf32>, tensor<f32>, tensor<i16>) -> tensor<2x3xi16>
// CHECK-NEXT:    %bf = npu.dequantize %b, %h, %z8 : (tensor<2x3xi8>, tensor<f16>, tensor<i8>) -> tensor<2x3xf16>
// CHECK-NEXT:    %double = npu.add %bf, %bf : tensor<2x3xf16>
// CHECK-NEXT:    %t = npu.quantize %double, %h, %z8 : (tensor<2x3xf16>, tensor<f16>, tensor<i8>) -> tensor<2x3xi8>
// CHECK-NEXT:    func.return %y, %t : tensor<2x3xi16>, tensor<2x3xi8>
func.func @other_types(%a: tensor<2x3xi16>, %b: tensor<2x3xi8>) -> (tensor<2x3xi16>, tensor<2x3xi8>) {
  %s = npu.constant dense<0.5> : tensor<f32>
  %h = npu.constant dense<0.5> : tensor<f16>
  %z = npu.constant dense<0> : tensor<i16>
  %z8 = npu.constant dense<0> : tensor<i8>
  %af = npu.dequantize %a, %s, %z : (tensor<2x3xi16>, tensor<f32>, tensor<i16>) -> tensor<2x3xf32>
  %sum = npu.add %af, %af : tensor<2x3xf32>
  %y = npu.quantize %sum, %s, %z : (tensor<2x3xf32>, tensor<f32>, tensor<i16>) -> tensor<2x3xi16>
  %bf = npu.dequantize %b, %h, %z8 : (tensor<2x3xi8>, tensor<f16>, tensor<i8>) -> tensor<2x3xf16>
  %double = npu.add %bf, %bf : tensor<2x3xf16>
  %t = npu.quantize %double, %h, %z8 : (tensor<2x3xf16>, tensor<f16>, tensor<i8>) -> tensor<2x3xi8>
  return %y, %t : tensor<2x3xi16>, tensor<2x3xi8>
}

// -----

/// Concatenations of values with different scales are of integers with the scale of the result; a repeated operand is
/// quantised once, and one that has this scale is there already. Elements that are repeated are integers as well.
// CHECK-LABEL: func.func @joined
// CHECK-SAME:    (%a: tensor<1x4x3x3xi8>, %b: tensor<1x2x3x3xi8>) -> (tensor<1x10x3x3xi8>, tensor<1x4x6x6xi8>) {
// CHECK-NEXT:    %s = npu.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT:    %other = npu.constant dense<2.500000e-01> : tensor<f32>
// CHECK-NEXT:    %z = npu.constant dense<1> : tensor<i8>
// CHECK-NEXT:    %af = npu.dequantize %a, %s, %z : (tensor<1x4x3x3xi8>, tensor<f32>, tensor<i8>) -> tensor<1x4x3x3xf32>
// CHECK-NEXT:    %0 = npu.quantize %af, %other, %z : (tensor<1x4x3x3xf32>, tensor<f32>, tensor<i8>) -> tensor<1x4x3x3xi8>
// CHECK-NEXT:    %y = npu.concat %0, %b, %0 axis = 1 : (tensor<1x4x3x3xi8>, tensor<1x2x3x3xi8>, tensor<1x4x3x3xi8>) -> tensor<1x10x3x3xi8>
// CHECK-NEXT:    %t = npu.upsample %a factors = [2, 2] data_layout = <NCHW> : (tensor<1x4x3x3xi8>) -> tensor<1x4x6x6xi8>
// CHECK-NEXT:    func.return %y, %t : tensor<1x10x3x3xi8>, tensor<1x4x6x6xi8>
func.func @joined(%a: tensor<1x4x3x3xi8>, %b: tensor<1x2x3x3xi8>) -> (tensor<1x10x3x3xi8>, tensor<1x4x6x6xi8>) {
  %s = npu.constant dense<0.5> : tensor<f32>
  %other = npu.constant dense<0.25> : tensor<f32>
  %z = npu.constant dense<1> : tensor<i8>
  %af = npu.dequantize %a, %s, %z : (tensor<1x4x3x3xi8>, tensor<f32>, tensor<i8>) -> tensor<1x4x3x3xf32>
  %bf = npu.dequantize %b, %other, %z : (tensor<1x2x3x3xi8>, tensor<f32>, tensor<i8>) -> tensor<1x2x3x3xf32>
  %all = npu.concat %af, %bf, %af axis = 1
    : (tensor<1x4x3x3xf32>, tensor<1x2x3x3xf32>, tensor<1x4x3x3xf32>) -> tensor<1x10x3x3xf32>
  %y = npu.quantize %all, %other, %z : (tensor<1x10x3x3xf32>, tensor<f32>, tensor<i8>) -> tensor<1x10x3x3xi8>
  %up = npu.upsample %af factors = [2, 2] data_layout = <NCHW> : (tensor<1x4x3x3xf32>) -> tensor<1x4x6x6xf32>
  %t = npu.quantize %up, %s, %z : (tensor<1x4x6x6xf32>, tensor<f32>, tensor<i8>) -> tensor<1x4x6x6xi8>
  return %y, %t : tensor<1x10x3x3xi8>, tensor<1x4x6x6xi8>
}

// -----

/// Slices take the integers. One with a scale of its own is quantised again, and one that only floats read stays.
// CHECK-LABEL: func.func @slices
// CHECK-NEXT:    %s = npu.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT:    %other = npu.constant dense<2.500000e-01> : tensor<f32>
// CHECK-NEXT:    %z = npu.constant dense<1> : tensor<i8>
// CHECK-NEXT:    %af = npu.dequantize %a, %s, %z : (tensor<4x6xi8>, tensor<f32>, tensor<i8>) -> tensor<4x6xf32>
// CHECK-NEXT:    %y = npu.slice %a starts = [0, 1] limits = [4, 6] steps = [1, 2] : (tensor<4x6xi8>) -> tensor<4x3xi8>
// CHECK-NEXT:    %0 = npu.slice %a starts = [2, 0] limits = [4, 6] : (tensor<4x6xi8>) -> tensor<2x6xi8>
// CHECK-NEXT:    %high = npu.dequantize %0, %s, %z : (tensor<2x6xi8>, tensor<f32>, tensor<i8>) -> tensor<2x6xf32>
// CHECK-NEXT:    %t = npu.quantize %high, %other, %z : (tensor<2x6xf32>, tensor<f32>, tensor<i8>) -> tensor<2x6xi8>
// CHECK-NEXT:    %u = npu.slice %af starts = [0, 0] limits = [1, 6] : (tensor<4x6xf32>) -> tensor<1x6xf32>
// CHECK-NEXT:    func.return %y, %t, %u : tensor<4x3xi8>, tensor<2x6xi8>, tensor<1x6xf32>
func.func @slices(%a: tensor<4x6xi8>) -> (tensor<4x3xi8>, tensor<2x6xi8>, tensor<1x6xf32>) {
  %s = npu.constant dense<0.5> : tensor<f32>
  %other = npu.constant dense<0.25> : tensor<f32>
  %z = npu.constant dense<1> : tensor<i8>
  %af = npu.dequantize %a, %s, %z : (tensor<4x6xi8>, tensor<f32>, tensor<i8>) -> tensor<4x6xf32>
  %odd = npu.slice %af starts = [0, 1] limits = [4, 6] steps = [1, 2] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %y = npu.quantize %odd, %s, %z : (tensor<4x3xf32>, tensor<f32>, tensor<i8>) -> tensor<4x3xi8>
  %high = npu.slice %af starts = [2, 0] limits = [4, 6] : (tensor<4x6xf32>) -> tensor<2x6xf32>
  %t = npu.quantize %high, %other, %z : (tensor<2x6xf32>, tensor<f32>, tensor<i8>) -> tensor<2x6xi8>
  %u = npu.slice %af starts = [0, 0] limits = [1, 6] : (tensor<4x6xf32>) -> tensor<1x6xf32>
  return %y, %t, %u : tensor<4x3xi8>, tensor<2x6xi8>, tensor<1x6xf32>
}

// -----

/// A bilinear resize weighs its neighbours, which no op on integers does: it stays between dequantisation and quantisation.
// CHECK-LABEL: func.func @bilinear
// CHECK-NEXT:    %s = npu.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT:    %z = npu.constant dense<1> : tensor<i8>
// CHECK-NEXT:    %af = npu.dequantize %a, %s, %z : (tensor<1x4x3x3xi8>, tensor<f32>, tensor<i8>) -> tensor<1x4x3x3xf32>
// CHECK-NEXT:    %up = npu.bilinear %af factors = [2.000000e+00, 2.000000e+00] data_layout = <NCHW> : (tensor<1x4x3x3xf32>) -> tensor<1x4x6x6xf32>
// CHECK-NEXT:    %y = npu.quantize %up, %s, %z : (tensor<1x4x6x6xf32>, tensor<f32>, tensor<i8>) -> tensor<1x4x6x6xi8>
// CHECK-NEXT:    func.return %y : tensor<1x4x6x6xi8>
func.func @bilinear(%a: tensor<1x4x3x3xi8>) -> tensor<1x4x6x6xi8> {
  %s = npu.constant dense<0.5> : tensor<f32>
  %z = npu.constant dense<1> : tensor<i8>
  %af = npu.dequantize %a, %s, %z : (tensor<1x4x3x3xi8>, tensor<f32>, tensor<i8>) -> tensor<1x4x3x3xf32>
  %up = npu.bilinear %af factors = [2.0, 2.0] data_layout = <NCHW> : (tensor<1x4x3x3xf32>) -> tensor<1x4x6x6xf32>
  %y = npu.quantize %up, %s, %z : (tensor<1x4x6x6xf32>, tensor<f32>, tensor<i8>) -> tensor<1x4x6x6xi8>
  return %y : tensor<1x4x6x6xi8>
}

// -----

/// Values with different scales that are read as floats as well, or one of which is no dequantised value, and maxima in
/// windows that may see padding only.
// CHECK-LABEL: func.func @not_selected
// CHECK-SAME:    (%a: tensor<1x4x3x3xi8>, %b: tensor<1x2x3x3xi8>, %c: tensor<1x2x3x3xf32>) -> (tensor<1x6x3x3xi8>, tensor<1x6x3x3xf32>, tensor<1x4x3x3xi8>, tensor<1x4x6x6xi8>) {
// CHECK-NEXT:    %s = npu.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT:    %other = npu.constant dense<2.500000e-01> : tensor<f32>
// CHECK-NEXT:    %z = npu.constant dense<1> : tensor<i8>
// CHECK-NEXT:    %af = npu.dequantize %a, %s, %z : (tensor<1x4x3x3xi8>, tensor<f32>, tensor<i8>) -> tensor<1x4x3x3xf32>
// CHECK-NEXT:    %bf = npu.dequantize %b, %other, %z : (tensor<1x2x3x3xi8>, tensor<f32>, tensor<i8>) -> tensor<1x2x3x3xf32>
// CHECK-NEXT:    %both = npu.concat %af, %bf axis = 1 : (tensor<1x4x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x6x3x3xf32>
// CHECK-NEXT:    %y = npu.quantize %both, %s, %z : (tensor<1x6x3x3xf32>, tensor<f32>, tensor<i8>) -> tensor<1x6x3x3xi8>
// CHECK-NEXT:    %mixed = npu.concat %bf, %c axis = 1 : (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x4x3x3xf32>
// CHECK-NEXT:    %m = npu.quantize %mixed, %s, %z : (tensor<1x4x3x3xf32>, tensor<f32>, tensor<i8>) -> tensor<1x4x3x3xi8>
// CHECK-NEXT:    %largest = npu.max_pool %af window = [2, 2] pads = [2, 2, 2, 2] data_layout = <NCHW> : (tensor<1x4x3x3xf32>) -> tensor<1x4x6x6xf32>
// CHECK-NEXT:    %t = npu.quantize %largest, %s, %z : (tensor<1x4x6x6xf32>, tensor<f32>, tensor<i8>) -> tensor<1x4x6x6xi8>
// CHECK-NEXT:    func.return %y, %both, %m, %t : tensor<1x6x3x3xi8>, tensor<1x6x3x3xf32>, tensor<1x4x3x3xi8>, tensor<1x4x6x6xi8>
func.func @not_selected(%a: tensor<1x4x3x3xi8>, %b: tensor<1x2x3x3xi8>, %c: tensor<1x2x3x3xf32>) -> (tensor<1x6x3x3xi8>, tensor<1x6x3x3xf32>, tensor<1x4x3x3xi8>, tensor<1x4x6x6xi8>) {
  %s = npu.constant dense<0.5> : tensor<f32>
  %other = npu.constant dense<0.25> : tensor<f32>
  %z = npu.constant dense<1> : tensor<i8>
  %af = npu.dequantize %a, %s, %z : (tensor<1x4x3x3xi8>, tensor<f32>, tensor<i8>) -> tensor<1x4x3x3xf32>
  %bf = npu.dequantize %b, %other, %z : (tensor<1x2x3x3xi8>, tensor<f32>, tensor<i8>) -> tensor<1x2x3x3xf32>
  %both = npu.concat %af, %bf axis = 1 : (tensor<1x4x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x6x3x3xf32>
  %y = npu.quantize %both, %s, %z : (tensor<1x6x3x3xf32>, tensor<f32>, tensor<i8>) -> tensor<1x6x3x3xi8>
  %mixed = npu.concat %bf, %c axis = 1 : (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x4x3x3xf32>
  %m = npu.quantize %mixed, %s, %z : (tensor<1x4x3x3xf32>, tensor<f32>, tensor<i8>) -> tensor<1x4x3x3xi8>
  %largest = npu.max_pool %af window = [2, 2] pads = [2, 2, 2, 2] data_layout = <NCHW>
    : (tensor<1x4x3x3xf32>) -> tensor<1x4x6x6xf32>
  %t = npu.quantize %largest, %s, %z : (tensor<1x4x6x6xf32>, tensor<f32>, tensor<i8>) -> tensor<1x4x6x6xi8>
  return %y, %both, %m, %t : tensor<1x6x3x3xi8>, tensor<1x6x3x3xf32>, tensor<1x4x3x3xi8>, tensor<1x4x6x6xi8>
}

// -----

/// So many products may not fit in an i32.
// CHECK-LABEL: func.func @long_sum
// CHECK-SAME:    (%x: tensor<2x20000xi8>, %w: tensor<20000x3xi8>) -> tensor<2x3xi8> {
// CHECK-NEXT:    %s = npu.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT:    %z = npu.constant dense<0> : tensor<i8>
// CHECK-NEXT:    %xf = npu.dequantize %x, %s, %z : (tensor<2x20000xi8>, tensor<f32>, tensor<i8>) -> tensor<2x20000xf32>
// CHECK-NEXT:    %wf = npu.dequantize %w, %s, %z : (tensor<20000x3xi8>, tensor<f32>, tensor<i8>) -> tensor<20000x3xf32>
// CHECK-NEXT:    %g = npu.matmul %xf, %wf : (tensor<2x20000xf32>, tensor<20000x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %y = npu.quantize %g, %s, %z : (tensor<2x3xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
// CHECK-NEXT:    func.return %y : tensor<2x3xi8>
func.func @long_sum(%x: tensor<2x20000xi8>, %w: tensor<20000x3xi8>) -> tensor<2x3xi8> {
  %s = npu.constant dense<0.5> : tensor<f32>
  %z = npu.constant dense<0> : tensor<i8>
  %xf = npu.dequantize %x, %s, %z : (tensor<2x20000xi8>, tensor<f32>, tensor<i8>) -> tensor<2x20000xf32>
  %wf = npu.dequantize %w, %s, %z : (tensor<20000x3xi8>, tensor<f32>, tensor<i8>) -> tensor<20000x3xf32>
  %g = npu.matmul %xf, %wf : (tensor<2x20000xf32>, tensor<20000x3xf32>) -> tensor<2x3xf32>
  %y = npu.quantize %g, %s, %z : (tensor<2x3xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  return %y : tensor<2x3xi8>
}
