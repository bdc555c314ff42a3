// SPDX-License-Identifier: Apache-2.0

// Package benchmark measures how much calls of the driver cost that has 10,000
// volumes, compared with one that has 100. `make bench-driver` runs it.
//
// A time alone says more of the machine, and of what else runs on it, than of the
// driver. So the two are measured side by side: each is a process of its own, with
// the controller, its records and its images on disk as in production, and they take
// turns, a hundred calls each. What slows the machine down slows both, and the ratio
// of their times is what counts. How sure it is follows from the turns themselves: an
// interval that is narrow and has 1 in it is one of no difference.
package benchmark
