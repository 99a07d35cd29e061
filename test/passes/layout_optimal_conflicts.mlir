// RUN: npu-opt %s --layout-optimal --split-input-file --remarks 2>&1 >/dev/null | filecheck %s
// RUN: npu-opt %s --layout-optimal --split-input-file --why=%relu 2>&1 >/dev/null | filecheck %s --check-prefix=WHY

/// One conflict for each transpose, from one order that has no choice to the other: all of them have to be paid.
// CHECK:      {{.*}}: remark: inserted transpose NCHW to NHWC of 1x8x4x4 (512 bytes) by layout-optimal: %mirror mirror demands NHWC of input (opu.toml:34), but argument %x is NCHW (through %relu relu)
// CHECK:      {{.*}}: remark: inserted transpose NHWC to NCHW of 1x4x4x8 (512 bytes) by layout-optimal: an output of @two_conflicts keeps its layout (through %sigmoid sigmoid), but %mirror mirror demands NHWC of input (opu.toml:34)
// WHY:      layout-optimal: %relu stays in NCHW
// WHY-NEXT:   because argument %x is NCHW
// WHY-NEXT:   converted, because %mirror mirror demands NHWC of input (opu.toml:34), but argument %x is NCHW (through %relu relu)
// WHY-NEXT:   in all: 1024 bytes: proved minimum
func.func @two_conflicts(%x: tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32> {
  %relu = npu.relu %x : tensor<1x8x4x4xf32>
  %mirror = npu.mirror %relu axes = [2] data_layout = <NCHW> : tensor<1x8x4x4xf32>
  %sigmoid = npu.sigmoid %mirror : tensor<1x8x4x4xf32>
  func.return %sigmoid : tensor<1x8x4x4xf32>
}

// -----

/// Three small inputs meet in one value, which is converted, as any two of the inputs would cost as much.
// CHECK:      {{.*}}: remark: inserted transpose NCHW to NHWC of 1x8x4x4 (512 bytes) by layout-optimal: %mirror mirror demands NHWC of input (opu.toml:34), but argument %x is NCHW (through %relu relu, %abc add, %ab add, %a cast) (and 1 more conflict)
// WHY:      layout-optimal: %relu stays in NCHW
// WHY-NEXT:   because argument %z is NCHW (through %abc add, %c cast)
// WHY-NEXT:   converted, because %mirror mirror demands NHWC of input (opu.toml:34), but argument %x is NCHW (through %relu relu, %abc add, %ab add, %a cast) (and 1 more conflict)
// WHY-NEXT:   in all: 512 bytes: proved minimum
func.func @meeting(%x: tensor<1x8x4x4xi16>, %y: tensor<1x8x4x4xi16>, %z: tensor<1x8x4x4xi16>)
    -> tensor<1x4x4x8xf32, #npu.layout<NHWC>> {
  %a = npu.cast %x : (tensor<1x8x4x4xi16>) -> tensor<1x8x4x4xf32>
  %b = npu.cast %y : (tensor<1x8x4x4xi16>) -> tensor<1x8x4x4xf32>
  %c = npu.cast %z : (tensor<1x8x4x4xi16>) -> tensor<1x8x4x4xf32>
  %ab = npu.add %a, %b : tensor<1x8x4x4xf32>
  %abc = npu.add %ab, %c : tensor<1x8x4x4xf32>
  %relu = npu.relu %abc : tensor<1x8x4x4xf32>
  %mirror = npu.mirror %relu axes = [2] data_layout = <NCHW> : tensor<1x8x4x4xf32>
  %r = npu.transpose %mirror permutation = [0, 2, 3, 1]
    : (tensor<1x8x4x4xf32>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  func.return %r : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
}

// -----

/// A value and its transpose contradict themselves, whoever else there is: no path shows why one of them is moved.
// CHECK:      {{.*}}: remark: inserted transpose Tensor to Tensor, [1, 0] of 4x4 (64 bytes) by layout-optimal: an output of @with_its_transpose keeps its layout (through %exp exp, %y add), but argument %x is Tensor (through %relu relu) (an explanation, not a proof)
// WHY:      layout-optimal: %relu stays in Tensor
// WHY-NEXT:   because argument %x is Tensor
// WHY-NEXT:   converted, because an output of @with_its_transpose keeps its layout (through %exp exp, %y add), but argument %x is Tensor (through %relu relu) (an explanation, not a proof)
// WHY-NEXT:   in all: 64 bytes: proved minimum
func.func @with_its_transpose(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %relu = npu.relu %x : tensor<4x4xf32>
  %there = npu.transpose %relu permutation = [1, 0] : tensor<4x4xf32>
  %exp = npu.exp %there : tensor<4x4xf32>
  %back = npu.transpose %exp permutation = [1, 0] : tensor<4x4xf32>
  %t = npu.transpose %back permutation = [1, 0] : tensor<4x4xf32>
  %y = npu.add %relu, %t : tensor<4x4xf32>
  func.return %y : tensor<4x4xf32>
}

// -----

/// Of several conflicts the largest is shown, not the first.
// CHECK:      {{.*}}: remark: inserted transpose NCHW to NHWC of 1x8x4x4 (512 bytes) by layout-optimal: %mirror mirror demands NHWC of input (opu.toml:34), but argument %y is NCHW (through %relu relu, %abc add, %ab add, %b cast) (and 2 more conflicts)
// WHY:      layout-optimal: %relu stays in NCHW
// WHY-NEXT:   because argument %z is NCHW (through %abc add, %c cast)
// WHY-NEXT:   converted, because %mirror mirror demands NHWC of input (opu.toml:34), but argument %y is NCHW (through %relu relu, %abc add, %ab add, %b cast) (and 2 more conflicts)
// WHY-NEXT:   in all: 512 bytes: proved minimum
func.func @uneven(%x: tensor<1x8x4x4xi8>, %y: tensor<1x8x4x4xi16>, %z: tensor<1x8x4x4xi8>)
    -> tensor<1x4x4x8xf32, #npu.layout<NHWC>> {
  %a = npu.cast %x : (tensor<1x8x4x4xi8>) -> tensor<1x8x4x4xf32>
  %b = npu.cast %y : (tensor<1x8x4x4xi16>) -> tensor<1x8x4x4xf32>
  %c = npu.cast %z : (tensor<1x8x4x4xi8>) -> tensor<1x8x4x4xf32>
  %ab = npu.add %a, %b : tensor<1x8x4x4xf32>
  %abc = npu.add %ab, %c : tensor<1x8x4x4xf32>
  %relu = npu.relu %abc : tensor<1x8x4x4xf32>
  %mirror = npu.mirror %relu axes = [2] data_layout = <NCHW> : tensor<1x8x4x4xf32>
  %r = npu.transpose %mirror permutation = [0, 2, 3, 1]
    : (tensor<1x8x4x4xf32>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  func.return %r : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
}
