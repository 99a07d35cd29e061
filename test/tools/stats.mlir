// RUN: npu-opt %s --canonicalize --layout-transmit --stats 2>%t.err | filecheck %s
// RUN: filecheck %s --check-prefix TABLE < %t.err
// RUN: npu-opt --canonicalize --stats %s 2>&1 >/dev/null | filecheck %s --check-prefix SHORT
// RUN: npu-opt %s --canonicalize -p cse --stats=json 2>&1 >/dev/null | filecheck %s --check-prefix JSON
// RUN: npu-opt --stats json %s 2>&1 >/dev/null | filecheck %s --check-prefix NONE
// RUN: npu-opt %S/Inputs/transposes.mlir --split-input-file --canonicalize --stats=json 2>&1 >/dev/null | filecheck %s --check-prefix SPLIT
// RUN: npu-opt %S/Inputs/transposes.mlir --split-input-file --canonicalize --stats 2>&1 >/dev/null | filecheck %s --check-prefix ASSUMED
// RUN: not npu-opt %s --stats=xml 2>&1 | filecheck %s --check-prefix FORMAT

/// The program is on stdout as always.
// CHECK:      {{\A}}builtin.module {
// CHECK-NEXT:   func.func @main
// CHECK:        npu.transpose %x permutation = [2, 1, 0]
// CHECK-NOT:  transposes

/// The transposes before and after each pass: one goes, and those that cost nothing were never counted.
// TABLE:      {{\A}}transposes and the bytes they move:
// TABLE-NEXT: {{^}}                      transposes  bytes{{$}}
// TABLE-NEXT: {{^}}  before                       2    192{{$}}
// TABLE-NEXT: {{^}}  1. canonicalize              1     96{{$}}
// TABLE-NEXT: {{^}}  2. layout-transmit           1     96{{$}}
// TABLE-NEXT: {{^}}  after                        1     96{{$}}
// TABLE-NOT:  {{.}}

/// The file after the flag is not taken for its format.
// SHORT: 1. canonicalize

/// For programs to read, all of it is one line.
// JSON:     {{\A}}{"before": {"transposes": 2, "bytes": 192}, "after": {"transposes": 1, "bytes": 96}, "passes": [{"name": "canonicalize", "transposes": 1, "bytes": 96}, {"name": "cse", "transposes": 1, "bytes": 96}]}{{$}}
// JSON-NOT: {{.}}

// NONE:     {{\A}}{"before": {"transposes": 2, "bytes": 192}, "after": {"transposes": 2, "bytes": 192}, "passes": []}{{$}}
// NONE-NOT: {{.}}

/// The pieces of a split file are added up; if the size of a tensor is unknown, the text calls the figure a guess.
// SPLIT:     {{\A}}{"before": {"transposes": 3, "bytes": 1553, "assumed_size": 64}, "after": {"transposes": 2, "bytes": 785, "assumed_size": 64}, "passes": [{"name": "canonicalize", "transposes": 2, "bytes": 785, "assumed_size": 64}]}{{$}}
// SPLIT-NOT: {{.}}
// ASSUMED:      {{^}}  before                    3  ~1553{{$}}
// ASSUMED-NEXT: {{^}}  1. canonicalize           2   ~785{{$}}
// ASSUMED-NEXT: {{^}}  after                     2   ~785{{$}}

// FORMAT: npu-opt: error: argument --stats: expected nothing or json, found 'xml'

func.func @main(%x: tensor<2x3x4xf32>) -> (tensor<4x3x2xf32>, tensor<3x2xf32>, tensor<1x3x1xf32>) {
  %a = npu.transpose %x permutation = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %b = npu.transpose %a permutation = [1, 0, 2] : (tensor<3x4x2xf32>) -> tensor<4x3x2xf32>
  %c = npu.constant dense<1.0> : tensor<2x3xf32>
  %d = npu.transpose %c permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %e = npu.constant dense<1.0> : tensor<3x1x1xf32>
  %f = npu.transpose %e permutation = [1, 0, 2] : (tensor<3x1x1xf32>) -> tensor<1x3x1xf32>
  func.return %b, %d, %f : tensor<4x3x2xf32>, tensor<3x2xf32>, tensor<1x3x1xf32>
}
