// SPDX-License-Identifier: Apache-2.0

// Package together has the cases on calls that are in flight at once: for volumes of their own, of which each must be as if it
// were alone, and for one name, volume, path or pool, whose history must fit some order of the calls.
//
// A history is checked against a small model of what the specification says of one call after another. What it says too
// little about, such as how soon a volume is gone, is in no model. The checker is porcupine.
package together
