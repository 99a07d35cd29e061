// RUN: npu-opt %s --layout-preset --canonicalize --remarks 2>&1 >/dev/null | filecheck %s --match-full-lines
// RUN: npu-opt %s --layout-preset --canonicalize --remarks=all 2>&1 >/dev/null | filecheck %s --check-prefix ALL --match-full-lines
// RUN: npu-opt --layout-preset --canonicalize --remarks all %s 2>&1 >/dev/null | filecheck %s --check-prefix ALL --match-full-lines
// RUN: npu-opt %s --layout-preset --canonicalize --remarks=json 2>&1 >/dev/null | filecheck %s --check-prefix JSON --match-full-lines
// RUN: not npu-opt %s --remarks=xml 2>&1 | filecheck %s --check-prefix FORMAT

/// Remarks that are alike in several blocks are printed once, at the first place, with their number; none is about
/// constants, which cost nothing at run time.
// CHECK:      {{.*}}.mlir:[[# @LINE + 17]]:12: remark: inserted transpose NCHW to NHWC of 1x8x4x6 (768 bytes) by layout-preset: %conv0 conv2d demands NHWC of data (opu.toml:21)
// CHECK-NEXT: {{.*}}.mlir:[[# @LINE + 18]]:11: remark: inserted transpose Tensor, [0, 2, 3, 1] to Tensor of 1x4x6x8 (768 bytes) by layout-preset: %gap0 opaque reads Tensor: nothing is known of its axes (x2)
// CHECK-NEXT: {{.*}}.mlir:[[# @LINE + 19]]:12: remark: inserted transpose Tensor to Tensor, [0, 2, 3, 1] of 1x8x4x6 (768 bytes) by layout-preset: %gap0 (relabelled) relabel shares a region in which %conv1 conv2d demands NHWC of data (opu.toml:21)
// CHECK-NOT:  {{.+}}

/// All of them, one by one; as JSON, one object per line.
// ALL:      {{.*}}.mlir:[[# @LINE + 11]]:12: remark: inserted transpose OIHW to HWOI of 8x8x3x3 (of a constant, not counted) by layout-preset: %conv0 conv2d demands HWOI of kernel (opu.toml:21)
// ALL:      {{.*}}.mlir:[[# @LINE + 16]]:11: remark: inserted transpose Tensor, [0, 2, 3, 1] to Tensor of 1x4x6x8 (768 bytes) by layout-preset: %gap1 opaque reads Tensor: nothing is known of its axes
// ALL-NEXT: {{.*}}.mlir:[[# @LINE + 9]]:12: remark: folded transpose OIHW to HWOI of 8x8x3x3 (of a constant, not counted) by canonicalize
// ALL-NEXT: {{.*}}.mlir:[[# @LINE + 12]]:12: remark: folded transpose OIHW to HWOI of 8x8x3x3 (of a constant, not counted) by canonicalize
// ALL-NOT:  {{.+}}
// JSON:      {"action": "inserted", "pass": "layout-preset", "place": "{{.*}}.mlir:[[# @LINE + 6]]:12", "transpose": "NCHW to NHWC", "shape": "1x8x4x6", "bytes": 768, "not_counted": null, "reasons": ["layout-preset: %conv0 conv2d demands NHWC of data (opu.toml:21)"]}
// JSON:      {"action": "folded", "pass": "canonicalize", "place": "{{.*}}.mlir:[[# @LINE + 5]]:12", "transpose": "OIHW to HWOI", "shape": "8x8x3x3", "bytes": 0, "not_counted": "of a constant", "reasons": ["layout-preset: %conv0 conv2d demands HWOI of kernel (opu.toml:21)"]}
// FORMAT: npu-opt: error: argument --remarks: expected nothing, all or json, found 'xml'

func.func @main(%x: tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32> {
  %w0 = npu.constant dense<0.125> : tensor<8x8x3x3xf32>
  %conv0 = npu.conv2d %x, %w0 pads = [1, 1, 1, 1] data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x8x4x6xf32>, tensor<8x8x3x3xf32>) -> tensor<1x8x4x6xf32>
  %gap0 = npu.opaque "lib.gap"(%conv0) : (tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32>
  %w1 = npu.constant dense<0.25> : tensor<8x8x3x3xf32>
  %conv1 = npu.conv2d %gap0, %w1 pads = [1, 1, 1, 1] data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x8x4x6xf32>, tensor<8x8x3x3xf32>) -> tensor<1x8x4x6xf32>
  %gap1 = npu.opaque "lib.gap"(%conv1) : (tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32>
  func.return %gap1 : tensor<1x8x4x6xf32>
}
