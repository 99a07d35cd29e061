// RUN: not npu-check - - < %s 2>&1 | filecheck %s --check-prefix TWO-CHECK --match-full-lines
// RUN: not npu-report - - -o %t.html < %s 2>&1 | filecheck %s --check-prefix TWO-REPORT --match-full-lines
// RUN: not npu-run - --compare - < %s 2>&1 | filecheck %s --check-prefix TWO-COMPARED --match-full-lines
// RUN: not npu-opt %s %s 2>&1 | filecheck %s --check-prefix FILES
// RUN: not npu-opt %s --stats yaml 2>&1 | filecheck %s --check-prefix WORD --match-full-lines
// RUN: not npu-opt %s -t tflite 2>&1 | filecheck %s --check-prefix ENDING --match-full-lines
// RUN: not npu-opt %s -t mermaud 2>&1 | filecheck %s --check-prefix NEAR --match-full-lines

/// A mistake on the command line is answered by what to do.
// TWO-CHECK:  npu-check: error: standard input (-) is one program: give the other one as a file
// TWO-REPORT: npu-report: error: standard input (-) is one program: give the other one as a file
// TWO-COMPARED:    npu-run: error: standard input (-) is one program: give the other one as a file
// FILES:      npu-opt: error: unrecognized arguments: {{.*}}mistakes.mlir (one file too many, or a word that no flag before it takes)
// WORD:       npu-opt: error: unrecognized arguments: yaml (one file too many, or a word that no flag before it takes)
// ENDING:     npu-opt: error: argument -t/--emit: no output format 'tflite' (did you mean 'litert'?)
// NEAR:       npu-opt: error: argument -t/--emit: no output format 'mermaud' (did you mean 'mermaid'?)

func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  func.return %x : tensor<2x3xf32>
}
