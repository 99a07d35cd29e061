// RUN: npu-opt %s --layout-optimal --certificate %t.json -o %t.mlir 2>&1 | filecheck %s --check-prefix=REMARK
// RUN: python %root/checkers/check_minimum.py %t.json | filecheck %s --check-prefix=ACCEPTED
// RUN: npu-check --certificate %t.json | filecheck %s --check-prefixes=ACCEPTED,FORMS
// RUN: sed 's/"complete":true/"complete":false/' %t.json > %t.limited.json
// RUN: not npu-check --certificate %t.limited.json | filecheck %s --check-prefixes=ACCEPTED,LIMITED
// RUN: filecheck %s --check-prefix=FILE --input-file=%t.json
// RUN: cp %s %t.program.mlir
// RUN: npu-opt %t.program.mlir --layout-optimal --certificate %t.program.json -o %t.mlir
// RUN: npu-check --certificate %t.program.json | filecheck %s --check-prefixes=ACCEPTED,FORMS
// RUN: echo >> %t.program.mlir
// RUN: not npu-check --certificate %t.program.json | filecheck %s --check-prefixes=ACCEPTED,FORMS,CHANGED
// RUN: npu-opt %s --layout-optimal=cost=count --certificate %t.json.gz -o %t.mlir 2>&1 | filecheck %s --check-prefix=COUNT
// RUN: npu-check --certificate %t.json.gz | filecheck %s --check-prefix=GZIP
// RUN: npu-opt %s --layout-optimal --certificate %t.vipr -o %t.mlir
// RUN: filecheck %s --check-prefix=VIPR --input-file=%t.vipr

// RUN: rm -rf %t.tied
// RUN: npu-opt %root/examples/ties/prefill.mlir %root/examples/ties/decode.mlir --tie prefill:output0=decode:past=decode:output1 --calls prefill=1,decode=512 --layout-optimal --certificate %t.ties.json -o %t.tied/ 2>&1 | filecheck %s --check-prefix=TIES
// RUN: npu-check --certificate %t.ties.json | filecheck %s --check-prefix=TIED
// RUN: filecheck %s --check-prefix=CALLS --input-file=%t.ties.json

// RUN: sed 's/"bound":1536/"bound":1537/' %t.json > %t.wrong.json
// RUN: not npu-check --certificate %t.wrong.json | filecheck %s --check-prefix=WRONG
// RUN: not npu-check --certificate %t.none.json 2>&1 | filecheck %s --check-prefix=MISSING
// RUN: not npu-check --certificate %s | filecheck %s --check-prefix=OTHER
// RUN: not npu-opt %s --layout-preset --certificate %t.none.json -o %t.none.mlir 2>&1 | filecheck %s --check-prefix=PRESET
// RUN: not npu-opt %s --layout-optimal --certificate %t.none.txt -o %t.none.mlir 2>&1 | filecheck %s --check-prefix=ENDING
// RUN: npu-opt %s --layout-optimal=cost=traffic --certificate %t.traffic.json -o %t.mlir 2>&1 | filecheck %s --check-prefix=TRAFFIC
// RUN: npu-check --certificate %t.traffic.json | filecheck %s --check-prefix=TRAVELS
// RUN: filecheck %s --check-prefix=GROUPS --input-file=%t.traffic.json
// RUN: not npu-opt %s --layout-optimal=cost=traffic --certificate %t.none.vipr -o %t.none.mlir 2>&1 | filecheck %s --check-prefix=GROUPED
// RUN: not npu-opt %s --layout-optimal --debug-counter layout-optimal=1 --certificate %t.none.json -o %t.none.mlir 2>&1 | filecheck %s --check-prefix=COUNTER
// RUN: not npu-opt %s --layout-optimal --certificate %t.json -o %t.json 2>&1 | filecheck %s --check-prefix=SAME
// RUN: not ls %t.none.mlir
// RUN: not ls %t.none.json

