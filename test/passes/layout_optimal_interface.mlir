// RUN: npu-opt %s --split-input-file --layout-optimal=interface=free | filecheck %s
// RUN: npu-opt %s --split-input-file --layout-optimal=interface=free --layout-optimal=interface=free | filecheck %s
// RUN: npu-opt %s --split-input-file --layout-optimal=interface=free --stats -o %t.mlir 2>&1 | filecheck %s --check-prefix=FREE
// RUN: npu-opt %s --split-input-file --layout-optimal --stats -o %t.mlir 2>&1 | filecheck %s --check-prefix=KEEP
// RUN: npu-opt %s --split-input-file --layout-optimal=interface=NHWC --stats -o %t.mlir 2>&1 | filecheck %s --check-prefix=NAMED
// RUN: npu-opt %s --split-input-file --layout-optimal=interface=free --remarks -o %t.mlir 2>&1 | filecheck %s --check-prefix=WHY

/// A free argument and a free result have the order of the convolution; what is left without them is counted as well.
// KEEP:       layout-optimal: 2 transposes, 1536 bytes: proved minimum
// FREE:       interface: %x is stored as NHWC (was NCHW)
// FREE-NEXT:  interface: output0 is stored as NHWC (was NCHW)
// FREE-NEXT:  layout-optimal: 0 transposes, 0 bytes: proved minimum
// NAMED:      layout-optimal: 0 transposes, 0 bytes: proved minimum
// CHECK:      func.func @border(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>> {npu.interface = "NHWC (was NCHW)"})
// CHECK-SAME:   -> (tensor<1x4x6x8xf32, #npu.layout<NHWC>> {npu.interface = "NHWC (was NCHW)"}) {
// CHECK-NEXT:   %k = npu.constant
// CHECK-NEXT:   %c = npu.conv2d %x, %k
// CHECK-NEXT:   func.return %c
func.func @border(%x: tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32> {
  %k = npu.constant dense<0.125> : tensor<1x1x8x8xf32>
  %c = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <HWOI>
    : (tensor<1x8x4x6xf32>, tensor<1x1x8x8xf32>) -> tensor<1x8x4x6xf32>
  func.return %c : tensor<1x8x4x6xf32>
}

// -----

/// An argument that is returned as well, a value that is returned twice, and an argument that nothing reads.
// KEEP:       layout-optimal: 2 transposes, 1536 bytes: proved minimum
// FREE:       layout-optimal: 0 transposes, 0 bytes: proved minimum
// CHECK:      func.func @several(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>> {npu.interface = "NHWC (was NCHW)"},
// CHECK-SAME:   %unused: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %zero: tensor<f32, #npu.layout<Tensor>>)
// CHECK:        func.return %x, %c, %c, %zero
func.func @several(%x: tensor<1x8x4x6xf32>, %unused: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %zero: tensor<f32>)
    -> (tensor<1x8x4x6xf32>, tensor<1x8x4x6xf32>, tensor<1x8x4x6xf32>, tensor<f32>) {
  %k = npu.constant dense<0.125> : tensor<1x1x8x8xf32>
  %c = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <HWOI>
    : (tensor<1x8x4x6xf32>, tensor<1x1x8x8xf32>) -> tensor<1x8x4x6xf32>
  func.return %x, %c, %c, %zero : tensor<1x8x4x6xf32>, tensor<1x8x4x6xf32>, tensor<1x8x4x6xf32>, tensor<f32>
}

// -----

/// A matrix has no order for the pixels of an image: one transpose is needed in front of the result.
// KEEP:       layout-optimal: 2 transposes, 1536 bytes: proved minimum
// FREE:       layout-optimal: 1 transpose, 768 bytes: proved minimum
// WHY:        inserted transpose NHWC to NCHW of 1x4x6x8 (768 bytes) by layout-optimal: output 0 of @flat is stored in permutations of Tensor only, but %c conv2d demands NHWC of data (opu.toml:21)
// CHECK:      func.func @flat(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>> {npu.interface = "NHWC (was NCHW)"})
// CHECK-SAME:   -> tensor<1x192xf32, #npu.layout<Tensor>> {
func.func @flat(%x: tensor<1x8x4x6xf32>) -> tensor<1x192xf32> {
  %k = npu.constant dense<0.125> : tensor<1x1x8x8xf32>
  %c = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <HWOI>
    : (tensor<1x8x4x6xf32>, tensor<1x1x8x8xf32>) -> tensor<1x8x4x6xf32>
  %r = npu.reshape %c : (tensor<1x8x4x6xf32>) -> tensor<1x192xf32>
  func.return %r : tensor<1x192xf32>
}

// -----

/// The same for an argument: the image is a reshape of it.
// FREE:       interface: output0 is stored as NHWC (was NCHW)
// FREE-NEXT:  layout-optimal: 1 transpose, 768 bytes: proved minimum
// WHY:        (768 bytes) by layout-optimal: %c conv2d demands NHWC of data (opu.toml:21), but argument %x is stored in permutations of Tensor only
func.func @rows(%x: tensor<1x192xf32>) -> tensor<1x8x4x6xf32> {
  %k = npu.constant dense<0.125> : tensor<1x1x8x8xf32>
  %r = npu.reshape %x : (tensor<1x192xf32>) -> tensor<1x8x4x6xf32>
  %c = npu.conv2d %r, %k data_layout = <NCHW> kernel_layout = <HWOI>
    : (tensor<1x8x4x6xf32>, tensor<1x1x8x8xf32>) -> tensor<1x8x4x6xf32>
  func.return %c : tensor<1x8x4x6xf32>
}

// -----

/// Opaque ops read what they read in the program, so the argument keeps its order for them.
// KEEP:       layout-optimal: 1 transpose, 768 bytes: proved minimum
// FREE-NOT:   interface: %x
// FREE:       layout-optimal: 1 transpose, 768 bytes: proved minimum
// CHECK:      func.func @opaque(
func.func @opaque(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) {
  %k = npu.constant dense<0.125> : tensor<1x1x8x8xf32, #npu.layout<HWOI>>
  %t = npu.nchw2nhwc %x : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  npu.opaque "test.sink" (%x) : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> ()
  npu.opaque "test.sink" (%t) : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> ()
  func.return
}
