// RUN: rm -rf %t && mkdir -p %t
// RUN: npu-opt %s -o %t/x.mlir && filecheck %s --check-prefix MLIR < %t/x.mlir
// RUN: npu-opt %s -o %t/x.dot && filecheck %s --check-prefix DOT < %t/x.dot
// RUN: npu-opt %s -o %t/x.mmd && filecheck %s --check-prefix MERMAID < %t/x.mmd
// RUN: npu-opt %s -o %t/noending && filecheck %s --check-prefix MLIR < %t/noending
// RUN: npu-opt %s -t mlir -o %t/x.dot && filecheck %s --check-prefix MLIR < %t/x.dot
// RUN: not npu-opt %s -o %t/x.json 2>&1 | filecheck %s --check-prefix JSON
// RUN: not npu-opt %s -o %t/x.xyz 2>&1 | filecheck %s --check-prefix UNKNOWN
// RUN: not npu-opt %s -o "" 2>&1 | filecheck %s --check-prefix EMPTY
// RUN: not npu-opt -f tsoa %s 2>&1 | filecheck %s --check-prefix FRONTEND

/// The ending of the output file chooses the format; -t overrides it. All other endings are errors.
func.func private @f()

// MLIR:    func.func private @f()
// DOT:     digraph program {
// MERMAID: flowchart TB

// JSON:    npu-opt: error: cannot write '{{.*}}x.json': -t model-explorer writes a graph as JSON, --stats=json and --remarks=json print JSON to stderr
// UNKNOWN: npu-opt: error: cannot write '{{.*}}x.xyz': '.xyz' is the ending of no output format (.dot, .mlir, .mmd, .onnx, .pt2, .svg, .tflite); -t chooses one for any name
// EMPTY:   npu-opt: error: argument -o/--output-file: expected a file name, found ''
// FRONTEND: npu-opt: error: argument -f/--frontend: no frontend 'tsoa' (choose from litert, mlir, onnx, torch, tosa)
