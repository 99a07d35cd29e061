// REQUIRES: litert
// RUN: npu-opt %S/Inputs/branch.mlir --layout-optimal -o %t.tflite 2>&1 | filecheck %s --check-prefix PLACED
// RUN: npu-opt %S/Inputs/branch.mlir --layout-transmit -o %t.tflite 2>&1 | filecheck %s --check-prefix KEPT
// RUN: not npu-opt %S/Inputs/gradient.mlir -o %t.none.tflite 2>&1 | filecheck %s --check-prefix REFUSED
// RUN: not ls %t.none.tflite
// RUN: not npu-opt %S/Inputs/branch.mlir -t litert 2>&1 | filecheck %s --check-prefix NOFILE
// RUN: npu-opt %S/Inputs/between_reshapes.mlir -o %t.between.tflite
// RUN: npu-opt %t.between.tflite | filecheck %s --check-prefix RESHAPES
// RUN: npu-check %S/Inputs/between_reshapes.mlir %t.between.tflite | filecheck %s --check-prefix PROVED
// RUN: npu-opt %S/Inputs/by_turns.mlir -o %t.turns.tflite
// RUN: npu-opt %t.turns.tflite | filecheck %s --check-prefix TURNS
// RUN: npu-check %S/Inputs/by_turns.mlir %t.turns.tflite | filecheck %s --check-prefix PROVED
// RUN: not npu-opt %S/Inputs/by_turns_unknown.mlir -o %t.none.tflite 2>&1 | filecheck %s --check-prefix UNKNOWN
// RUN: npu-opt %S/Inputs/around_transposes.mlir -o %t.around.tflite
// RUN: npu-opt %t.around.tflite | filecheck %s --check-prefix TRANSPOSES
// RUN: npu-opt %S/Inputs/around_transposes.mlir -t "litert{integers-only=true}" -o %t.npu.tflite
// RUN: npu-opt %t.npu.tflite | filecheck %s --check-prefix NEIGHBOURS
// RUN: npu-check %S/Inputs/around_transposes.mlir %t.npu.tflite | filecheck %s --check-prefix PROVED
// RUN: npu-check %S/Inputs/around_transposes.mlir %t.around.tflite | filecheck %s --check-prefix PROVED

/// The file is placed for LiteRT's own ops unless --target says otherwise, and its transposes are counted.
// PLACED: {{.*}}.tflite: note: 2 TRANSPOSEs in the file, of 1536 bytes

/// A program in orders that LiteRT does not have has transposes around those ops.
// KEPT: {{.*}}.tflite: note: 2 TRANSPOSEs in the file, of 1536 bytes; 2 of them only because LiteRT lacks the layouts of these ops (run: npu-opt -O --target=litert {{.*}}branch.mlir -o {{.*}}.tflite)

/// An op without a counterpart is an error at its place, and no file is written.
// REFUSED: {{.*}}gradient.mlir:3:{{[0-9]+}}: error: 'npu.conv2d_bpw' has no counterpart in LiteRT

/// A model is not text.
// NOFILE: error: a model is not text: choose a file with -o model.tflite

/// Ops that compute each element by itself work in the shape before the reshape above them, if another one is behind.
// RESHAPES:      func.func @main
// RESHAPES-NEXT: %{{.*}} = npu.sigmoid %input0 : tensor<1x1x4x6xf32>
// RESHAPES-NEXT: %{{.*}} = npu.constant dense<5.000000e-01> : tensor<f32>
// RESHAPES-NEXT: %output0 = npu.mul %{{.*}}, %{{.*}} : (tensor<f32>, tensor<1x1x4x6xf32>) -> tensor<1x1x4x6xf32>
// RESHAPES-NEXT: %{{.*}} = npu.tanh %input0 : tensor<1x1x4x6xf32>
// RESHAPES-NEXT: %output1 = npu.reshape %{{.*}} : (tensor<1x1x4x6xf32>) -> tensor<24xf32>

/// Others keep their reshapes: a sum of two tensors, and a softmax, which has an axis.
// RESHAPES-NEXT: %{{.*}} = npu.reshape %input0 : (tensor<1x1x4x6xf32>) -> tensor<4x6xf32>
// RESHAPES-NEXT: %{{.*}} = npu.add %{{.*}}, %input1 : tensor<4x6xf32>
// RESHAPES-NEXT: %output2 = npu.reshape %{{.*}} : (tensor<4x6xf32>) -> tensor<24xf32>
// RESHAPES-NEXT: %{{.*}} = npu.reshape %input1 : (tensor<4x6xf32>) -> tensor<3x8xf32>
// RESHAPES-NEXT: %{{.*}} = npu.exp %{{.*}} : tensor<3x8xf32>
// RESHAPES-NEXT: %{{.*}} = npu.softmax %{{.*}} axis = 1 : tensor<3x8xf32>
// RESHAPES-NEXT: %output3 = npu.reshape %{{.*}} : (tensor<3x8xf32>) -> tensor<24xf32>

