// RUN: not npu-opt %s --layout-optimal=cost=count,target=onnx 2>&1 | filecheck %s --check-prefix VALUE --match-full-lines
// RUN: not npu-opt %s --layout-preset="all-regions, strategy=regions;target=opu" 2>&1 | filecheck %s --check-prefix ALONE --match-full-lines
// RUN: not npu-opt %s --layout-preset all-regions=true,target=opu 2>&1 | filecheck %s --check-prefix WORD --match-full-lines
// RUN: not npu-opt %s --layout-preset="interface=x:NHWC,y:NCHW,all-regions" 2>&1 | filecheck %s --check-prefix LIST --match-full-lines
// RUN: not npu-opt %s -p "cse,layout-optimal{cost=count,target=onnx},layout-preset{strategy=naive}" 2>&1 | filecheck %s --check-prefix PIPELINE --match-full-lines
// RUN: not npu-opt %s -t "onnx{opset=17,path=x.onnx}" 2>&1 | filecheck %s --check-prefix FORMAT
// RUN: not npu-opt %s -p 'layout-optimal{interface="keep,target=onnx"}' 2>&1 | filecheck %s --check-prefix QUOTED
// RUN: npu-opt %s --layout-optimal="interface=free,x:keep time-limit=3" --stats 2>&1 >/dev/null | filecheck %s --check-prefix FINE

/// Options are separated by spaces; an error has the corrected ones. Commas separate the values of one option.
// VALUE:    npu-opt: error: argument --layout-optimal: options are separated by spaces: --layout-optimal="cost=count target=onnx"
// WORD:     npu-opt: error: argument --layout-preset: options are separated by spaces: --layout-preset="all-regions=true target=opu"
// LIST:     npu-opt: error: argument --layout-preset: options are separated by spaces: --layout-preset="interface=x:NHWC,y:NCHW all-regions"
// PIPELINE: npu-opt: error: argument -p: options are separated by spaces: -p 'cse,layout-optimal{cost=count target=onnx},layout-preset{strategy=naive}'
// FORMAT:   npu-opt: error: argument -t/--emit: cannot read 'onnx{opset=17,path=x.onnx}'; options are separated by spaces: -t 'onnx{opset=17 path=x.onnx}'
// QUOTED:   npu-opt: error: argument -p: pass 'layout-optimal': option interface: expected keep, free, a layout such as NHWC, or one of these for an argument or result, as in x:NHWC, found 'target=onnx'
// FINE:     layout-optimal: 0 transposes, 0 bytes: proved minimum
// ALONE:    npu-opt: error: argument --layout-preset: options are separated by spaces: --layout-preset="all-regions strategy=regions target=opu"

func.func @main(%x: tensor<2x3xf32, #npu.layout<Tensor>>) -> tensor<2x3xf32, #npu.layout<Tensor>> {
  %a = npu.relu %x : tensor<2x3xf32, #npu.layout<Tensor>>
  func.return %a : tensor<2x3xf32, #npu.layout<Tensor>>
}
