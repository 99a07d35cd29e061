// RUN: npu-opt %s --split-input-file --target=%S/Inputs/costs.toml --layout-optimal --stats --remarks 2>&1 > /dev/null | grep -v interface=free | filecheck %s

/// Elements that stay innermost: 0.2 x 16384 + 100.
// CHECK:      layout-optimal: 1 transpose, 16384 bytes, 3376.8 ns: proved minimum
// CHECK-NEXT: {{.*}}: remark: kept transpose Tensor to Tensor by [1, 0, 2] of 4x16x64 (16384 bytes, 3376.8 ns)
func.func @keeps(%x: tensor<4x16x64xf32, #npu.layout<Tensor>>) -> tensor<16x4x64xf32, #npu.layout<Tensor>> {
  %t = npu.transpose %x permutation = [1, 0, 2] : (tensor<4x16x64xf32, #npu.layout<Tensor>>) -> tensor<16x4x64xf32, #npu.layout<Tensor>>
  return %t : tensor<16x4x64xf32, #npu.layout<Tensor>>
}

// -----

/// Two blocks that change places, for each image: 0.7 x 16384. H and W move as one block.
// CHECK-NEXT: layout-optimal: 1 transpose, 16384 bytes, 11468.8 ns: proved minimum
// CHECK-NEXT: {{.*}}: remark: kept transpose Tensor to Tensor by [0, 2, 3, 1] of 2x8x16x16 (16384 bytes, 11468.8 ns)
func.func @swaps(%x: tensor<2x8x16x16xf32, #npu.layout<Tensor>>) -> tensor<2x16x16x8xf32, #npu.layout<Tensor>> {
  %t = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<2x8x16x16xf32, #npu.layout<Tensor>>) -> tensor<2x16x16x8xf32, #npu.layout<Tensor>>
  return %t : tensor<2x16x16x8xf32, #npu.layout<Tensor>>
}

// -----

/// A permutation by its numbers, without the axis of one element: 3 x 4096.
// CHECK-NEXT: layout-optimal: 1 transpose, 4096 bytes, 12288 ns: proved minimum
// CHECK-NEXT: {{.*}}: remark: kept transpose Tensor to Tensor by [3, 2, 0, 1] of 4x1x16x16 (4096 bytes, 12288 ns)
func.func @permutation(%x: tensor<4x1x16x16xf32, #npu.layout<Tensor>>) -> tensor<16x16x4x1xf32, #npu.layout<Tensor>> {
  %t = npu.transpose %x permutation = [3, 2, 0, 1] : (tensor<4x1x16x16xf32, #npu.layout<Tensor>>) -> tensor<16x16x4x1xf32, #npu.layout<Tensor>>
  return %t : tensor<16x16x4x1xf32, #npu.layout<Tensor>>
}

// -----

/// The last entry is for all others: 1.5 x 8192 + 300.
// CHECK-NEXT: layout-optimal: 1 transpose, 8192 bytes, 24576 ns: proved minimum
// CHECK-NEXT: {{.*}}: remark: kept transpose Tensor to Tensor by [3, 1, 2, 0] of 4x2x16x16 (8192 bytes, 24576 ns)
func.func @other(%x: tensor<4x2x16x16xf32, #npu.layout<Tensor>>) -> tensor<16x2x16x4xf32, #npu.layout<Tensor>> {
  %t = npu.transpose %x permutation = [3, 1, 2, 0] : (tensor<4x2x16x16xf32, #npu.layout<Tensor>>) -> tensor<16x2x16x4xf32, #npu.layout<Tensor>>
  return %t : tensor<16x2x16x4xf32, #npu.layout<Tensor>>
}

// -----

/// 65536 bytes are too many for this hardware: the host does it, for 20 x 65536 + 5000.
// CHECK-NEXT: layout-optimal: 1 transpose, 65536 bytes, 1315720 ns: proved minimum
// CHECK-NEXT: {{.*}}: remark: kept transpose Tensor to Tensor by [1, 0] of 128x128 (65536 bytes, 1315720 ns)
func.func @host(%x: tensor<128x128xf32, #npu.layout<Tensor>>) -> tensor<128x128xf32, #npu.layout<Tensor>> {
  %t = npu.transpose %x permutation = [1, 0] : (tensor<128x128xf32, #npu.layout<Tensor>>) -> tensor<128x128xf32, #npu.layout<Tensor>>
  return %t : tensor<128x128xf32, #npu.layout<Tensor>>
}

// -----

/// A softmax over another axis than the last costs 2 x 16, less than two transposes and one over the last axis (10).
// CHECK-NEXT: layout-optimal: 0 transposes, 0 bytes, 32 ns: proved minimum
func.func @small(%x: tensor<2x2xf32, #npu.layout<Tensor>>) -> tensor<2x2xf32, #npu.layout<Tensor>> {
  %s = npu.softmax %x axis = 0 : tensor<2x2xf32, #npu.layout<Tensor>>
  return %s : tensor<2x2xf32, #npu.layout<Tensor>>
}

// -----

/// An axis that is the last one of more than one element is stored last: 10.
// CHECK-NEXT: layout-optimal: 0 transposes, 0 bytes, 10 ns: proved minimum
func.func @last(%x: tensor<16x64x1xf32, #npu.layout<Tensor>>) -> tensor<16x64x1xf32, #npu.layout<Tensor>> {
  %s = npu.softmax %x axis = 1 : tensor<16x64x1xf32, #npu.layout<Tensor>>
  return %s : tensor<16x64x1xf32, #npu.layout<Tensor>>
}

// -----

/// A part that costs nothing needs no further orders, however many it has: only the four axes of the other are tried.
// CHECK-NEXT: layout-optimal: 1 transpose, 192 bytes, 134.4 ns: proved minimum{{$}}
// CHECK-NEXT: {{.*}}: remark: kept transpose NHWC to NCHW of 1x4x4x3 (192 bytes, 134.4 ns)
func.func @parts(%x: tensor<1x4x4x16xf32, #npu.layout<NHWC>>, %k: tensor<3x16x1x1xf32, #npu.layout<OIHW>>, %y: tensor<2x3x4x5x6xf32, #npu.layout<Tensor>>) -> (tensor<1x3x4x4xf32, #npu.layout<NCHW>>, tensor<2x3x4x5x6xf32, #npu.layout<Tensor>>) {
  %c = npu.conv2d %x, %k : (tensor<1x4x4x16xf32, #npu.layout<NHWC>>, tensor<3x16x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x4x4x3xf32, #npu.layout<NHWC>>
  %r = npu.relu %c : tensor<1x4x4x3xf32, #npu.layout<NHWC>>
  %t = npu.transpose %r permutation = [0, 3, 1, 2] : (tensor<1x4x4x3xf32, #npu.layout<NHWC>>) -> tensor<1x3x4x4xf32, #npu.layout<NCHW>>
  %a = npu.relu %y : tensor<2x3x4x5x6xf32, #npu.layout<Tensor>>
  %b = npu.relu %a : tensor<2x3x4x5x6xf32, #npu.layout<Tensor>>
  %d = npu.relu %b : tensor<2x3x4x5x6xf32, #npu.layout<Tensor>>
  return %t, %d : tensor<1x3x4x4xf32, #npu.layout<NCHW>>, tensor<2x3x4x5x6xf32, #npu.layout<Tensor>>
}

// -----

/// Five axes have too many orders to try all.
// CHECK-NEXT: layout-optimal: 1 transpose, 720 bytes, 19400 ns: best of the layouts tried (not a proof over all)
func.func @tried(%x: tensor<2x2x3x3x5xf32, #npu.layout<NTensor>>) -> tensor<5x3x3x2x2xf32, #npu.layout<NTensor>> {
  %y = npu.tanh %x : tensor<2x2x3x3x5xf32, #npu.layout<NTensor>>
  %t = npu.transpose %y permutation = [4, 3, 2, 1, 0] : (tensor<2x2x3x3x5xf32, #npu.layout<NTensor>>) -> tensor<5x3x3x2x2xf32, #npu.layout<NTensor>>
  return %t : tensor<5x3x3x2x2xf32, #npu.layout<NTensor>>
}

// -----

/// No order of another value saves this transpose, so none is left to try.
// CHECK: layout-optimal: 1 transpose, 720 bytes, 19400 ns: proved minimum{{$}}
func.func @needed(%x: tensor<2x2x3x3x5xf32, #npu.layout<NTensor>>) -> tensor<5x3x3x2x2xf32, #npu.layout<NTensor>> {
  %t = npu.transpose %x permutation = [4, 3, 2, 1, 0] : (tensor<2x2x3x3x5xf32, #npu.layout<NTensor>>) -> tensor<5x3x3x2x2xf32, #npu.layout<NTensor>>
  return %t : tensor<5x3x3x2x2xf32, #npu.layout<NTensor>>
}
