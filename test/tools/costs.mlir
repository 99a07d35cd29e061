// RUN: npu-opt %s --target=%S/../targets/Inputs/costs.toml --layout-optimal --why=soft --remarks --stats --expect-cost=22947.6 -o %t.mlir 2>&1 | filecheck %s
// RUN: npu-opt %s --target=%S/../targets/Inputs/costs.toml --layout-optimal --remarks=json --stats=json -o %t.mlir 2>&1 | filecheck %s --check-prefix JSON
// RUN: npu-opt %s --target=%S/../targets/Inputs/costs.toml --layout-optimal="cost=bytes" --stats -o %t.mlir 2>&1 | filecheck %s --check-prefix BYTES
// RUN: echo old > %t.mlir
// RUN: not npu-opt %s --layout-optimal="target=%S/../targets/Inputs/costs.toml" --expect-transposes=1 --expect-cost=22947.599 -o %t.mlir 2>%t.err
// RUN: filecheck %s --check-prefix MORE < %t.err
// RUN: filecheck %s --check-prefix OLD < %t.mlir
// RUN: not npu-opt %s --layout-optimal --expect-cost=1 2>&1 | filecheck %s --check-prefix NONE
// RUN: not npu-opt %s --expect-cost=1e3 2>&1 | filecheck %s --check-prefix WRONG
// RUN: npu-opt %s --target=%S/../targets/Inputs/costs.toml --layout-optimal -o %t.onnx 2>&1 | filecheck %s --check-prefix FILE

/// A softmax that costs less over the last axis is worth two transposes: 2 x 0.7 x 16384 + 10, instead of 2 x 16384.
// CHECK:      layout-optimal: %soft is stored in NHWC instead of NCHW
// CHECK-NEXT:   because %soft softmax costs less with its axis last (costs.toml:22)
// CHECK-NEXT:   transposed for %r relu (16384 bytes), because output 0 of @main keeps NCHW (through %r relu), but %soft softmax costs less with its axis last (costs.toml:22)
// CHECK-NEXT:   in all: 2 transposes, 32768 bytes, 22947.6 ns: proved minimum
// CHECK-NEXT:   with output 0 of @main stored as NHWC (--interface=output0:NHWC): 2 to 1 transposes, 32768 to 16384 bytes, 22947.6 to 11478.8 ns
// CHECK-NEXT: layout-optimal: 2 transposes, 32768 bytes, 22947.6 ns: proved minimum
// CHECK-NEXT: {{.*}}costs.mlir:[[# @LINE + 30]]:11: remark: inserted transpose NCHW to NHWC of 1x16x16x16 (16384 bytes, 11468.8 ns) by layout-optimal: %soft softmax costs less with its axis last (costs.toml:22), but argument %x is NCHW
// CHECK-NEXT: {{.*}}costs.mlir:[[# @LINE + 30]]:8: remark: inserted transpose NHWC to NCHW of 1x16x16x16 (16384 bytes, 11468.8 ns) by layout-optimal: output 0 of @main keeps NCHW (through %r relu), but %soft softmax costs less with its axis last (costs.toml:22)
// CHECK-NEXT: transposes and the bytes they move:
// CHECK-NEXT:                      transposes  bytes  cost in ns
// CHECK-NEXT:   before                      0      0       32768
// CHECK-NEXT:   1. layout-optimal           2  32768     22947.6
// CHECK-NEXT:   after                       2  32768     22947.6
// CHECK-NOT:  {{.}}

// JSON:      "bytes": 16384, "cost": 11468.8, "unit": "ns", "not_counted": null
// JSON:      {"before": {"transposes": 0, "bytes": 0, "cost": 32768, "unit": "ns"}, "after": {"transposes": 2, "bytes": 32768, "cost": 22947.6, "unit": "ns"}, "passes": [{"name": "layout-optimal", "transposes": 2, "bytes": 32768, "cost": 22947.6, "unit": "ns"}]}

/// The costs are shown as well where the bytes are minimised.
// BYTES: 1. layout-optimal           0      0       32768

/// A gate for the cost, to thousandths of the unit; the file that was there stays.
// MORE:      {{.*}}costs.mlir: error: expected at most 1 transpose, found 2, and a cost of at most 22947.599 ns, found 22947.6
// MORE-NEXT: {{.*}}note: transpose NCHW to NHWC of 1x16x16x16 (16384 bytes, 11468.8 ns): layout-optimal: %soft softmax costs less with its axis last (costs.toml:22), but argument %x is NCHW
// MORE-NEXT: {{.*}}note: transpose NHWC to NCHW of 1x16x16x16 (16384 bytes, 11468.8 ns): layout-optimal: {{.*}}
// MORE-NOT:  {{.}}
// OLD:       {{\A}}old

/// Without costs there is nothing to expect.
// NONE:      {{\A}}npu-opt: error: argument --expect-cost: no target of this run has costs ([costs] in its file)
// WRONG:     argument --expect-cost: expected a number such as 4200 or 0.125, found '1e3'

/// The note about a model has the cost of the program, in which ops count, too.
// FILE:      {{.*}}.onnx: note: 2 Transposes in the file, of 32768 bytes; the program costs 22947.6 ns

func.func @main(%x: tensor<1x16x16x16xf32, #npu.layout<NCHW>>) -> tensor<1x16x16x16xf32, #npu.layout<NCHW>> {
  %soft = npu.softmax %x axis = 1 : tensor<1x16x16x16xf32, #npu.layout<NCHW>>
  %r = npu.relu %soft : tensor<1x16x16x16xf32, #npu.layout<NCHW>>
  return %r : tensor<1x16x16x16xf32, #npu.layout<NCHW>>
}
