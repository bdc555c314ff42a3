// SPDX-License-Identifier: Apache-2.0

// Package whole has the cases that are about a run as a whole: what is true of the driver and of no single case. They run
// after all others, and say what they find even where they were not asked for.
package whole
