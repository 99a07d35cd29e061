// RUN: npu-opt %s --layout-optimal --canonicalize --report %t.html | filecheck %s
// RUN: filecheck %s --check-prefix PAGE < %t.html
// RUN: npu-report %s -o %t.one.html
// RUN: filecheck %s --check-prefix ONE < %t.one.html
// RUN: not npu-opt %s --report= 2>&1 | filecheck %s --check-prefix EMPTY
// RUN: not npu-report %s 2>&1 | filecheck %s --check-prefix OUTPUT
// RUN: not npu-report %s %S/missing.mlir -o %t.two.html 2>&1 | filecheck %s --check-prefix MISSING

/// The program is printed as without the report.
// CHECK:      func.func @main
// CHECK-NEXT: npu.transpose %x permutation = [0, 2, 3, 1]

/// The page says what is proved, and why each transpose is there.
// PAGE: <title>report.mlir for opu</title>
// PAGE: ["minimum","proved minimum of bytes; the input program is not in the layouts that the target demands"],["proof","proved: the program computes the same as before"]
// PAGE-SAME: "transposes":2,"bytes":1536
// PAGE-SAME: "notes":["layout-optimal: %y conv2d demands NHWC of data (opu.toml:21), but argument %x is NCHW"]

/// A program by itself.
// ONE: <title>report.mlir</title>
// ONE: "transposes":0,"bytes":0

// EMPTY: npu-opt: error: argument --report: expected a file name, found ''
// OUTPUT: npu-report: error: the following arguments are required: -o/--output-file
// MISSING: missing.mlir: error: cannot read: No such file or directory
func.func @main(%x: tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32> {
  %k = npu.constant dense<0.5> : tensor<1x1x8x8xf32>
  %y = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <HWOI>
    : (tensor<1x8x4x6xf32>, tensor<1x1x8x8xf32>) -> tensor<1x8x4x6xf32>
  func.return %y : tensor<1x8x4x6xf32>
}
