// RUN: npu-reduce %s --test "! grep -q npu.softmax" 2>%t.err | filecheck %s --check-prefix=OP --match-full-lines
// RUN: filecheck %s --check-prefix=NOTE --input-file=%t.err
// RUN: npu-reduce %s --test "! (grep -q npu.softmax {} && grep -q npu.transpose {})" -o %t.two.mlir
// RUN: filecheck %s --check-prefix=TWO --input-file=%t.two.mlir
// RUN: npu-reduce %s --test "cat {} >&2" --stderr npu.relu 2>/dev/null | filecheck %s --check-prefix=STDERR
// RUN: npu-reduce %s --test "! grep -q @other" 2>/dev/null | filecheck %s --check-prefix=CALL
// RUN: npu-reduce %s --test "(exit 5); cat" --exit-code 0 2>/dev/null | filecheck %s --check-prefix=NOTHING
// RUN: not npu-reduce %s --test "true" -o %t.no.mlir 2>&1 | filecheck %s --check-prefix=ZERO
// RUN: not npu-reduce %s --test "echo wrong >&2; false" --stderr right 2>&1 | filecheck %s --check-prefix=TEXT
// RUN: not npu-reduce %s --test "exit 2 #" --exit-code 3 2>&1 | filecheck %s --check-prefix=CODE
// RUN: not npu-reduce %s --test "./no-such-command" 2>&1 | filecheck %s --check-prefix=SHELL
// RUN: not npu-reduce %s --test "sleep 9 #" --time-limit 1 2>&1 | filecheck %s --check-prefix=TIME
// RUN: not npu-reduce %s 2>&1 | filecheck %s --check-prefix=USAGE
// RUN: not test -e %t.no.mlir

func.func private @other(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %y = npu.tanh %x : tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

func.func @main(%x: tensor<4x6xf32> {npu.name = "x"}, %unused: tensor<2xf32>) -> (tensor<6x4xf32>, tensor<4x6xf32>) {
  %c = npu.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %row = npu.reshape %c : (tensor<6xf32>) -> tensor<1x6xf32>
  %a = npu.add %x, %row : (tensor<4x6xf32>, tensor<1x6xf32>) -> tensor<4x6xf32>
  %b = npu.softmax %a axis = 1 {npu.note = "text"} : tensor<4x6xf32>
  %d = npu.relu %b : tensor<4x6xf32>
  %e = func.call @other(%d) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %t = npu.transpose %e permutation = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  return %t, %d : tensor<6x4xf32>, tensor<4x6xf32>
}

/// One op is left where one is enough; its operand is an argument, and its dimensions are small.
// OP:      builtin.module {
// OP-NEXT:   func.func @main(%a: tensor<1x1xf32>) {
// OP-NEXT:     %b = npu.softmax %a axis = 1 : tensor<1x1xf32>
// OP-NEXT:     func.return
// OP-NEXT:   }
// OP-NEXT: }
// NOTE:    {{.*}}reduce.mlir: note: 8 ops became 1, in {{[0-9]+}} runs of the command

/// Two ops that need not be connected.
// TWO-DAG: npu.softmax
// TWO-DAG: npu.transpose
// TWO-NOT: npu.relu

/// A text on standard error is enough, whatever the exit code is.
// STDERR:      func.func @main(
// STDERR-NEXT:   %d = npu.relu
// STDERR-NEXT:   func.return

/// A function that is called stays unchanged until the call is gone.
// CALL:      func.func private @other() {

/// Of a command that always fails the same nothing is left.
// NOTHING:      builtin.module {
// NOTHING-NEXT: }

// ZERO:  npu-reduce: error: argument --test: the command does not fail on the program as npu-opt prints it: its exit code is 0
// TEXT:  npu-reduce: error: argument --test: the command does not fail on the program as npu-opt prints it: its standard error does not have 'right'
// CODE:  npu-reduce: error: argument --test: the command does not fail on the program as npu-opt prints it: its exit code is 2, not 3
// SHELL: npu-reduce: error: argument --test: the command does not fail on the program as npu-opt prints it: the shell cannot run it: exit code 127: {{.*}}no-such-command
// TIME:  npu-reduce: error: argument --test: the command does not fail on the program as npu-opt prints it: it took more than 1 s (--time-limit)
// USAGE: npu-reduce: error: the following arguments are required: --test
