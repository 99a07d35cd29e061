// RUN: npu-opt %s --split-input-file --layout-optimal --what-if 2>&1 >/dev/null | filecheck %s --match-full-lines
// RUN: npu-opt %s --split-input-file --layout-optimal --what-if=json 2>&1 >/dev/null | filecheck %s --match-full-lines --check-prefix JSON
// RUN: not npu-opt %s --split-input-file --layout-preset --what-if 2>&1 | filecheck %s --match-full-lines --check-prefix NONE
// RUN: not npu-opt %s --what-if=yaml 2>&1 | filecheck %s --match-full-lines --check-prefix FORMAT

// RUN: npu-opt %s --split-input-file --layout-optimal="cost=traffic" --what-if 2>&1 >/dev/null | filecheck %s --match-full-lines --check-prefix TRAVEL

/// The demand and each signature by itself, and the signature as a whole.
// CHECK:      what if: 2 transposes, 1024 bytes
// CHECK-NEXT:   without the demand of conv2d on data (opu.toml:21): 2 to 0 transposes, 1024 to 0 bytes
// CHECK-NEXT:   with NCHW instead of NHWC in the demand of conv2d on data (opu.toml:21): 2 to 0 transposes, 1024 to 0 bytes
// CHECK-NEXT:   with the best layouts of all arguments and results (--interface=free): 2 to 0 transposes, 1024 to 0 bytes
// CHECK-NEXT:   with argument %x stored as NHWC (--interface=%x:NHWC): 2 to 1 transposes, 1024 to 512 bytes
// CHECK-NEXT:   with output 0 of @main stored as NHWC (--interface=output0:NHWC): 2 to 1 transposes, 1024 to 512 bytes
// JSON: {"minimises": "bytes", "before": {"transposes": 2, "bytes": 1024}, "changes": [{"change": "without the demand of conv2d on data (opu.toml:21)", "transposes": 0, "bytes": 0}, {{.*}}]}
func.func @main(%x: tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32> {
  %k = npu.constant dense<0.5> : tensor<8x8x1x1xf32>
  %y = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x8x4x4xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x4xf32>
  func.return %y : tensor<1x8x4x4xf32>
}

// -----

/// An opaque op between two convolutions, of which the target may say more.
// CHECK-NEXT: what if: 2 transposes, 1024 bytes, not counting ops left unchanged
// CHECK-NEXT:   with [ops."lib.swish"] like = "elementwise" in the target: 2 to 0 transposes, 1024 to 0 bytes
// CHECK-NEXT:   nothing is saved without the demand of conv2d on data (opu.toml:21), nor with the best layouts of all arguments and results (--interface=free)
// CHECK-NEXT: note: layout-optimal: 1 op of other dialects left unchanged: lib.swish
func.func @main(%x: tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32> {
  %k = npu.constant dense<0.5> : tensor<8x8x1x1xf32>
  %a = npu.transpose %x permutation = [0, 3, 1, 2] : (tensor<1x4x4x8xf32>) -> tensor<1x8x4x4xf32>
  %b = npu.conv2d %a, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x8x4x4xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x4xf32>
  %c = npu.opaque "lib.swish"(%b) : (tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  %d = npu.conv2d %c, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x8x4x4xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x4xf32>
  %y = npu.transpose %d permutation = [0, 2, 3, 1] : (tensor<1x8x4x4xf32>) -> tensor<1x4x4x8xf32>
  func.return %y : tensor<1x4x4x8xf32>
}

// -----

/// Nothing moves, so nothing can be saved.
// CHECK-NEXT: what if: 0 transposes, 0 bytes
// CHECK-NEXT:   nothing is saved with the best layouts of all arguments and results (--interface=free)
func.func @main(%x: i32) -> i32 {
  func.return %x : i32
}

// -----

/// Two changes that save more together than either: one answer for both ends of a conflict.
// CHECK-NEXT: what if: 2 transposes, 1024 bytes
// CHECK-NEXT:   without the demand of conv2d on data (opu.toml:21) and with argument %x stored as NHWC (--interface=%x:NHWC): 2 to 0 transposes, 1024 to 0 bytes
// CHECK-NEXT:   with the best layouts of all arguments and results (--interface=free): 2 to 0 transposes, 1024 to 0 bytes
// CHECK-NEXT:   with argument %x stored as NHWC (--interface=%x:NHWC): 2 to 1 transposes, 1024 to 512 bytes
// CHECK-NEXT:   with argument %w stored as NHWC (--interface=%w:NHWC): 2 to 1 transposes, 1024 to 512 bytes
// CHECK-NEXT:   without the demand of conv2d on data (opu.toml:21): 2 to 1 transposes, 1024 to 512 bytes
// CHECK-NEXT:   with NCHW instead of NHWC in the demand of conv2d on data (opu.toml:21): 2 to 1 transposes, 1024 to 512 bytes
// CHECK-NEXT:   nothing is saved without the demand of bilinear on input (opu.toml:39)
func.func @pair(%x: tensor<1x8x4x4xf32, #npu.layout<NCHW>>, %w: tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> (tensor<1x8x1x1xf32, #npu.layout<NCHW>>, tensor<1x8x1x1xf32, #npu.layout<NCHW>>, tensor<1x8x1x1xf32, #npu.layout<NCHW>>) {
  %k = npu.constant dense<0.5> : tensor<8x8x1x1xf32, #npu.layout<OIHW>>
  %a = npu.conv2d %x, %k : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %b = npu.conv2d %w, %k : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %c = npu.bilinear %x sizes = [2, 2] : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x8x2x2xf32, #npu.layout<NCHW>>
  %p = npu.global_avg_pool %a : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x8x1x1xf32, #npu.layout<NCHW>>
  %q = npu.global_avg_pool %b : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x8x1x1xf32, #npu.layout<NCHW>>
  %r = npu.global_avg_pool %c : (tensor<1x8x2x2xf32, #npu.layout<NCHW>>) -> tensor<1x8x1x1xf32, #npu.layout<NCHW>>
  func.return %p, %q, %r : tensor<1x8x1x1xf32, #npu.layout<NCHW>>, tensor<1x8x1x1xf32, #npu.layout<NCHW>>, tensor<1x8x1x1xf32, #npu.layout<NCHW>>
}

// -----

/// Arguments and results of several functions have names that tell them apart.
// CHECK-NEXT: what if: 1 transpose, 512 bytes
// CHECK-NEXT:   with output 0 of @main stored as NHWC (--interface=%y:NHWC): 1 to 0 transposes, 512 to 0 bytes
// CHECK-NEXT:   with the best layouts of all arguments and results (--interface=free): 1 to 0 transposes, 512 to 0 bytes
// CHECK-NEXT:   nothing is saved with argument %x of @main stored in another layout, nor with argument %z stored in another layout
func.func @main(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>, %z: tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>> {
  %a = npu.add %x, %z : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  %y = npu.transpose %a permutation = [0, 3, 1, 2] : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  func.return %y : tensor<1x8x4x4xf32, #npu.layout<NCHW>>
}

func.func @other(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>> {
  %y = npu.exp %x : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  %t = npu.transpose %y permutation = [0, 3, 1, 2] : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %u = npu.transpose %t permutation = [0, 2, 3, 1] : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  func.return %u : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
}

// -----

/// Unknown sizes are assumed, on both sides of each saving.
// CHECK-NEXT: what if: 2 transposes, ~1024 bytes (unknown sizes count as 64, first ones as 1)
// CHECK-NEXT:   without the demand of conv2d on data (opu.toml:21): 2 to 0 transposes, ~1024 to 0 bytes
// TRAVEL: what if: 2 transposes (0 absorbed), ~1024 bytes, ~3072 bytes travel (unknown sizes count as 64, first ones as 1); the changes are ranked by the bytes that travel
// TRAVEL-NEXT:   without the demand of conv2d on data (opu.toml:21): 2 to 0 transposes, ~1024 to ~0 bytes, ~3072 to ~1024 bytes travel
func.func @unknown(%x: tensor<?x8x4x4xf32>) -> tensor<?x8x4x4xf32> {
  %k = npu.constant dense<0.5> : tensor<8x8x1x1xf32>
  %y = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<?x8x4x4xf32>, tensor<8x8x1x1xf32>) -> tensor<?x8x4x4xf32>
  func.return %y : tensor<?x8x4x4xf32>
}

// NONE: npu-opt: error: argument --what-if: no pass in the pipeline solves layouts (--layout-optimal)
// FORMAT: npu-opt: error: argument --what-if: expected nothing or json, found 'yaml'
