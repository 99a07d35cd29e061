// REQUIRES: onnx
// RUN: npu-opt %s --layout-optimal --canonicalize -o %t.onnx 2>&1 | filecheck %s
// RUN: npu-opt %t.onnx -o - | filecheck %s --check-prefix=MODEL
// RUN: npu-check %s %t.onnx
// RUN: npu-opt %s --target=opu --layout-optimal --canonicalize -o %t.opu.onnx 2>&1 | filecheck %s --check-prefix=OPU
// RUN: npu-opt %s --layout-optimal --canonicalize --expect-transposes=1 -o %t.most.onnx 2>&1 | filecheck %s
// RUN: not npu-opt %s --layout-optimal --canonicalize --expect-transposes=0 -o %t.few.onnx 2>&1 | filecheck %s --check-prefix=FEW
// RUN: not ls %t.few.onnx
// RUN: not npu-opt %s --target=opu --layout-optimal --canonicalize --expect-transposes=2 -o %t.few.onnx 2>&1 | filecheck %s --check-prefix=GATE
// RUN: not ls %t.few.onnx

/// The target of a model is `onnx`, whose convolutions are in NCHW: what the pass counts is what the file has. The
/// transpose of one channel moves no data and is a Reshape.
// CHECK: {{.*}}.onnx: note: 1 Transpose in the file, of 4096 bytes
// MODEL: func.func @main
// MODEL-COUNT-1: npu.transpose
// MODEL-NOT: npu.transpose
/// Around each convolution in NHWC the exporter puts two Transposes: the note says so, and the gate counts the file.
// OPU: {{.*}}.onnx: note: 3 Transposes in the file, of 12288
// OPU-SAME: bytes; 2 of them only because ONNX lacks the layouts of these ops (run: npu-opt -O --target=onnx {{.*}}
// FEW: error: expected at most 0 transposes, found 1 in the file
// GATE: error: expected at most 2 transposes, found 3 in the file
func.func @main(%x: tensor<1x4x16x16xf32>, %k: tensor<4x4x1x1xf32>, %m: tensor<1x4x4x1xf32>)
    -> (tensor<1x16x16x4xf32>, tensor<1x4x4x1xf32>, tensor<1x1x4x4xf32>) {
  %a = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x4x16x16xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x16x16xf32>
  %r = npu.relu %a : tensor<1x4x16x16xf32>
  %s = npu.conv2d %r, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x4x16x16xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x16x16xf32>
  %b = npu.transpose %s permutation = [0, 2, 3, 1] : (tensor<1x4x16x16xf32>) -> tensor<1x16x16x4xf32>
  %c = npu.exp %m : tensor<1x4x4x1xf32>
  %d = npu.transpose %c permutation = [0, 3, 1, 2] : (tensor<1x4x4x1xf32>) -> tensor<1x1x4x4xf32>
  return %b, %c, %d : tensor<1x16x16x4xf32>, tensor<1x4x4x1xf32>, tensor<1x1x4x4xf32>
}
