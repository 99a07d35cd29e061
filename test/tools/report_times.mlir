// RUN: printf '[{"name": "model_run", "ts": 0, "dur": 90},\n {"name": "/conv_kernel_time", "ts": 1, "dur": 70},\n {"name": "/conv_nchwc_kernel_time", "ts": 2, "dur": 1500},\n {"name": "Reorder_kernel_time", "ts": 3, "dur": 30},\n {"name": "model_run", "ts": 100, "dur": 90},\n {"name": "/conv_kernel_time", "ts": 101, "dur": 30}]' > %t.json
// RUN: npu-opt %s --layout-optimal --report %t.html --times %t.json -o %t.mlir
// RUN: filecheck %s --check-prefix PROFILE < %t.html
// RUN: printf 'Original Operator,Op Cycles,Name\nConv2D,200,/conv\nConv2D,50,/conv\n,25,y\nRelu,0,"a,b"\n' > %t.csv
// RUN: npu-report %s --times %t.csv -o %t.html
// RUN: filecheck %s --check-prefix TABLE < %t.html
// RUN: not npu-opt %s --times %t.json 2>&1 | filecheck %s --check-prefix ALONE
// RUN: printf '[{"name": "a_kernel_time",\n "ts": 1,' > %t.json
// RUN: not npu-report %s --times %t.json -o %t.html 2>&1 | filecheck %s --check-prefix CUT
// RUN: printf 'Name,Op Cycles\nfirst,3\nsecond,many\n' > %t.csv
// RUN: not npu-report %s --times %t.csv -o %t.html 2>&1 | filecheck %s --check-prefix CYCLES

/// The time of a name is that of the op, not of the transpose in front of it; the median of the runs counts.
// PROFILE: ["times","98.1 % of 1.58 ms (ONNX Runtime, median of 2 runs): 2 of 3 names are those of ops"]
// PROFILE: "kind":"conv2d","name":"%y0","model_name":"/conv"
// PROFILE-SAME: "time":1550.0
// PROFILE: "unmatched":[["Reorder",30.0]]

/// Layers of one name are added, and a value of no node of the model is found by its own name.
// TABLE: ["times","100.0 % of 275 cycles (Vela's estimate): 2 of 3 names are those of ops"]
// TABLE: "kind":"conv2d"
// TABLE-SAME: "time":250.0
// TABLE: "unmatched":[["a,b",0.0]]

/// There is no page without --report.
// ALONE: npu-opt: error: argument --times: expected --report FILE beside it

/// The place of the error is that in the file of times.
// CUT: .json:2:10: error: not a whole profile of ONNX Runtime: Expecting property name enclosed in double quotes
// CYCLES: .csv:3:8: error: expected a number of cycles, found 'many'
func.func @main(%x: tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32> {
  %k = npu.constant dense<0.5> : tensor<1x1x8x8xf32>
  %y0 = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <HWOI>
    : (tensor<1x8x4x6xf32>, tensor<1x1x8x8xf32>) -> tensor<1x8x4x6xf32> loc("/conv")
  %y = npu.relu %y0 : tensor<1x8x4x6xf32>
  func.return %y : tensor<1x8x4x6xf32>
}
