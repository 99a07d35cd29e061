// RUN: not npu-opt %s --layout-preset="all-regions=maybe" 2>&1 | filecheck %s --check-prefix BOOLEAN --match-full-lines
// RUN: not npu-opt %s --layout-preset="strategy=nave" 2>&1 | filecheck %s --check-prefix CHOICE --match-full-lines
// RUN: not npu-opt %s --layout-preset="strategy=" 2>&1 | filecheck %s --check-prefix EMPTY --match-full-lines
// RUN: not npu-opt %s --layout-preset="strategy" 2>&1 | filecheck %s --check-prefix NOTHING --match-full-lines
// RUN: not npu-opt %s --layout-preset="strategi=naive" 2>&1 | filecheck %s --check-prefix UNKNOWN --match-full-lines
// RUN: not npu-opt %s --layout-preset="strategy=naive strategy=naive" 2>&1 | filecheck %s --check-prefix TWICE
// RUN: not npu-opt %s --layout-optimal="assume=many" 2>&1 | filecheck %s --check-prefix INTEGER
// RUN: not npu-opt %s --layout-optimal="assume=true" 2>&1 | filecheck %s --check-prefix TRUTH
// RUN: not npu-opt %s --layout-optimal="assume=1,2" 2>&1 | filecheck %s --check-prefix SEVERAL
// RUN: not npu-opt %s --layout-optimal="time-limit=1.5" 2>&1 | filecheck %s --check-prefix FRACTION
// RUN: not npu-opt %s --layout-optimal="time-limit=-1" 2>&1 | filecheck %s --check-prefix TIME
// RUN: not npu-opt %s --fuse-ops="opt-level=7" 2>&1 | filecheck %s --check-prefix LEVEL
// RUN: not npu-opt %s -p "fuse-ops{opt-level=-1}" 2>&1 | filecheck %s --check-prefix NEGATIVE
// RUN: not npu-opt %s --fuse-ops="max-depth=-4" 2>&1 | filecheck %s --check-prefix DEPTH
// RUN: not npu-opt %s --fuse-ops="dump=grap" 2>&1 | filecheck %s --check-prefix DUMP --match-full-lines
// RUN: not npu-opt %s --npu-default="default=NCHWW" 2>&1 | filecheck %s --check-prefix DEFAULT
// RUN: not npu-opt nothing.mlir --layout-preset="target=7" 2>&1 | filecheck %s --check-prefix TARGET --match-full-lines
// RUN: not npu-opt %s -t "mermaid{region=true}" 2>&1 | filecheck %s --check-prefix FORMAT --match-full-lines
// RUN: not npu-opt %s -t "dot{regions=true collapse=true}" 2>&1 | filecheck %s --check-prefix GRAPH
// RUN: npu-opt %s --layout-preset="all-regions" | filecheck %s --check-prefix TRUE
// RUN: npu-opt %s --layout-preset strategy=naive all-regions=true --cse --print-ir-before-all 2>&1 >/dev/null | filecheck %s --check-prefix WORDS

/// The name of the option, what is expected and what was found; the note has all options with their types and defaults.
// BOOLEAN:      npu-opt: error: argument --layout-preset: pass 'layout-preset': option all-regions: expected true or false, found 'maybe'
// BOOLEAN-NEXT: note: its options are: default: str|none = none; interface: str = keep; strategy: naive|regions|regions-plus|seed-plus = regions-plus; all-regions: bool = false; target: str = opu
// CHOICE:  npu-opt: error: argument --layout-preset: pass 'layout-preset': option strategy: expected naive, regions, regions-plus or seed-plus, found 'nave' (did you mean 'naive'?)
// EMPTY:   npu-opt: error: argument --layout-preset: pass 'layout-preset': option strategy: expected naive, regions, regions-plus or seed-plus, found ''
// NOTHING: npu-opt: error: argument --layout-preset: pass 'layout-preset': option strategy: expected naive, regions, regions-plus or seed-plus, found nothing
// UNKNOWN: npu-opt: error: argument --layout-preset: pass 'layout-preset': no option 'strategi' (did you mean 'strategy'?)
// DUMP:    npu-opt: error: argument --fuse-ops: pass 'fuse-ops': option dump: expected graph or groups, found 'grap' (did you mean 'graph'?)
// FORMAT:      npu-opt: error: argument -t/--emit: output format 'mermaid': no option 'region' (did you mean 'regions'?)
// FORMAT-NEXT: note: its options are: regions: bool = false; target: str = opu; collapse: bool|none = none
// GRAPH: npu-opt: error: argument -t/--emit: output format 'dot': options regions and collapse: expected at most one of them to be true

/// Numbers are checked for their type and range before anything is read.
// TWICE:    npu-opt: error: argument --layout-preset: pass 'layout-preset': option strategy is given twice
// INTEGER:  npu-opt: error: argument --layout-optimal: pass 'layout-optimal': option assume: expected an integer, found 'many'
// TRUTH:    npu-opt: error: argument --layout-optimal: pass 'layout-optimal': option assume: expected an integer, found 'true'
// SEVERAL:  npu-opt: error: argument --layout-optimal: pass 'layout-optimal': option assume: expected an integer, found '1,2'
// FRACTION: npu-opt: error: argument --layout-optimal: pass 'layout-optimal': option time-limit: expected an integer, found '1.5'
// TIME:     npu-opt: error: argument --layout-optimal: pass 'layout-optimal': option time-limit: expected 0 seconds or more, found -1
// LEVEL:    npu-opt: error: argument --fuse-ops: pass 'fuse-ops': option opt-level: expected 0, 1 or 2, found 7
// NEGATIVE: npu-opt: error: argument -p: pass 'fuse-ops': option opt-level: expected 0, 1 or 2, found -1
// DEPTH:    npu-opt: error: argument --fuse-ops: pass 'fuse-ops': option max-depth: expected at least 1, found -4
// DEFAULT:  npu-opt: error: argument --npu-default: pass 'npu-default': option default: 'NCHWW' is not a layout: expected a permutation of NCW, NCHW, NCDHW, OIW, OIHW or OIDHW, or Tensor or NTensor
// TARGET:   npu-opt: error: unknown target '7'; expected 'brick', 'daven', 'dunlin', 'ethos-u55', 'ethos-u85', 'litert', 'onnx', 'onnxruntime', 'opu', 'ort-nchwc', 'ort-nchwc8', 'plover', 'rockchip-rk3576', 'rockchip-rk3588', 'sophgo-bm1684x', 'sophgo-bm1684x-int8' or 'torch' (pass a target of your own as the path of its .toml file)

/// An option alone is true.
// TRUE: npu.relu %x : tensor<2x3xf32, #npu.layout<Tensor>>

/// Options may follow a flag as words of their own.
// WORDS: // -----// IR Dump Before layout-preset //----- //
// WORDS: // -----// IR Dump Before cse //----- //

func.func @main(%x: tensor<2x3xf32, #npu.layout<Tensor>>) -> tensor<2x3xf32, #npu.layout<Tensor>> {
  %a = npu.relu %x : tensor<2x3xf32, #npu.layout<Tensor>>
  func.return %a : tensor<2x3xf32, #npu.layout<Tensor>>
}
