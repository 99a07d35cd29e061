// RUN: npu-opt %s --canonicalize --cse --canonicalize --time-passes 2>%t.err | filecheck %s
// RUN: filecheck %s --check-prefix TIME < %t.err
// RUN: npu-opt %s --cse --canonicalize --print-between-passes 2>%t.err | filecheck %s
// RUN: filecheck %s --check-prefix BETWEEN < %t.err

func.func private @f()

/// Only the program is on stdout.
// CHECK:      {{\A}}builtin.module {
// CHECK-NEXT:   func.func private @f()
// CHECK-NEXT: }
// CHECK-NOT:  {{.}}

/// Every step has its row; a pass that runs twice has two.
// TIME:      time by step:
// TIME-NEXT:   parse {{ +[0-9.]+ s +[0-9.]+%$}}
// TIME-NEXT:   verify {{ +[0-9.]+ s +[0-9.]+%$}}
// TIME-NEXT:   1. canonicalize {{ +[0-9.]+ s +[0-9.]+%$}}
// TIME-NEXT:   2. cse {{ +[0-9.]+ s +[0-9.]+%$}}
// TIME-NEXT:   3. canonicalize {{ +[0-9.]+ s +[0-9.]+%$}}
// TIME-NEXT:   print {{ +[0-9.]+ s +[0-9.]+%$}}
// TIME-NEXT:   total {{ +[0-9.]+ s +100.0%$}}
// TIME-NOT:  {{.}}

// BETWEEN:      // ----- after cse
// BETWEEN-NEXT: builtin.module {
// BETWEEN-NEXT:   func.func private @f()
// BETWEEN-NEXT: }
// BETWEEN-NOT:  {{.}}
