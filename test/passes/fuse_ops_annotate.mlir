// RUN: npu-opt %s --fuse-ops="annotate=true" --split-input-file | filecheck %s --check-prefix=DOM
// RUN: npu-opt %s --fuse-ops-hw="annotate=true" --fuse-ops="annotate=true" --split-input-file | filecheck %s --check-prefix=DOM
// RUN: npu-opt %s --fuse-ops-hw="annotate=true" --split-input-file | filecheck %s --check-prefix=HW
// RUN: npu-opt %s --fuse-ops="annotate=true dump=groups" --split-input-file -o %t.mlir 2>&1 | filecheck %s --check-prefix=DUMP

/// Ops of groups get the number of their group, which is that of the dump, and stay where they are. Numbers of an earlier run disappear.
// DOM-LABEL: func.func @annotated
// DOM-SAME:    (%x: tensor<1x4x4x4xf32>, %y: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
// DOM-NEXT:    %k = npu.constant dense<5.000000e-01> : tensor<4x4x1x1xf32>
// DOM-NEXT:    %two = npu.constant {npu.group = 2 : i64} dense<2.000000e+00> : tensor<f32>
// DOM-NEXT:    %a = npu.exp %x {npu.group = 2 : i64} : tensor<1x4x4x4xf32>
// DOM-NEXT:    %m = npu.mul %a, %two {npu.group = 2 : i64} : (tensor<1x4x4x4xf32>, tensor<f32>) -> tensor<1x4x4x4xf32>
// DOM-NEXT:    %conv = npu.conv2d %m, %k data_layout = <NCHW> kernel_layout = <OIHW> {npu.group = 4 : i64} : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
// DOM-NEXT:    %relu = npu.relu %conv {npu.group = 4 : i64} : tensor<1x4x4x4xf32>
// DOM-NEXT:    %sum = npu.add %relu, %y {npu.group = 4 : i64} : tensor<1x4x4x4xf32>
// DOM-NEXT:    func.return %sum : tensor<1x4x4x4xf32>
// DUMP:      %a = npu.exp(%x) group=2
// DUMP:      %conv = npu.conv2d(%m, %k) group=4
// HW-LABEL: func.func @annotated
// HW-SAME:    (%x: tensor<1x4x4x4xf32>, %y: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
// HW-NEXT:    %k = npu.constant {npu.group = 0 : i64} dense<5.000000e-01> : tensor<4x4x1x1xf32>
// HW-NEXT:    %two = npu.constant {npu.group = 0 : i64} dense<2.000000e+00> : tensor<f32>
// HW-NEXT:    %a = npu.exp %x : tensor<1x4x4x4xf32>
// HW-NEXT:    %m = npu.mul %a, %two {npu.group = 0 : i64} : (tensor<1x4x4x4xf32>, tensor<f32>) -> tensor<1x4x4x4xf32>
// HW-NEXT:    %conv = npu.conv2d %m, %k data_layout = <NCHW> kernel_layout = <OIHW> {npu.group = 0 : i64} : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
// HW-NEXT:    %relu = npu.relu %conv {npu.group = 0 : i64} : tensor<1x4x4x4xf32>
// HW-NEXT:    %sum = npu.add %relu, %y {npu.group = 0 : i64} : tensor<1x4x4x4xf32>
// HW-NEXT:    func.return %sum : tensor<1x4x4x4xf32>
func.func @annotated(%x: tensor<1x4x4x4xf32>, %y: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %k = npu.constant dense<0.5> : tensor<4x4x1x1xf32>
  %two = npu.constant dense<2.0> : tensor<f32>
  %a = npu.exp %x : tensor<1x4x4x4xf32>
  %m = npu.mul %a, %two : (tensor<1x4x4x4xf32>, tensor<f32>) -> tensor<1x4x4x4xf32>
  %conv = npu.conv2d %m, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %relu = npu.relu %conv : tensor<1x4x4x4xf32>
  %sum = npu.add %relu, %y : tensor<1x4x4x4xf32>
  func.return %sum : tensor<1x4x4x4xf32>
}