/// Kernels repeat axes of up to four. An operand with more that are repeated by turns is repeated along one of them before.
// TURNS:      func.func @main
// TURNS-NEXT: %[[repeated:.*]] = npu.broadcast %input1 axes = [0, 1, 2, 3, 4] : (tensor<3x1x2x1x4xf32>) -> tensor<3x5x2x1x4xf32>
// TURNS-NEXT: %[[left:.*]] = npu.reshape %input0 : (tensor<3x5x2x6x4xf32>) -> tensor<30x6x4xf32>
// TURNS-NEXT: %[[right:.*]] = npu.reshape %[[repeated]] : (tensor<3x5x2x1x4xf32>) -> tensor<30x1x4xf32>
// TURNS-NEXT: %[[sum:.*]] = npu.add %[[left]], %[[right]] : (tensor<30x6x4xf32>, tensor<30x1x4xf32>) -> tensor<30x6x4xf32>
// TURNS-NEXT: %output0 = npu.reshape %[[sum]] : (tensor<30x6x4xf32>) -> tensor<3x5x2x6x4xf32>

/// Axes of unknown sizes are not repeated.
// UNKNOWN: {{.*}}by_turns_unknown.mlir:2:{{[0-9]+}}: error: LiteRT's ADD does not broadcast 5 axes

/// A transpose between two reshapes has the axes of one element that the second one adds.
// TRANSPOSES:      func.func @main
// TRANSPOSES-NEXT: %{{.*}} = npu.reshape %input0 : (tensor<1x6x8xf32>) -> tensor<1x6x2x4xf32>
// TRANSPOSES-NEXT: %output0 = npu.transpose %{{.*}} permutation = [0, 2, 1, 3] : (tensor<1x6x2x4xf32>) -> tensor<1x2x6x4xf32>
// TRANSPOSES-NEXT: %output1 = npu.transpose %input1 permutation = [0, 2, 1, 3] : (tensor<1x6x2x4xf32>) -> tensor<1x2x6x4xf32>

/// One that splits an axis stays behind the transpose.
// TRANSPOSES-NEXT: %{{.*}} = npu.reshape %input0 : (tensor<1x6x8xf32>) -> tensor<6x8xf32>
// TRANSPOSES-NEXT: %{{.*}} = npu.transpose %{{.*}} permutation = [1, 0] : (tensor<6x8xf32>) -> tensor<8x6xf32>
// TRANSPOSES-NEXT: %output2 = npu.reshape %{{.*}} : (tensor<8x6xf32>) -> tensor<4x6x2xf32>
// TRANSPOSES-NEXT: %output3 = npu.transpose %input1 permutation = [0, 3, 1, 2] : (tensor<1x6x2x4xf32>) -> tensor<1x4x6x2xf32>

/// For an NPU, neighbours that stay together are one axis.
// NEIGHBOURS:      %[[merged:.*]] = npu.reshape %input1 : (tensor<1x6x2x4xf32>) -> tensor<12x4xf32>
// NEIGHBOURS-NEXT: %[[moved:.*]] = npu.transpose %[[merged]] permutation = [1, 0] : (tensor<12x4xf32>) -> tensor<4x12xf32>
// NEIGHBOURS-NEXT: %output3 = npu.reshape %[[moved]] : (tensor<4x12xf32>) -> tensor<1x4x6x2xf32>

/// And the mean of rows is one of a matrix.
// NEIGHBOURS-NEXT: %[[rows:.*]] = npu.reshape %input1 : (tensor<1x6x2x4xf32>) -> tensor<12x4xf32>
// NEIGHBOURS-NEXT: %[[mean:.*]] = npu.reduce_mean %[[rows]] axes = [1] keep : (tensor<12x4xf32>) -> tensor<12x1xf32>
// NEIGHBOURS-NEXT: %output4 = npu.reshape %[[mean]] : (tensor<12x1xf32>) -> tensor<1x6x2x1xf32>

/// The files are proved to compute the same.
// PROVED: proved: {{.*}}.mlir and {{.*}}.tflite compute the same
