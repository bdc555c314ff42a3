// SPDX-License-Identifier: Apache-2.0

// Package crash shows that the driver may end, or its disk fail, at any moment. It contains only tests: `make test-crash`
// runs all of them, and `make test` only the ones that kill.
//
// # The method
//
// A step is durable if it changes something that outlives the process: a record, a file, a name, a loop device, a mount.
// The driver reports each to a durable.Watch, before it takes the step and after. Here that watch counts, and at one of
// these events
//
//   - ends the process by SIGKILL,
//   - returns ENOSPC, or
//   - returns EIO, at this event or from then on.
//
// A scenario is one call, and the state before it. It runs once without a fault, which gives the events, the response,
// and the state after: the driver's lists, the capacity left in each zone, every file and its content, every mount and
// loop device, and the node's records. Then it runs once for each fault at each event, in a separate directory and with a
// driver in a separate process. After a SIGKILL, and after some of the errors, another process takes over:
//
//   - The call has taken effect completely or not at all, and nothing else has changed. (A call of the node may be
//     unfinished until it is repeated, as a start unmounts nothing: pods go on.)
//   - A repetition of the call gives the response and the state of the run without a fault.
//   - In every state the reservations match the records, each file belongs to a listed volume or snapshot, each of
//     these is complete on disk, and each mount has a record of the node.
//   - When everything is deleted by calls, after the repetition or instead of it,
//     nothing is left: no file, mount or loop device, and all capacity is free again.
//
// An error has a code of its RPC, and a call that creates something leaves nothing behind after RESOURCE_EXHAUSTED. The
// process is also killed when the caller has the response: acknowledged changes stay. The recovery at the start of a
// process is interrupted in the same way.
//
// A kill of the process does not show which data the kernel would lose if the machine failed: the tests of each package
// check the order of writes and fsyncs.
//
// # How to read a failure
//
// The name of a test consists of the scenario, the numbered event and the fault:
//
//	TestCrash/controller/DeleteVolume_dir/04_before_dir:_sync_names/SIGKILL
//
// It can be run alone by that name, with CSI_TOPO_CRASH_TEST=1 unless `make test` runs it anyway:
//
//	CSI_TOPO_CRASH_TEST=1 go test ./driver/crash -run 'TestCrash/controller/DeleteVolume_dir/04_'
//
// A difference of states shows the state of a run without a fault with "-" and the actual state with "+". Ids and times
// are replaced: those of the scenario by names ("v", "s", "bystander"), all others by numbers in the order of creation.
// "The fault did not come" and "should have been killed" mean that the call did not take the steps of the earlier run:
// the case is then inconclusive. The log of each process follows, the last process first, and the events of the scenario
// are printed before its cases.
//
// # How to add a case
//
// A call that changes the state is an entry in controllerScenarios or nodeScenarios; its cases follow from the steps that
// it takes. A step becomes a case as soon as it is reported to the watch.
package crash
