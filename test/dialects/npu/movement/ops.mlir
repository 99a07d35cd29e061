// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// Inputs are concatenated along a physical axis, in any class.
// CHECK-LABEL: func.func @concat(
func.func @concat(
  %a: tensor<2x3xf32>, %b: tensor<2x4xf32>, %x: tensor<1x8x9x16xf32, #npu.layout<NHWC>>,
  %y: tensor<1x8x9x4xf32, #npu.layout<NHWC>>, %odd: tensor<16x9x8x1xi1, #npu.layout<CWHN>>,
  %w: tensor<3x3x8x4xi8, #npu.layout<HWOI>>, %t: tensor<4x2x3xui8, #npu.layout<Tensor, [2, 0, 1]>>, %empty: tensor<2x0xf32>,
  %line: tensor<1x1x1x4xf32, #npu.layout<NHWC>>, %e: tensor<1x1x1x1xf32, #npu.layout<NCHW>>
) {
  // CHECK-NEXT: %plain = npu.concat %a, %b axis = 1 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x7xf32>
  %plain = npu.concat %a, %b axis = 1 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x7xf32>
  // CHECK-NEXT: %nhwc = npu.concat %x, %y axis = 3 : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>, tensor<1x8x9x4xf32, #npu.layout<NHWC>>) -> tensor<1x8x9x20xf32, #npu.layout<NHWC>>
  %nhwc = npu.concat %x, %y axis = 3
    : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>, tensor<1x8x9x4xf32, #npu.layout<NHWC>>) -> tensor<1x8x9x20xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %cwhn = npu.concat %odd, %odd, %odd axis = 0 : (tensor<16x9x8x1xi1, #npu.layout<CWHN>>, tensor<16x9x8x1xi1, #npu.layout<CWHN>>, tensor<16x9x8x1xi1, #npu.layout<CWHN>>) -> tensor<48x9x8x1xi1, #npu.layout<CWHN>>
  %cwhn = npu.concat %odd, %odd, %odd axis = 0
    : (tensor<16x9x8x1xi1, #npu.layout<CWHN>>, tensor<16x9x8x1xi1, #npu.layout<CWHN>>, tensor<16x9x8x1xi1, #npu.layout<CWHN>>) -> tensor<48x9x8x1xi1, #npu.layout<CWHN>>
  // CHECK-NEXT: %kernel = npu.concat %w, %w axis = 2 {tag = "kept"} : (tensor<3x3x8x4xi8, #npu.layout<HWOI>>, tensor<3x3x8x4xi8, #npu.layout<HWOI>>) -> tensor<3x3x16x4xi8, #npu.layout<HWOI>>
  %kernel = npu.concat %w, %w axis = 2 {tag = "kept"}
    : (tensor<3x3x8x4xi8, #npu.layout<HWOI>>, tensor<3x3x8x4xi8, #npu.layout<HWOI>>) -> tensor<3x3x16x4xi8, #npu.layout<HWOI>>
  // CHECK-NEXT: %turned = npu.concat %t, %t axis = 1 : (tensor<4x2x3xui8, #npu.layout<Tensor, [2, 0, 1]>>, tensor<4x2x3xui8, #npu.layout<Tensor, [2, 0, 1]>>) -> tensor<4x4x3xui8, #npu.layout<Tensor, [2, 0, 1]>>
  %turned = npu.concat %t, %t axis = 1
    : (tensor<4x2x3xui8, #npu.layout<Tensor, [2, 0, 1]>>, tensor<4x2x3xui8, #npu.layout<Tensor, [2, 0, 1]>>) -> tensor<4x4x3xui8, #npu.layout<Tensor, [2, 0, 1]>>
  // CHECK-NEXT: %one = npu.concat %a axis = 0 : tensor<2x3xf32>
  %one = npu.concat %a axis = 0 : tensor<2x3xf32>
  // CHECK-NEXT: %nothing = npu.concat %a, %empty axis = 1 : (tensor<2x3xf32>, tensor<2x0xf32>) -> tensor<2x3xf32>
  %nothing = npu.concat %a, %empty axis = 1 : (tensor<2x3xf32>, tensor<2x0xf32>) -> tensor<2x3xf32>
  /// One element may have any order.
  // CHECK-NEXT: %element = npu.concat %line, %e axis = 3 : (tensor<1x1x1x4xf32, #npu.layout<NHWC>>, tensor<1x1x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x1x1x5xf32, #npu.layout<NHWC>>
  %element = npu.concat %line, %e axis = 3
    : (tensor<1x1x1x4xf32, #npu.layout<NHWC>>, tensor<1x1x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x1x1x5xf32, #npu.layout<NHWC>>
  return
}

/// The input is split into parts of given sizes.
// CHECK-LABEL: func.func @split(
func.func @split(
  %x: tensor<1x8x9x20xf32, #npu.layout<NHWC>>, %m: tensor<4x6xi8>, %t: tensor<4x6xf32, #npu.layout<Tensor, [1, 0]>>,
  %w: tensor<3x3x8x4xf32, #npu.layout<HWOI>>
) {
  // CHECK-NEXT: %a, %b = npu.split %x axis = 3 sizes = [16, 4] : (tensor<1x8x9x20xf32, #npu.layout<NHWC>>) -> (tensor<1x8x9x16xf32, #npu.layout<NHWC>>, tensor<1x8x9x4xf32, #npu.layout<NHWC>>)
  %a, %b = npu.split %x axis = 3 sizes = [16, 4]
    : (tensor<1x8x9x20xf32, #npu.layout<NHWC>>) -> (tensor<1x8x9x16xf32, #npu.layout<NHWC>>, tensor<1x8x9x4xf32, #npu.layout<NHWC>>)
  // CHECK-NEXT: %c = npu.split %m axis = 0 sizes = [4] {tag = "kept"} : tensor<4x6xi8>
  %c = npu.split %m axis = 0 sizes = [4] {tag = "kept"} : tensor<4x6xi8>
  // CHECK-NEXT: %d, %e, %f = npu.split %t axis = 1 sizes = [1, 0, 5] : (tensor<4x6xf32, #npu.layout<Tensor, [1, 0]>>) -> (tensor<4x1xf32, #npu.layout<Tensor, [1, 0]>>, tensor<4x0xf32, #npu.layout<Tensor, [1, 0]>>, tensor<4x5xf32, #npu.layout<Tensor, [1, 0]>>)
  %d, %e, %f = npu.split %t axis = 1 sizes = [1, 0, 5]
    : (tensor<4x6xf32, #npu.layout<Tensor, [1, 0]>>) -> (tensor<4x1xf32, #npu.layout<Tensor, [1, 0]>>, tensor<4x0xf32, #npu.layout<Tensor, [1, 0]>>, tensor<4x5xf32, #npu.layout<Tensor, [1, 0]>>)
  // CHECK-NEXT: %g, %h = npu.split %w axis = 2 sizes = [2, 6] : (tensor<3x3x8x4xf32, #npu.layout<HWOI>>) -> (tensor<3x3x2x4xf32, #npu.layout<HWOI>>, tensor<3x3x6x4xf32, #npu.layout<HWOI>>)
  %g, %h = npu.split %w axis = 2 sizes = [2, 6]
    : (tensor<3x3x8x4xf32, #npu.layout<HWOI>>) -> (tensor<3x3x2x4xf32, #npu.layout<HWOI>>, tensor<3x3x6x4xf32, #npu.layout<HWOI>>)
  return
}

/// Elements are added before and after each physical axis; mode and value are printed unless they are the default.
// CHECK-LABEL: func.func @pad(
func.func @pad(
  %x: tensor<1x8x9x16xf32, #npu.layout<NHWC>>, %a: tensor<2x3xf32>, %b: tensor<4xi8>, %c: tensor<4xui8>, %d: tensor<4xi1>,
  %s: tensor<f32>, %e: tensor<2x0xf32>
) {
  // CHECK-NEXT: %zeros = npu.pad %x low = [0, 1, 2, 0] high = [0, 3, 4, 0] : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x12x15x16xf32, #npu.layout<NHWC>>
  %zeros = npu.pad %x low = [0, 1, 2, 0] high = [0, 3, 4, 0] mode = "constant" value = 0.0
    : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x12x15x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %least = npu.pad %x low = [0, 1, 1, 0] high = [0, 1, 1, 0] value = -1.500000e+00 {tag = "kept"} : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x10x11x16xf32, #npu.layout<NHWC>>
  %least = npu.pad %x low = [0, 1, 1, 0] high = [0, 1, 1, 0] value = -1.5 {tag = "kept"}
    : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x10x11x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %edge = npu.pad %a low = [5, 0] high = [0, 9] mode = "edge" : (tensor<2x3xf32>) -> tensor<7x12xf32>
  %edge = npu.pad %a low = [5, 0] high = [0, 9] mode = "edge" : (tensor<2x3xf32>) -> tensor<7x12xf32>
  // CHECK-NEXT: %reflect = npu.pad %a low = [1, 0] high = [1, 2] mode = "reflect" : (tensor<2x3xf32>) -> tensor<4x5xf32>
  %reflect = npu.pad %a low = [1, 0] high = [1, 2] mode = "reflect" : (tensor<2x3xf32>) -> tensor<4x5xf32>
  // CHECK-NEXT: %i8 = npu.pad %b low = [1] high = [0] value = -1.280000e+02 : (tensor<4xi8>) -> tensor<5xi8>
  %i8 = npu.pad %b low = [1] high = [0] value = -128.0 : (tensor<4xi8>) -> tensor<5xi8>
  // CHECK-NEXT: %ui8 = npu.pad %c low = [1] high = [0] value = 2.550000e+02 : (tensor<4xui8>) -> tensor<5xui8>
  %ui8 = npu.pad %c low = [1] high = [0] value = 255.0 : (tensor<4xui8>) -> tensor<5xui8>
  // CHECK-NEXT: %i1 = npu.pad %d low = [1] high = [0] value = 1.000000e+00 : (tensor<4xi1>) -> tensor<5xi1>
  %i1 = npu.pad %d low = [1] high = [0] value = 1.0 : (tensor<4xi1>) -> tensor<5xi1>
  // CHECK-NEXT: %scalar = npu.pad %s low = [] high = [] : tensor<f32>
  %scalar = npu.pad %s low = [] high = [] : tensor<f32>
  /// An axis without elements may stay empty.
  // CHECK-NEXT: %empty = npu.pad %e low = [1, 0] high = [1, 0] mode = "reflect" : (tensor<2x0xf32>) -> tensor<4x0xf32>
  %empty = npu.pad %e low = [1, 0] high = [1, 0] mode = "reflect" : (tensor<2x0xf32>) -> tensor<4x0xf32>
  // CHECK-NEXT: %filled = npu.pad %e low = [0, 1] high = [0, 1] : (tensor<2x0xf32>) -> tensor<2x2xf32>
  %filled = npu.pad %e low = [0, 1] high = [0, 1] : (tensor<2x0xf32>) -> tensor<2x2xf32>
  return
}

/// Negative positions count from the end; positions are clamped to the axis.
// CHECK-LABEL: func.func @slice(
func.func @slice(
  %x: tensor<1x8x9x16xf32, #npu.layout<NHWC>>, %a: tensor<4x6xf32>, %t: tensor<4x6xi8, #npu.layout<Tensor, [1, 0]>>,
  %s: tensor<f32>
) {
  // CHECK-NEXT: %inner = npu.slice %x starts = [0, 1, 2, 0] limits = [1, 7, 9, 16] : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x6x7x16xf32, #npu.layout<NHWC>>
  %inner = npu.slice %x starts = [0, 1, 2, 0] limits = [1, 7, 9, 16]
    : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x6x7x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %steps = npu.slice %x starts = [0, 1, 0, 0] limits = [1, 8, 9, 16] steps = [1, 3, 2, 5] {tag = "kept"} : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x3x5x4xf32, #npu.layout<NHWC>>
  %steps = npu.slice %x starts = [0, 1, 0, 0] limits = [1, 8, 9, 16] steps = [1, 3, 2, 5] {tag = "kept"}
    : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<1x3x5x4xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %ends = npu.slice %a starts = [-2, -9] limits = [9223372036854775807, -1] : (tensor<4x6xf32>) -> tensor<2x5xf32>
  %ends = npu.slice %a starts = [-2, -9] limits = [9223372036854775807, -1] : (tensor<4x6xf32>) -> tensor<2x5xf32>
  // CHECK-NEXT: %none = npu.slice %a starts = [3, 8] limits = [1, 9] : (tensor<4x6xf32>) -> tensor<0x0xf32>
  %none = npu.slice %a starts = [3, 8] limits = [1, 9] : (tensor<4x6xf32>) -> tensor<0x0xf32>
  // CHECK-NEXT: %turned = npu.slice %t starts = [1, 0] limits = [4, 3] : (tensor<4x6xi8, #npu.layout<Tensor, [1, 0]>>) -> tensor<3x3xi8, #npu.layout<Tensor, [1, 0]>>
  %turned = npu.slice %t starts = [1, 0] limits = [4, 3]
    : (tensor<4x6xi8, #npu.layout<Tensor, [1, 0]>>) -> tensor<3x3xi8, #npu.layout<Tensor, [1, 0]>>
  // CHECK-NEXT: %ones = npu.slice %t starts = [0, 0] limits = [4, 6] steps = [1, 1] : tensor<4x6xi8, #npu.layout<Tensor, [1, 0]>>
  %ones = npu.slice %t starts = [0, 0] limits = [4, 6] steps = [1, 1]
    : tensor<4x6xi8, #npu.layout<Tensor, [1, 0]>>
  // CHECK-NEXT: %scalar = npu.slice %s starts = [] limits = [] : tensor<f32>
  %scalar = npu.slice %s starts = [] limits = [] : tensor<f32>
  return
}

/// Axes are reversed, and repeated.
// CHECK-LABEL: func.func @reverse_and_tile(
func.func @reverse_and_tile(
  %x: tensor<1x8x9x16xf32, #npu.layout<NHWC>>, %a: tensor<4x6xi1>, %t: tensor<4x6xi8, #npu.layout<Tensor, [1, 0]>>,
  %w: tensor<3x3x8x4xf32, #npu.layout<HWOI>>
) {
  // CHECK-NEXT: %reverse = npu.reverse %x axes = [3, 0] {tag = "kept"} : tensor<1x8x9x16xf32, #npu.layout<NHWC>>
  %reverse = npu.reverse %x axes = [3, 0] {tag = "kept"}
    : tensor<1x8x9x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %last = npu.reverse %a axes = [1] : tensor<4x6xi1>
  %last = npu.reverse %a axes = [1] : tensor<4x6xi1>
  // CHECK-NEXT: %turned = npu.reverse %t axes = [0] : tensor<4x6xi8, #npu.layout<Tensor, [1, 0]>>
  %turned = npu.reverse %t axes = [0]
    : tensor<4x6xi8, #npu.layout<Tensor, [1, 0]>>
  // CHECK-NEXT: %tile = npu.tile %x repeats = [2, 1, 1, 3] {tag = "kept"} : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<2x8x9x48xf32, #npu.layout<NHWC>>
  %tile = npu.tile %x repeats = [2, 1, 1, 3] {tag = "kept"}
    : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>) -> tensor<2x8x9x48xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %flat = npu.tile %a repeats = [1, 2] : (tensor<4x6xi1>) -> tensor<4x12xi1>
  %flat = npu.tile %a repeats = [1, 2] : (tensor<4x6xi1>) -> tensor<4x12xi1>
  // CHECK-NEXT: %kernel = npu.tile %w repeats = [1, 1, 2, 1] : (tensor<3x3x8x4xf32, #npu.layout<HWOI>>) -> tensor<3x3x16x4xf32, #npu.layout<HWOI>>
  %kernel = npu.tile %w repeats = [1, 1, 2, 1]
    : (tensor<3x3x8x4xf32, #npu.layout<HWOI>>) -> tensor<3x3x16x4xf32, #npu.layout<HWOI>>
  return
}

/// Dynamic sizes.
// CHECK-LABEL: func.func @dynamic(
func.func @dynamic(%a: tensor<?x6xf32>, %b: tensor<4x?xf32>) {
  // CHECK-NEXT: %concat = npu.concat %a, %b axis = 0 : (tensor<?x6xf32>, tensor<4x?xf32>) -> tensor<?x6xf32>
  %concat = npu.concat %a, %b axis = 0 : (tensor<?x6xf32>, tensor<4x?xf32>) -> tensor<?x6xf32>
  // CHECK-NEXT: %known = npu.concat %a, %b axis = 0 : (tensor<?x6xf32>, tensor<4x?xf32>) -> tensor<9x?xf32>
  %known = npu.concat %a, %b axis = 0 : (tensor<?x6xf32>, tensor<4x?xf32>) -> tensor<9x?xf32>
  // CHECK-NEXT: %s, %t = npu.split %a axis = 0 sizes = [2, 3] : (tensor<?x6xf32>) -> (tensor<2x6xf32>, tensor<?x?xf32>)
  %s, %t = npu.split %a axis = 0 sizes = [2, 3] : (tensor<?x6xf32>) -> (tensor<2x6xf32>, tensor<?x?xf32>)
  // CHECK-NEXT: %pad = npu.pad %a low = [3, 5] high = [0, 5] mode = "reflect" : (tensor<?x6xf32>) -> tensor<?x16xf32>
  %pad = npu.pad %a low = [3, 5] high = [0, 5] mode = "reflect" : (tensor<?x6xf32>) -> tensor<?x16xf32>
  // CHECK-NEXT: %slice = npu.slice %a starts = [1, 1] limits = [3, 3] : (tensor<?x6xf32>) -> tensor<?x2xf32>
  %slice = npu.slice %a starts = [1, 1] limits = [3, 3] : (tensor<?x6xf32>) -> tensor<?x2xf32>
  // CHECK-NEXT: %head = npu.slice %a starts = [1, 1] limits = [3, 3] : (tensor<?x6xf32>) -> tensor<2x2xf32>
  %head = npu.slice %a starts = [1, 1] limits = [3, 3] : (tensor<?x6xf32>) -> tensor<2x2xf32>
  // CHECK-NEXT: %reverse = npu.reverse %a axes = [0] : tensor<?x6xf32>
  %reverse = npu.reverse %a axes = [0] : tensor<?x6xf32>
  // CHECK-NEXT: %tile = npu.tile %a repeats = [2, 2] : (tensor<?x6xf32>) -> tensor<?x12xf32>
  %tile = npu.tile %a repeats = [2, 2] : (tensor<?x6xf32>) -> tensor<?x12xf32>
  return
}

/// Values with and without a layout may be mixed.
// CHECK-LABEL: func.func @mixed(
func.func @mixed(%x: tensor<1x8x9x16xf32, #npu.layout<NHWC>>, %plain: tensor<1x8x9x4xf32>) {
  // CHECK-NEXT: %concat = npu.concat %x, %plain axis = 3 : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>, tensor<1x8x9x4xf32>) -> tensor<1x8x9x20xf32, #npu.layout<NHWC>>
  %concat = npu.concat %x, %plain axis = 3
    : (tensor<1x8x9x16xf32, #npu.layout<NHWC>>, tensor<1x8x9x4xf32>) -> tensor<1x8x9x20xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %tile = npu.tile %plain repeats = [1, 1, 1, 2] : (tensor<1x8x9x4xf32>) -> tensor<1x8x9x8xf32, #npu.layout<NHWC>>
  %tile = npu.tile %plain repeats = [1, 1, 1, 2] : (tensor<1x8x9x4xf32>) -> tensor<1x8x9x8xf32, #npu.layout<NHWC>>
  return
}
