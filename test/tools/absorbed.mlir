// RUN: npu-opt %s --target=plover --layout-optimal --fuse-ops-hw --stats -o %t.mlir 2>&1 | filecheck %s --check-prefix=TABLE
// RUN: npu-opt %s --target=plover --layout-optimal --fuse-ops-hw="annotate=true" --stats=json -o %t.mlir 2>&1 | filecheck %s --check-prefix=JSON
// RUN: not npu-opt %s --target=plover --layout-optimal --fuse-ops-hw --expect-transposes=2 -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=EXPECTED
// RUN: npu-opt %s --target=plover --layout-optimal="cost=traffic" --what-if -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=WHAT-IF

/// Behind a fusion pass, the transposes in groups with other ops are counted; that of %y is a group of its own.
// TABLE:      {{\A}}layout-optimal: 3 transposes, 288 bytes: proved minimum
// TABLE-NEXT: {{^}}transposes and the bytes they move:
// TABLE-NEXT: {{^}}                     transposes  bytes  absorbed{{$}}
// TABLE-NEXT: {{^}}  before                      1     96         0{{$}}
// TABLE-NEXT: {{^}}  1. layout-optimal           3    288         0{{$}}
// TABLE-NEXT: {{^}}  2. fuse-ops-hw              3    288         2{{$}}
// TABLE-NEXT: {{^}}  after                       3    288         2{{$}}
// TABLE-NOT:  {{.}}
// JSON:       {"name": "fuse-ops-hw", "transposes": 3, "bytes": 288, "absorbed": 2}]}{{$}}
// EXPECTED:      {{.*}}/absorbed.mlir: error: expected at most 2 transposes, found 3
// EXPECTED-NEXT: {{.*}}/absorbed.mlir:28:8: note: transpose NHWC to NCHW of 1x6x1x4 (96 bytes)
// EXPECTED-NEXT: {{.*}}/absorbed.mlir:25:11: note: transpose NHWC to NCHW of 1x6x1x4 (96 bytes, absorbed by its group): layout-optimal: %conv conv2d demands NCHW of data (plover.toml:19), but argument %x is NHWC

/// Changes are measured in bytes that travel, if these are minimised.
// WHAT-IF:      what if: 3 transposes (2 absorbed), 288 bytes, 384 bytes travel; the changes are ranked by the bytes that travel
// WHAT-IF-NEXT:   with the best layouts of all arguments and results (--interface=free): 3 to 0 transposes, 288 to 0 bytes, 384 to 192 bytes travel
func.func @main(%x: tensor<1x6x1x4xf32, #npu.layout<NHWC>>, %y: tensor<1x6x1x4xf32, #npu.layout<NHWC>>) -> (tensor<1x6x1x4xf32, #npu.layout<NHWC>>, tensor<1x4x6x1xf32, #npu.layout<NCHW>>) {
  %kernel = npu.constant dense<0.5> : tensor<4x4x1x1xf32, #npu.layout<OIHW>>
  %conv = npu.conv2d %x, %kernel
    : (tensor<1x6x1x4xf32, #npu.layout<NHWC>>, tensor<4x4x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x6x1x4xf32, #npu.layout<NHWC>>
  %sum = npu.add %conv, %x : tensor<1x6x1x4xf32, #npu.layout<NHWC>>
  %z = npu.transpose %y permutation = [0, 3, 1, 2] : (tensor<1x6x1x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x1xf32, #npu.layout<NCHW>>
  func.return %sum, %z : tensor<1x6x1x4xf32, #npu.layout<NHWC>>, tensor<1x4x6x1xf32, #npu.layout<NCHW>>
}
