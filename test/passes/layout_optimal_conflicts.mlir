// RUN: npu-opt %s --layout-optimal --split-input-file --remarks 2>&1 >/dev/null | filecheck %s
// RUN: npu-opt %s --layout-optimal --split-input-file --why=%relu 2>&1 >/dev/null | filecheck %s --check-prefix=WHY

/// One conflict for each transpose, from one order that has no choice to the other: all of them have to be paid.
// CHECK:      {{.*}}: remark: inserted transpose NCHW to NHWC of 1x8x4x4 (512 bytes) by layout-optimal: %mirror mirror demands NHWC of input (opu.toml:34), but argument %x is NCHW (through %relu relu)
// CHECK:      {{.*}}: remark: inserted transpose NHWC to NCHW of 1x4x4x8 (512 bytes) by layout-optimal: output 0 of @two_conflicts keeps NCHW (through %sigmoid sigmoid), but %mirror mirror demands NHWC of input (opu.toml:34)
// WHY:      layout-optimal: %relu stays in NCHW
// WHY-NEXT:   because argument %x is NCHW
// WHY-NEXT:   transposed for %mirror mirror (512 bytes), because %mirror mirror demands NHWC of input (opu.toml:34), but argument %x is NCHW (through %relu relu)
// WHY-NEXT:   in all: 2 transposes, 1024 bytes: proved minimum
// WHY-NEXT:   without the demand of mirror on input (opu.toml:34): 2 to 0 transposes, 1024 to 0 bytes
// WHY-NEXT:   with argument %x stored as NHWC (--interface=%x:NHWC): 2 to 1 transposes, 1024 to 512 bytes
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
// WHY-NEXT:   transposed for %mirror mirror (512 bytes), because %mirror mirror demands NHWC of input (opu.toml:34), but argument %x is NCHW (through %relu relu, %abc add, %ab add, %a cast) (and 1 more conflict)
// WHY-NEXT:   in all: 1 transpose, 512 bytes: proved minimum
// WHY-NEXT:   nothing is saved without the demand of mirror on input (opu.toml:34), nor with argument %x stored in another layout
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

/// A value and its transpose contradict themselves, whoever else there is: no path shows why one of them is moved. The
/// transpose of the program stays, so none is inserted.
// CHECK-NOT:  inserted transpose
// CHECK:      {{.*}}:{{[0-9]+}}:11: remark: cancelled transpose by [1, 0] of 4x4 (64 bytes) by layout-optimal (x2)
// WHY:      layout-optimal: %relu stays in Tensor
// WHY-NEXT:   because argument %x is Tensor
// WHY-NEXT:   transposed for %exp exp (64 bytes), because output 0 of @with_its_transpose keeps Tensor (through %exp exp, %y add), and argument %x is Tensor (through %relu relu): %there transpose of the program is between them (an explanation, not a proof)
// WHY-NEXT:   in all: 1 transpose, 64 bytes: proved minimum
// WHY-NEXT:   nothing is saved with output 0 of @with_its_transpose stored in another layout, nor with argument %x stored in another layout
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
// WHY-NEXT:   transposed for %mirror mirror (512 bytes), because %mirror mirror demands NHWC of input (opu.toml:34), but argument %y is NCHW (through %relu relu, %abc add, %ab add, %b cast) (and 2 more conflicts)
// WHY-NEXT:   in all: 1 transpose, 512 bytes: proved minimum
// WHY-NEXT:   with argument %y stored as NHWC (--interface=%y:NHWC): 512 to 256 bytes, but 2 transposes instead of 1
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

// -----

/// Two ends that want the same do not contradict each other: an op of the program between them does.
// CHECK:      {{.*}}: remark: inserted transpose Tensor to Tensor by [0, 1, 3, 2] of 4x4x2x4 (512 bytes) by layout-optimal: %z conv2d demands NHWC of data (opu.toml:21), and argument %x is NHWC (through %relu relu): %t transpose of the program is between them
// WHY:      layout-optimal: %relu stays in NHWC
// WHY-NEXT:   because argument %x is NHWC
// WHY-NEXT:   transposed for %z conv2d (512 bytes), because %z conv2d demands NHWC of data (opu.toml:21), and argument %x is NHWC (through %relu relu): %t transpose of the program is between them
// WHY-NEXT:   in all: 1 transpose, 512 bytes: proved minimum
func.func @shuffled(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>> {
  %k = npu.constant dense<0.5> : tensor<8x8x1x1xf32>
  %relu = npu.relu %x : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  %n = npu.transpose %relu permutation = [0, 3, 1, 2] : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x4xf32>
  %s = npu.reshape %n : (tensor<1x8x4x4xf32>) -> tensor<1x2x4x4x4xf32>
  %t = npu.transpose %s permutation = [0, 2, 1, 3, 4] : (tensor<1x2x4x4x4xf32>) -> tensor<1x4x2x4x4xf32>
  %j = npu.reshape %t : (tensor<1x4x2x4x4xf32>) -> tensor<1x8x4x4xf32>
  %z = npu.conv2d %j, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x8x4x4xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x4xf32>
  %r = npu.transpose %z permutation = [0, 2, 3, 1] : (tensor<1x8x4x4xf32>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  func.return %r : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
}

// -----

/// The same with a reshape: %n is the same value in another layout.
// CHECK:      {{.*}}: remark: inserted transpose {{.*}} by layout-optimal: %z conv2d demands NHWC of data (opu.toml:21), and so does %relu conv2d: %s reshape of the program is between them
// WHY:      layout-optimal: %relu stays in NHWC
func.func @split(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x4xf32, #npu.layout<NHWC>> {
  %k = npu.constant dense<0.5> : tensor<8x1x1x8xf32, #npu.layout<OHWI>>
  %l = npu.constant dense<0.5> : tensor<4x4x1x1xf32>
  %relu = npu.conv2d %x, %k : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<8x1x1x8xf32, #npu.layout<OHWI>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  %n = npu.transpose %relu permutation = [0, 3, 1, 2] : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x4xf32>
  %s = npu.reshape %n : (tensor<1x8x4x4xf32>) -> tensor<1x4x8x4xf32>
  %z = npu.conv2d %s, %l data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x4x8x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x8x4xf32>
  %r = npu.transpose %z permutation = [0, 2, 3, 1] : (tensor<1x4x8x4xf32>) -> tensor<1x8x4x4xf32, #npu.layout<NHWC>>
  func.return %r : tensor<1x8x4x4xf32, #npu.layout<NHWC>>
}
