// RUN: npu-opt %s --split-input-file --target=%S/Inputs/conditions.toml --layout-optimal --remarks 2>&1 > /dev/null | filecheck %s

/// The first entry counts whose condition holds: of pointwise convolutions of integers nothing is demanded.
func.func @exempt(%x: tensor<1x8x8x16xi8, #npu.layout<NHWC>>) -> tensor<1x8x8x16xi8, #npu.layout<NHWC>> {
  %w = npu.constant dense<1> : tensor<16x16x1x1xi8, #npu.layout<OIHW>>
  %c = npu.conv2d %x, %w : (tensor<1x8x8x16xi8, #npu.layout<NHWC>>, tensor<16x16x1x1xi8, #npu.layout<OIHW>>) -> tensor<1x8x8x16xi8, #npu.layout<NHWC>>
  return %c : tensor<1x8x8x16xi8, #npu.layout<NHWC>>
}

// -----

/// Of two words, `and` binds closer than `or`: grouped convolutions of 32 channels match, those of 8 do not.
// CHECK:      {{.*}}: remark: inserted transpose NHWC to NCHW of 1x8x8x32 (8192 bytes) by layout-optimal: %wide conv2d demands NCHW of data (conditions.toml:12), but argument %x is NHWC
// CHECK-NEXT: {{.*}}: remark: inserted transpose NCHW to NHWC of 1x4x6x6 (576 bytes) by layout-optimal: output 0 of @grouped keeps NHWC, but %wide conv2d demands NCHW of data (conditions.toml:12)
func.func @grouped(%x: tensor<1x8x8x32xf32, #npu.layout<NHWC>>, %y: tensor<1x8x8x8xf32, #npu.layout<NHWC>>) -> (tensor<1x6x6x4xf32, #npu.layout<NHWC>>, tensor<1x6x6x4xf32, #npu.layout<NHWC>>) {
  %w = npu.constant dense<1.0> : tensor<4x8x3x3xf32, #npu.layout<OIHW>>
  %v = npu.constant dense<1.0> : tensor<4x2x3x3xf32, #npu.layout<OIHW>>
  %wide = npu.conv2d %x, %w groups = 4 : (tensor<1x8x8x32xf32, #npu.layout<NHWC>>, tensor<4x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x6x6x4xf32, #npu.layout<NHWC>>
  %narrow = npu.conv2d %y, %v groups = 4 : (tensor<1x8x8x8xf32, #npu.layout<NHWC>>, tensor<4x2x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x6x6x4xf32, #npu.layout<NHWC>>
  return %wide, %narrow : tensor<1x6x6x4xf32, #npu.layout<NHWC>>, tensor<1x6x6x4xf32, #npu.layout<NHWC>>
}

// -----

/// One input channel for each group: depthwise, whatever the number of channels.
// CHECK-NEXT: {{.*}}: remark: inserted transpose NHWC to NCHW of 1x8x8x4 (1024 bytes) by layout-optimal: %c conv2d demands NCHW of data (conditions.toml:12), but argument %x is NHWC
// CHECK-NEXT: {{.*}}: remark: inserted transpose NCHW to NHWC of 1x4x6x6 (576 bytes) by layout-optimal: output 0 of @depthwise keeps NHWC, but %c conv2d demands NCHW of data (conditions.toml:12)
func.func @depthwise(%x: tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x6x6x4xf32, #npu.layout<NHWC>> {
  %w = npu.constant dense<1.0> : tensor<4x1x3x3xf32, #npu.layout<OIHW>>
  %c = npu.conv2d %x, %w groups = 4 : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<4x1x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x6x6x4xf32, #npu.layout<NHWC>>
  return %c : tensor<1x6x6x4xf32, #npu.layout<NHWC>>
}

// -----

/// A kernel that is computed is no constant; one behind a transpose is.
// CHECK-NEXT: {{.*}}: remark: inserted transpose NHWC to NCHW of 1x8x8x4 (1024 bytes) by layout-optimal: %computed conv2d demands NCHW of data (conditions.toml:13), but argument %x is NHWC
// CHECK-NEXT: {{.*}}: remark: inserted transpose NCHW to NHWC of 1x4x6x6 (576 bytes) by layout-optimal: output 0 of @constant keeps NHWC, but %computed conv2d demands NCHW of data (conditions.toml:13)
func.func @constant(%x: tensor<1x8x8x4xf32, #npu.layout<NHWC>>, %k: tensor<3x3x4x4xf32, #npu.layout<HWOI>>) -> (tensor<1x6x6x4xf32, #npu.layout<NHWC>>, tensor<1x6x6x4xf32, #npu.layout<NHWC>>) {
  %w = npu.constant dense<1.0> : tensor<4x4x3x3xf32, #npu.layout<OIHW>>
  %t = npu.transpose %w permutation = [2, 3, 0, 1] : (tensor<4x4x3x3xf32, #npu.layout<OIHW>>) -> tensor<3x3x4x4xf32, #npu.layout<HWOI>>
  %computed = npu.conv2d %x, %k : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<3x3x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x4xf32, #npu.layout<NHWC>>
  %known = npu.conv2d %x, %t : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<3x3x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x6x6x4xf32, #npu.layout<NHWC>>
  return %computed, %known : tensor<1x6x6x4xf32, #npu.layout<NHWC>>, tensor<1x6x6x4xf32, #npu.layout<NHWC>>
}

// -----

/// The condition `stride > 1` is about every spatial axis; a window of one axis has no `.h`, so the condition does not hold.
// CHECK-NEXT: {{.*}}: remark: inserted transpose NCHW to NHWC of 1x4x8x8 (1024 bytes) by layout-optimal: %both max_pool demands NHWC of input (conditions.toml:16), but argument %x is NCHW
// CHECK-NEXT: {{.*}}: remark: inserted transpose NHWC to NCHW of 1x4x4x4 (256 bytes) by layout-optimal: output 0 of @pools keeps NCHW, but %both max_pool demands NHWC of input (conditions.toml:16)
func.func @pools(%x: tensor<1x4x8x8xf32, #npu.layout<NCHW>>, %y: tensor<1x4x8xf32, #npu.layout<NCW>>) -> (tensor<1x4x4x4xf32, #npu.layout<NCHW>>, tensor<1x4x4x7xf32, #npu.layout<NCHW>>, tensor<1x4x4xf32, #npu.layout<NCW>>) {
  %both = npu.max_pool %x window = [2, 2] strides = [2, 2] : (tensor<1x4x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x4xf32, #npu.layout<NCHW>>
  %one = npu.max_pool %x window = [2, 2] strides = [2, 1] : (tensor<1x4x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x7xf32, #npu.layout<NCHW>>
  %line = npu.max_pool %y window = [2] strides = [2] : (tensor<1x4x8xf32, #npu.layout<NCW>>) -> tensor<1x4x4xf32, #npu.layout<NCW>>
  return %both, %one, %line : tensor<1x4x4x4xf32, #npu.layout<NCHW>>, tensor<1x4x4x7xf32, #npu.layout<NCHW>>, tensor<1x4x4xf32, #npu.layout<NCW>>
}

// -----

/// A demand on axes under a condition: bytes are unknown if a size is, and what is unknown does not hold.
// CHECK-NEXT: {{.*}}: remark: inserted transpose Tensor to Tensor, [1, 0] of 1024x2 (8192 bytes) by layout-optimal: %large softmax demands its axis last (conditions.toml:17), but argument %x is Tensor
// CHECK-NEXT: {{.*}}: remark: inserted transpose Tensor, [1, 0] to Tensor of 2x1024 (8192 bytes) by layout-optimal: output 0 of @bytes keeps Tensor, but %large softmax demands its axis last (conditions.toml:17)
func.func @bytes(%x: tensor<1024x2xf32, #npu.layout<Tensor>>, %y: tensor<512x2xf16, #npu.layout<Tensor>>, %z: tensor<?x2xf32, #npu.layout<Tensor>>) -> (tensor<1024x2xf32, #npu.layout<Tensor>>, tensor<512x2xf16, #npu.layout<Tensor>>, tensor<?x2xf32, #npu.layout<Tensor>>) {
  %large = npu.softmax %x axis = 0 : tensor<1024x2xf32, #npu.layout<Tensor>>
  %small = npu.softmax %y axis = 0 : tensor<512x2xf16, #npu.layout<Tensor>>
  %unknown = npu.softmax %z axis = 0 : tensor<?x2xf32, #npu.layout<Tensor>>
  return %large, %small, %unknown : tensor<1024x2xf32, #npu.layout<Tensor>>, tensor<512x2xf16, #npu.layout<Tensor>>, tensor<?x2xf32, #npu.layout<Tensor>>
}
// CHECK-NOT: remark
