// SPDX-License-Identifier: Apache-2.0

// Package crash shows that the driver may end, or its disk fail, at any moment. It
// has nothing but tests: `make test-crash` runs all of them, and `make test` those
// that kill.
//
// # The method
//
// A step is durable if what it changes outlives the process: a record, a file, a
// name, a loop device, a mount. The driver says so of each to a durable.Watch, before
// it takes the step and after. Here that watch counts, and at one of these events
//
//   - ends the process by SIGKILL,
//   - answers ENOSPC, or
//   - answers EIO, at this event or from then on.
//
// A scenario is one call, and the state before it. It runs once without a fault, which
// gives the events there are, the answer, and the state after: what the driver lists,
// what it has left in each zone, every file and its content, every mount and loop
// device, and what the node remembers. Then it runs once for each fault at each event,
// in a directory of its own and with a driver in a process of its own. After a SIGKILL,
// and after some of the errors, another process takes over:
//
//   - What the call does not concern is as it was, and the call itself has happened
//     or has not. (A call of the node may be half done until it is repeated, as a start
//     unmounts nothing: pods go on.)
//   - The call, repeated, gives the answer of the run without a fault, and the state.
//   - In every state the reservations match the records, each file belongs to a listed
//     volume or snapshot, and each of these is on disk whole; nothing is mounted that
//     the node does not remember.
//   - When everything is deleted by calls, after the repetition or instead of it,
//     nothing is left: no file, mount or loop device, and all capacity is free again.
//
// An error has the code of its RPC, and a RESOURCE_EXHAUSTED that creates nothing
// leaves nothing, at once. The process is also killed when the caller has the answer:
// what was acknowledged stays. And what a start does to take up where another process
// ended is cut off in the same way.
//
// What a kill of the process cannot show is what the kernel had not written when the
// machine ended: the order of writes and fsyncs is for the tests of each package.
//
// # How to read a failure
//
// The name of a test is the scenario, the event, numbered, and the fault:
//
//	TestCrash/controller/DeleteVolume_dir/04_before_dir:_sync_names/SIGKILL
//
// It runs by that name alone, with CSI_TOPO_CRASH_TEST=1 unless `make test` runs it
// anyway:
//
//	CSI_TOPO_CRASH_TEST=1 go test ./driver/crash -run 'TestCrash/controller/DeleteVolume_dir/04_'
//
// A difference of states shows with "-" what a run without a fault has and with "+"
// what was found. Ids and times are replaced: what the scenario made has its name
// there ("v", "s", "bystander"), the rest is numbered in the order of creation. "The
// fault did not come" and "should have been killed" mean that the call did not take
// the steps of the run before: the case says nothing then. The log of each process
// follows, the last process first, and the events of the scenario stand before its cases.
//
// # How to add a case
//
// A call that changes anything is an entry in controllerScenarios or nodeScenarios;
// its cases follow from the steps that it takes. A step is a case as soon as it is
// told to the watch.
package crash
