// SPDX-License-Identifier: Apache-2.0

// Package sequence contains the spec tier's case of generated requests: a plan of steps is drawn from the run's seed and
// carried out on the driver, and every answer is compared with the oracle and with the known state of the case's volumes,
// snapshots and nodes. It finds faults that no case of a few calls finds: books that are wrong only after a failed growth,
// or a choice that is wrong only if a segment is full to the byte.
//
// Drawing a plan and making it shorter are pure functions. In between, a sequence carries a plan out: each step becomes a
// call, or several at the same time, and each kind of call has a file, which sends it and judges the answer. After a wrong
// answer the sequence ends, everything is removed, and the rest of the plan continues in a new one. Finally each wrong
// answer is explained: steps are left out one after the other, each time on a driver from which everything is removed again,
// until no step can be left out. The remaining steps show the failure.
//
// A library for property-based tests, pgregory.net/rapid, was considered. Its seed, its number of steps and its time
// for shrinking are flags of the process that it registers when it is imported, so that a program cannot set them for
// one case; it shrinks the random bits that a plan was drawn from, which here would mean hundreds of other plans on a
// driver that may be slow; and it does not distinguish a failure that does not show again from one that does, as this
// case must.
package sequence
