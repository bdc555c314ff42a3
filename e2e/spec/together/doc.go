// SPDX-License-Identifier: Apache-2.0

// Package together contains the cases about concurrent calls: calls for separate volumes, each of which must be answered as
// if it were alone, and calls for one name, volume, path or pool, whose history must fit an order of the calls.
//
// A history is checked against a small model of the specification of sequential calls. Details that the specification leaves
// open, such as how soon a volume is gone, are in no model. The checker is porcupine.
package together
