// SPDX-License-Identifier: Apache-2.0

// Package sequence has the spec tier's case of generated requests: a plan of steps is drawn from the run's seed, carried
// out on the driver, and every answer is held against the oracle and against what the case itself knows of its volumes,
// snapshots and nodes. It finds what no case of a few calls does: books that are wrong only after a failed growth, a choice
// that is wrong only when a segment is full to the byte.
//
// Drawing a plan and making it shorter are pure. In between, a sequence carries a plan out: each step becomes a call, or
// several at the same time, and each kind of call has a file, which sends it and judges the answer. After a wrong answer
// the sequence ends, everything is removed, and the rest of the plan goes on in a new one. In the end each wrong answer is
// explained: steps are left out one after the other, each time on a driver from which everything is removed again, until
// none can be. What is left is what the failure shows.
//
// A library for such tests, pgregory.net/rapid, was considered. Its seed, its number of steps and the time that it takes
// for shrinking are flags of the process that it registers when it is imported, so that a program cannot set them for one
// case; it shrinks the random bits that a plan was drawn from, which here would mean hundreds of other plans on a driver
// that may be slow; and it does not tell a failure that does not show again from one that does, as this case must.
package sequence
