// RUN: npu-opt %s --interface=x:NHWC --interface=output0:NHWC -o %t.mlir 2>&1 | filecheck %s --check-prefix=NOTE
// RUN: npu-check %s %t.mlir --numeric --trials 2 | filecheck %s --check-prefix=PROVED
// RUN: npu-check %t.mlir %s --json | filecheck %s --check-prefix=JSON
// RUN: npu-opt %s --interface=x:NHWC,output0:free --layout-optimal --stats -o %t.more.mlir 2>&1 | filecheck %s --check-prefix=MIXED
// RUN: npu-check %t.mlir %t.more.mlir | filecheck %s --check-prefix=BOTH
// RUN: npu-opt %t.mlir --layout-optimal=interface=NCHW -o %t.back.mlir 2>&1 | filecheck %s --check-prefix=BACK
// RUN: npu-check %s %t.back.mlir | filecheck %s --check-prefix=SAME
// RUN: npu-opt %t.mlir --strip-layouts | filecheck %s --check-prefix=STRIP
// RUN: sed 's/{npu.interface = "NHWC (was NCHW)"}//' %t.mlir > %t.bare.mlir
// RUN: not npu-check %s %t.bare.mlir | filecheck %s --check-prefix=BARE
// RUN: sed 's/npu.relu/npu.abs/' %t.mlir > %t.wrong.mlir
// RUN: not npu-check %s %t.wrong.mlir | filecheck %s --check-prefix=WRONG
// RUN: not npu-opt %s --interface=NHWQ 2>&1 | filecheck %s --check-prefix=LAYOUT
// RUN: not npu-opt %s --layout-optimal=interface=Tensor 2>&1 | filecheck %s --check-prefix=ORDER
// RUN: not npu-opt %s --interface=free --interface=keep 2>&1 | filecheck %s --check-prefix=EITHER
// RUN: not npu-opt %s --interface=x:NHWC,x:free 2>&1 | filecheck %s --check-prefix=TWICE
// RUN: not npu-opt %s --interface=y:NHWC 2>&1 | filecheck %s --check-prefix=NAME
// RUN: not npu-opt %s --interface=x:NCDHW 2>&1 | filecheck %s --check-prefix=RANK
// RUN: not npu-opt %s --interface=x:HWOI 2>&1 | filecheck %s --check-prefix=CLASS
// RUN: not npu-opt %s --interface=t:NHWC 2>&1 | filecheck %s --check-prefix=CALLED

/// The change is printed, and noted at the argument and the result; without a layout pass, `set-interface` runs.
// NOTE:      interface: %x is stored as NHWC (was NCHW)
// NOTE-NEXT: interface: output0 is stored as NHWC (was NCHW)

/// npu-check proves the programs equal up to that, and says so.
// PROVED:      proved: {{.*}}interface.mlir and {{.*}}.mlir compute the same, with %x, output0 stored as NHWC in the second program
// PROVED-NEXT: note: @main was run on 2 random inputs (seeds 0 to 1): the results agree, up to 0 (tolerance 0.001)
// JSON:        "interfaces": ["%x, output0 stored as NHWC in the first program"], "believed": [], "rounds_once": false, "by_formulas": false, "sizes_fit": false, "powers_fit": false, "offsets_fit": false, "zeros_absorb": false, "read_as": [], "out_of_time": false, "untried": []}
// BOTH:        proved: {{.*}} and {{.*}} compute the same

/// The original order is no change; stripped programs are in logical order.
// BACK:      interface: %x is stored as NCHW
// SAME:      proved: {{.*}} and {{.*}}.back.mlir compute the same{{$}}
// STRIP:     func.func @main(%x: tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32>

/// Without the note the interfaces are different, and a program that computes something else stays different.
// BARE:      different: @main: argument 0 is 1x8x4x6 of f32 in the first program and 1x4x6x8 of f32 in the second
// WRONG:     different: @main: on the random input of seed 0

/// Names and layouts are checked.
// MIXED:     layout-optimal: 0 transposes, 0 bytes: proved minimum
// LAYOUT:    npu-opt: error: argument --interface: expected keep, free, a layout such as NHWC, or one of these for an argument or result, as in x:NHWC, found 'NHWQ'
// ORDER:     npu-opt: error: argument --layout-optimal: pass 'layout-optimal': option interface: expected keep, free, a layout such as NHWC, or one of these for an argument or result, as in x:NHWC, found 'Tensor', which is no layout
// EITHER:    npu-opt: error: argument --interface: keep and free exclude each other
// TWICE:     npu-opt: error: argument --interface: 'x' is given twice
// NAME:      interface.mlir: error: pass 'set-interface' failed: option interface: the program has no argument or result 'y' (its arguments and results are %x, output0, %t, %x0)
// RANK:      interface.mlir: error: pass 'set-interface' failed: option interface: %x cannot be stored as NCDHW: layout NCDHW is of rank 5, the tensor of rank 4
// CLASS:     interface.mlir: error: pass 'set-interface' failed: option interface: %x cannot be stored as HWOI: it is NCHW
// CALLED:    interface.mlir: error: pass 'set-interface' failed: option interface: %t cannot change, because @called is called
func.func @main(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %r = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  func.return %r : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}
func.func @called(%t: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
  func.return
}
func.func @caller(%x0: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
  func.call @called(%x0) : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> ()
  func.return
}
