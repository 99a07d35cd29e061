// RUN: not npu-opt %s --canonicalise 2>&1 | filecheck %s --check-prefix FLAG
// RUN: not npu-opt %s cse -dce 2>&1 | filecheck %s --check-prefix DASHES
// RUN: not npu-opt %s --allow-unreg 2>&1 | filecheck %s --check-prefix SHORT
// RUN: not npu-opt %s -p cse,canonicalise 2>&1 | filecheck %s --check-prefix NAME
// RUN: not npu-opt %s -p 'cse,"' 2>&1 | filecheck %s --check-prefix PIPELINE
// RUN: not npu-opt %s --apply-pdl="pdl=x" 2>&1 | filecheck %s --check-prefix OPTION
// RUN: not npu-opt %s --scf-parallel-loop-tiling 2>&1 | filecheck %s --check-prefix REQUIRED
// RUN: not npu-opt %s -t nothing 2>&1 | filecheck %s --check-prefix FORMAT
// RUN: not npu-opt %s --target nothing 2>&1 | filecheck %s --check-prefix TARGET
// RUN: echo 'name = 3' > %t.toml
// RUN: not npu-opt %s --target %t.toml 2>&1 | filecheck %s --check-prefix FILE
// RUN: npu-opt --help | filecheck %s --check-prefix HELP
// RUN: npu-opt --version | filecheck %s --check-prefix VERSION
// RUN: npu-run --version | filecheck %s --check-prefix OTHER
// RUN: npu-opt %s --emit mlir --target opu | filecheck %s

func.func private @f()

// CHECK: func.func private @f()

/// An unknown name gets the nearest known one as a suggestion.
// FLAG:      usage: npu-opt [flags] [passes] [input_file ...]
// FLAG-NEXT: npu-opt: error: unrecognized arguments: --canonicalise (did you mean '--canonicalize'?)
// FLAG-NOT:  {{.}}
// NAME:      npu-opt: error: argument -p: no pass 'canonicalise' (did you mean 'canonicalize'?)

/// The dashes of a flag may be missing.
// DASHES: npu-opt: error: unrecognized arguments: cse (did you mean '--cse'?) -dce (did you mean '--dce'?)

/// Flags are written out: a shortened one would change its meaning when another pass comes.
// SHORT:     npu-opt: error: unrecognized arguments: --allow-unreg (did you mean '--allow-unregistered-dialect'?)

// PIPELINE:      npu-opt: error: argument -p: cannot read 'cse,"'
// PIPELINE-NEXT: pass-pipeline:1:5
// PIPELINE-NEXT: cse,"
// PIPELINE-NEXT: {{^    \^$}}

// OPTION:      npu-opt: error: argument --apply-pdl: pass 'apply-pdl': no option 'pdl'
// OPTION-NEXT: note: its options are: pdl-file: str|none = none
// REQUIRED:    npu-opt: error: argument --scf-parallel-loop-tiling: pass 'scf-parallel-loop-tiling': option parallel-loop-tile-sizes is required

/// `-t` is the output format as everywhere; `--target` is hardware.
// FORMAT: npu-opt: error: argument -t/--emit: no output format 'nothing' (choose from {{.*}}mlir{{.*}}; a hardware target is --target)
// TARGET: npu-opt: error: unknown target 'nothing'
// FILE:   {{.*}}.toml:1: error: {{.*}}name

// HELP:      usage: npu-opt [flags] [passes] [input_file ...]
// HELP:      input:
// HELP:        --split-input-file
// HELP:      output:
// HELP:        -o{{( FILE)?}}, --output-file FILE
// HELP:        -t{{( FORMAT)?}}, --emit FORMAT
// HELP:      passes:
// HELP-NEXT:   -p{{( PIPELINE)?}}, --passes PIPELINE
// HELP:        --target NAME|FILE
/// Passes of xDSL have flags, but are not listed here.
// HELP-NOT:    --apply-pdl
// HELP:      transposes:
// HELP-NEXT:   --stats [json]
// HELP:        --remarks
// HELP:        --expect-transposes N
// HELP:        --expect-bytes N
// HELP:        --verify-layouts
// HELP:      information:
// HELP:        --list-passes
// HELP:        --list-targets
// HELP:      debugging:
// HELP:        --time-passes

/// All commands print the versions on which their answers depend.
// VERSION:      {{^npu-opt [0-9]+\.[0-9]+\.[0-9]+$}}
// VERSION-NEXT: {{^Python 3\.[0-9.]+[^ ]*, xdsl 0\.74\.[0-9]+, numpy [0-9][^ ]*, scipy [0-9][^ ]*}}
// OTHER:      {{^npu-run [0-9]+\.[0-9]+\.[0-9]+$}}
// OTHER-NEXT: {{^Python 3\.[0-9.]+[^ ]*, xdsl 0\.74\.}}
