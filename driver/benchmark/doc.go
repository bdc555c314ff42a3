// SPDX-License-Identifier: Apache-2.0

// Package benchmark compares the cost of calls to a driver with 10,000 volumes and to a
// driver with 100. `make bench-driver` runs it.
//
// A duration alone says more about the machine and its load than about the driver. So the two are measured side by side:
// each is a separate process, with the controller, its records and its images on disk as in production, and they take
// turns of a hundred calls each. The load of the machine affects both, and the result is the ratio of their durations.
// The turns also give the precision: a narrow interval that contains 1 shows that there is no difference.
package benchmark