/// The remark says what the certificate proves, and two programs accept it.
// REMARK: {{.*}}.json: note: proves the minimum 1536 (bytes) for the forms of 3 ops
// ACCEPTED: accepted: minimum 1536 (ops: 3, storages: 4, nodes of the proof: 1); believed: the forms of the ops, and the prices of conversions
// COUNT: {{.*}}.json.gz: note: proves the minimum 2 (transposes) for the forms of 3 ops
// GZIP: accepted: minimum 2 (ops: 3, storages: 4, nodes of the proof: 1); believed: the forms of the ops, and the prices of conversions

/// npu-check runs the checker of the forms as well, and fails if one of the two refuses the file, or if the program of
/// the certificate has changed.
// FORMS-NEXT: accepted: no form is left out (ops: 3); believed: the facts
// CHANGED-NEXT: refused: '{{.*}}.program.mlir' is not the file that the certificate is about: its SHA-256 is another one
// LIMITED-NEXT: refused: a limit of the search has left modes out

/// Layouts are axes of the storage from the slowest to the fastest; axes of one element are left out.
// FILE: {"format":"npu-opt certificate 1","problem":{"format":"npu-opt problem 1","layouts":["[2, 3, 1]","[1, 2, 3]","[1, 2]","[2, 1]"],"tables":[],
// FILE-SAME: "storages":[{"name":"%input1","conversion":768,"given":1,"shape":[1,8,4,6],"bytes":768},

/// An integer program, of which another system checks the proof of the same minimum.
// VIPR: VER 1.1
// VIPR: RTP range 1536 1536
// VIPR-NEXT: SOL 1

/// Files with ties have one certificate, in which tied ends are one op, and code that runs several times costs as often.
// TIES: {{.*}}.ties.json: note: proves the minimum 4096 (bytes) for the forms of 5 ops
// TIED: accepted: minimum 4096 (ops: 5, storages: {{[0-9]+}}, nodes of the proof: 1); believed: the forms of the ops, and the prices of conversions
// CALLS: "calls":512

/// A step that does not hold is named.
// WRONG: refused: the proof gives the bound 1536, not 1537
// WRONG-NOT: form
// MISSING: npu-check: error: cannot read '{{.*}}.none.json': No such file or directory
// OTHER: refused: this is no certificate: JSONDecodeError: Expecting value: line 1 column 1 (char 0)

/// Of bytes that travel, conversions cost what they move at least, and groups what is paid in any case, or by some modes.
// TRAFFIC: {{.*}}.traffic.json: note: proves the minimum 6912 (bytes that travel) for the forms of 3 ops
// TRAVELS: accepted: minimum 6912 (ops: 3, storages: 4, nodes of the proof: 3); believed: the forms of the ops, and the prices of conversions and of groups
// GROUPS: "sure":2304,"joint":[{"name":"all","prices":[[1536,[[1,[0]]]]]}]

/// VIPR has no such prices; nothing is written if there is no certificate.
// GROUPED: npu-opt: error: argument --certificate: VIPR has no groups of ops, which are part of this proof: use .json
// PRESET: npu-opt: error: argument --certificate: no pass in the pipeline finds a minimum (--layout-optimal)
// ENDING: npu-opt: error: argument --certificate: expected a name that ends in .json, .json.gz or .vipr, found '{{.*}}.none.txt'
// COUNTER: error: pass 'layout-optimal' failed: there is no certificate of a part of the changes: leave --debug-counter out
// SAME: npu-opt: error: -o and --certificate both write '{{.*}}.json'

func.func @main(%input1: tensor<1x8x4x6xf32>, %input3: tensor<1x8x4x6xf32>) -> tensor<1x8x24xf32> {
  %kernel = npu.constant dense<0.125> : tensor<1x1x8x8xf32>
  %conv = npu.conv2d %input1, %kernel data_layout = <NCHW> kernel_layout = <HWOI>
    : (tensor<1x8x4x6xf32>, tensor<1x1x8x8xf32>) -> tensor<1x8x4x6xf32>
  %reshape1 = npu.reshape %conv : (tensor<1x8x4x6xf32>) -> tensor<1x8x24xf32>
  %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32>) -> tensor<1x8x24xf32>
  %add = npu.add %reshape1, %reshape2 : tensor<1x8x24xf32>
  func.return %add : tensor<1x8x24xf32>
}
