// RUN: npu-opt %s --fuse-ops-hw --split-input-file | filecheck %s --check-prefix MANY
// RUN: npu-opt %s --fuse-ops-hw="single=true" --inline-fused --split-input-file | filecheck %s --check-prefix MANY
// RUN: npu-opt %s --fuse-ops-hw="single=true" --split-input-file | filecheck %s --check-prefix SINGLE
// RUN: npu-opt %s --fuse-ops-hw="single=true" --fuse-ops-hw="single=true" --split-input-file | filecheck %s --check-prefix SINGLE
// RUN: npu-opt %s --fuse-ops-hw="annotate=true" --split-input-file | filecheck %s --check-prefix NUMBER

/// No stage runs the softmax. The relu is a group of one op: with `single` a function, and with a number where groups are only numbered.
// MANY-LABEL: func.func @single(
// MANY-SAME:    %x: tensor<1x8xf32>) -> tensor<1x8xf32> {
// MANY-NEXT:    %r = npu.relu %x : tensor<1x8xf32>
// MANY-NEXT:    %s = npu.softmax %r axis = 1 : tensor<1x8xf32>
// MANY-NEXT:    func.return %s : tensor<1x8xf32>
// MANY-NEXT:  }
// SINGLE-LABEL: func.func @single(
// SINGLE-SAME:    %x: tensor<1x8xf32>) -> tensor<1x8xf32> {
// SINGLE-NEXT:    %r = func.call @fused_relu(%x) : (tensor<1x8xf32>) -> tensor<1x8xf32>
// SINGLE-NEXT:    %s = npu.softmax %r axis = 1 : tensor<1x8xf32>
// SINGLE-NEXT:    func.return %s : tensor<1x8xf32>
// SINGLE-NEXT:  }
// SINGLE-LABEL: func.func private @fused_relu(
// SINGLE-SAME:    %x: tensor<1x8xf32>) -> tensor<1x8xf32> attributes {npu.primitive} {
// SINGLE-NEXT:    %r = npu.relu %x : tensor<1x8xf32>
// SINGLE-NEXT:    func.return %r : tensor<1x8xf32>
// SINGLE-NEXT:  }
// NUMBER-LABEL: func.func @single(
// NUMBER-SAME:    %x: tensor<1x8xf32>) -> tensor<1x8xf32> {
// NUMBER-NEXT:    %r = npu.relu %x {npu.group = 0 : i64} : tensor<1x8xf32>
// NUMBER-NEXT:    %s = npu.softmax %r axis = 1 : tensor<1x8xf32>
// NUMBER-NEXT:    func.return %s : tensor<1x8xf32>
// NUMBER-NEXT:  }
func.func @single(%x: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %r = npu.relu %x : tensor<1x8xf32>
  %s = npu.softmax %r axis = 1 : tensor<1x8xf32>
  func.return %s : tensor<1x8xf32>
}
