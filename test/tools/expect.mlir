// RUN: npu-opt %s --expect-transposes=2 --expect-bytes=1536 | filecheck %s --check-prefix ENOUGH
// RUN: echo old > %t.mlir
// RUN: not npu-opt %s --canonicalize --expect-transposes=0 -o %t.mlir 2>%t.err
// RUN: filecheck %s < %t.err
// RUN: filecheck %s --check-prefix OLD < %t.mlir
// RUN: not npu-opt %s --expect-bytes=767 >%t.stdout 2>%t.err
// RUN: test ! -s %t.stdout
// RUN: filecheck %s --check-prefix BYTES < %t.err
// RUN: not npu-opt %s --expect-transposes=1 --expect-bytes=1 --stats=json 2>&1 | filecheck %s --check-prefix STATS
// RUN: not npu-opt %S/Inputs/transposes.mlir --split-input-file --expect-bytes=1552 2>&1 | filecheck %s --check-prefix SPLIT

/// As many as were expected are no reason to fail.
// ENOUGH: npu.transpose %b permutation = [0, 1, 3, 2]

/// More are an error, which names them with their reasons; the file that was there stays.
// CHECK:      {{\A}}{{.*}}expect.mlir: error: expected at most 0 transposes, found 1
// CHECK-NEXT: {{.*}}expect.mlir:[[# @LINE + 18]]:8: note: transpose NHWC to NCHW by [0, 3, 2, 1] of 1x4x6x8 (768 bytes): my-pass: output 0 of @main keeps NCHW
// CHECK-NOT:  {{.}}
// OLD: {{\A}}old

// BYTES:      {{.*}}expect.mlir: error: expected at most 767 bytes moved, found 1536
// BYTES-NEXT: {{.*}}expect.mlir:[[# @LINE + 13]]:8: note: transpose NHWC to NCHW of 1x4x6x8 (768 bytes)
// BYTES-NEXT: model.py:7:1: note: transpose NCHW to NCHW by [0, 1, 3, 2] of 1x8x4x6 (768 bytes): my-pass: output 0 of @main keeps NCHW
// BYTES-NOT:  {{.}}

/// Both may be expected, and an account be asked for besides.
// STATS:      {"before": {"transposes": 2, "bytes": 1536}, "after": {"transposes": 2, "bytes": 1536}, "passes": []}
// STATS-NEXT: {{.*}}expect.mlir: error: expected at most 1 transpose, found 2, and at most 1 byte moved, found 1536

/// All pieces of a file count together; what is known of unknown sizes is a guess.
// SPLIT: {{.*}}transposes.mlir: error: expected at most 1552 bytes moved, found ~1553

func.func @main(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>, %k: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>> {
  %conv = npu.conv2d %x, %k : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %b = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %d = npu.transpose %b permutation = [0, 1, 3, 2] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>> loc("my-pass: output 0 of @main keeps NCHW"("model.py":7:1))
  func.return %d : tensor<1x8x6x4xf32, #npu.layout<NCHW>>
}
