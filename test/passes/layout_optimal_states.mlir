// RUN: npu-opt %s --layout-optimal=interface=free --canonicalize --verify-layouts | filecheck %s
// RUN: npu-opt %s --layout-optimal=interface=free --layout-optimal=interface=free --canonicalize | filecheck %s
// RUN: npu-opt %s --layout-optimal=interface=free 2>&1 | filecheck %s --check-prefix NOTE
// RUN: npu-opt %s --layout-optimal='interface="free,present.0.key:free"' --canonicalize | filecheck %s --check-prefix APART
// RUN: npu-opt %s --layout-optimal --canonicalize | filecheck %s --check-prefix KEPT
// RUN: npu-opt %s --layout-optimal --what-if 2>&1 | filecheck %s --check-prefix WHATIF

/// With a free interface the state that a step takes and returns has one order, at the cost of a transpose.
// CHECK:      func.func @step({{.*}}%past: tensor<1x8x64x16xf32, #npu.layout<NTensor, [0, 1, 3, 2]>> {onnx.name = "past_key_values.0.key", npu.tie = "past_key_values.0.key=present.0.key", npu.interface = "NTensor, [0, 1, 3, 2] (was NTensor)"}
// CHECK-SAME: -> ({{.*}}tensor<1x8x64x16xf32, #npu.layout<NTensor, [0, 1, 3, 2]>> {onnx.name = "present.0.key", npu.tie = "past_key_values.0.key=present.0.key", npu.interface = "NTensor, [0, 1, 3, 2] (was NTensor)"}
// CHECK:        %made_1 = npu.transpose %made permutation = [0, 2, 3, 1]

/// The note says how to leave it apart.
// NOTE: note: layout-optimal: past_key_values.0.key = present.0.key: tied, as the state of the next call (apart with --interface=free,present.0.key:free)

/// An end that is free by its name has the order that is best for it alone.
// APART:      func.func @step({{.*}}%past: tensor<1x8x64x16xf32, #npu.layout<NTensor, [0, 1, 3, 2]>> {onnx.name = "past_key_values.0.key", npu.interface = "NTensor, [0, 1, 3, 2] (was NTensor)"}
// APART-SAME: -> ({{.*}}tensor<1x16x8x64xf32, #npu.layout<NTensor, [0, 2, 1, 3]>> {onnx.name = "present.0.key", npu.interface = "NTensor, [0, 2, 1, 3] (was NTensor)"}
// APART-NOT:    npu.transpose

/// A state that is kept has no tie, and neither have a value of another type and one of another name.
// KEPT-NOT: npu.tie
// WHATIF: with the best layouts of all arguments and results (--interface=free): 2 to 1 transposes, 65536 to 32768 bytes
func.func @step(
    %q: tensor<1x8x1x64xf32>, %past: tensor<1x8x16x64xf32> {onnx.name = "past_key_values.0.key"},
    %new: tensor<1x16x8x64xf32>, %other: tensor<1x8x16x64xf32> {onnx.name = "past_key_values.0.value"}
) -> (
    tensor<1x8x1x16xf32>, tensor<1x8x16x64xf32> {onnx.name = "present.0.key"}, tensor<1x8x16x64xi1> {onnx.name = "present.0.value"}
) {
  %t = npu.transpose %past permutation = [0, 1, 3, 2] : (tensor<1x8x16x64xf32>) -> tensor<1x8x64x16xf32>
  %scores = npu.matmul %q, %t : (tensor<1x8x1x64xf32>, tensor<1x8x64x16xf32>) -> tensor<1x8x1x16xf32>
  %w = npu.constant dense<0.5> : tensor<1x16x64x64xf32>
  %made = npu.matmul %new, %w : (tensor<1x16x8x64xf32>, tensor<1x16x64x64xf32>) -> tensor<1x16x8x64xf32>
  %present = npu.transpose %made permutation = [0, 2, 1, 3] : (tensor<1x16x8x64xf32>) -> tensor<1x8x16x64xf32>
  %is_more = npu.greater %other, %other : (tensor<1x8x16x64xf32>, tensor<1x8x16x64xf32>) -> tensor<1x8x16x64xi1>
  func.return %scores, %present, %is_more : tensor<1x8x1x16xf32>, tensor<1x8x16x64xf32>, tensor<1x8x16x64xi1>
}
