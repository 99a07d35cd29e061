// RUN: npu-opt %s --canonicalize --split-input-file | filecheck %s
// RUN: npu-opt %s --canonicalize --canonicalize --split-input-file | filecheck %s

/// A gather of all positions in their order is its operand.
// CHECK-LABEL: func.func @whole_axis
// CHECK-SAME:    (%x: tensor<3x4xf16>) -> tensor<3x4xf16> {
// CHECK-NEXT:    func.return %x : tensor<3x4xf16>
// CHECK-NEXT:  }
func.func @whole_axis(%x: tensor<3x4xf16>) -> tensor<3x4xf16> {
  %i = npu.constant dense<[0, 1, 2, 3]> : tensor<4xi64>
  %y = npu.gather %x, %i axis = 1 : (tensor<3x4xf16>, tensor<4xi64>) -> tensor<3x4xf16>
  func.return %y : tensor<3x4xf16>
}

// -----

/// Indices with more axes make it a reshape; negative ones count from the end.
// CHECK-LABEL: func.func @more_axes
// CHECK-SAME:    (%x: tensor<3x4x5xi1>) -> tensor<3x2x2x5xi1> {
// CHECK-NEXT:    %y = npu.reshape %x : (tensor<3x4x5xi1>) -> tensor<3x2x2x5xi1>
// CHECK-NEXT:    func.return %y : tensor<3x2x2x5xi1>
// CHECK-NEXT:  }
func.func @more_axes(%x: tensor<3x4x5xi1>) -> tensor<3x2x2x5xi1> {
  %i = npu.constant dense<[[0, -3], [2, -1]]> : tensor<2x2xi32>
  %y = npu.gather %x, %i axis = 1 : (tensor<3x4x5xi1>, tensor<2x2xi32>) -> tensor<3x2x2x5xi1>
  func.return %y : tensor<3x2x2x5xi1>
}

// -----

/// One index of an axis of one element drops the axis.
// CHECK-LABEL: func.func @scalar
// CHECK-SAME:    (%x: tensor<3x1x5xf32>) -> tensor<3x5xf32> {
// CHECK-NEXT:    %y = npu.reshape %x : (tensor<3x1x5xf32>) -> tensor<3x5xf32>
// CHECK-NEXT:    func.return %y : tensor<3x5xf32>
// CHECK-NEXT:  }
func.func @scalar(%x: tensor<3x1x5xf32>) -> tensor<3x5xf32> {
  %i = npu.constant dense<0> : tensor<i64>
  %y = npu.gather %x, %i axis = 1 : (tensor<3x1x5xf32>, tensor<i64>) -> tensor<3x5xf32>
  func.return %y : tensor<3x5xf32>
}

// -----

/// Layouts stay unchanged.
// CHECK-LABEL: func.func @layouts
// CHECK-SAME:    (%x: tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<1x2x4x8x4xf32, #npu.layout<Tensor, [0, 2, 3, 4, 1]>>) {
// CHECK-NEXT:    %z = npu.reshape %x : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x2x4x8x4xf32, #npu.layout<Tensor, [0, 2, 3, 4, 1]>>
// CHECK-NEXT:    func.return %x, %z : tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<1x2x4x8x4xf32, #npu.layout<Tensor, [0, 2, 3, 4, 1]>>
// CHECK-NEXT:  }
func.func @layouts(%x: tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<1x2x4x8x4xf32, #npu.layout<Tensor, [0, 2, 3, 4, 1]>>) {
  %i = npu.constant dense<[0, 1, 2, 3]> : tensor<4xi64>
  %y = npu.gather %x, %i axis = 3 : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<4xi64>) -> tensor<1x8x8x4xf32, #npu.layout<NHWC>>
  %j = npu.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>
  %z = npu.gather %x, %j axis = 1 : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<2x4xi64>) -> tensor<1x2x4x8x4xf32, #npu.layout<Tensor, [0, 2, 3, 4, 1]>>
  func.return %y, %z : tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<1x2x4x8x4xf32, #npu.layout<Tensor, [0, 2, 3, 4, 1]>>
}

// -----

/// Other axes may have any size.
// CHECK-LABEL: func.func @dynamic_batch
// CHECK-SAME:    (%x: tensor<?x4x?xf32>) -> tensor<?x2x2x?xf32> {
// CHECK-NEXT:    %y = npu.reshape %x dims = [@in0, 2, 2, @in2] : (tensor<?x4x?xf32>) -> tensor<?x2x2x?xf32>
// CHECK-NEXT:    func.return %y : tensor<?x2x2x?xf32>
// CHECK-NEXT:  }
func.func @dynamic_batch(%x: tensor<?x4x?xf32>) -> tensor<?x2x2x?xf32> {
  %i = npu.constant dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>
  %y = npu.gather %x, %i axis = 1 : (tensor<?x4x?xf32>, tensor<2x2xi64>) -> tensor<?x2x2x?xf32>
  func.return %y : tensor<?x2x2x?xf32>
}

// -----

/// Nothing is picked from nothing.
// CHECK-LABEL: func.func @no_elements
// CHECK-SAME:    (%x: tensor<3x0xf32>) -> tensor<3x0xf32> {
// CHECK-NEXT:    func.return %x : tensor<3x0xf32>
// CHECK-NEXT:  }
func.func @no_elements(%x: tensor<3x0xf32>) -> tensor<3x0xf32> {
  %i = npu.constant dense<> : tensor<0xi64>
  %y = npu.gather %x, %i axis = 1 : (tensor<3x0xf32>, tensor<0xi64>) -> tensor<3x0xf32>
  func.return %y : tensor<3x0xf32>
}

// -----

/// Positions in another order, positions that repeat, some of them, those of an axis of unknown size, and those that are
/// known at run time only are gathered.
// CHECK-LABEL: func.func @others
// CHECK:         %a = npu.gather %x, %swapped axis = 1
// CHECK-NEXT:    %repeated = npu.constant
// CHECK-NEXT:    %b = npu.gather %x, %repeated axis = 1
// CHECK-NEXT:    %some = npu.constant
// CHECK-NEXT:    %c = npu.gather %x, %some axis = 1
// CHECK-NEXT:    %d = npu.gather %u, %some axis = 0
// CHECK-NEXT:    %e = npu.gather %x, %i axis = 1
func.func @others(%x: tensor<3x4xf32>, %u: tensor<?x4xf32>, %i: tensor<4xi64>) -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x3xf32>, tensor<3x4xf32>, tensor<3x4xf32>) {
  %swapped = npu.constant dense<[0, 2, 1, 3]> : tensor<4xi64>
  %a = npu.gather %x, %swapped axis = 1 : (tensor<3x4xf32>, tensor<4xi64>) -> tensor<3x4xf32>
  %repeated = npu.constant dense<[0, 1, 2, 2]> : tensor<4xi64>
  %b = npu.gather %x, %repeated axis = 1 : (tensor<3x4xf32>, tensor<4xi64>) -> tensor<3x4xf32>
  %some = npu.constant dense<[0, 1, 2]> : tensor<3xi64>
  %c = npu.gather %x, %some axis = 1 : (tensor<3x4xf32>, tensor<3xi64>) -> tensor<3x3xf32>
  %d = npu.gather %u, %some axis = 0 : (tensor<?x4xf32>, tensor<3xi64>) -> tensor<3x4xf32>
  %e = npu.gather %x, %i axis = 1 : (tensor<3x4xf32>, tensor<4xi64>) -> tensor<3x4xf32>
  func.return %a, %b, %c, %d, %e : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x3xf32>, tensor<3x4xf32>, tensor<3x4xf32>
}
