// SPDX-License-Identifier: Apache-2.0

// Package foreign makes text from drivers and other programs safe to keep and show: limited in length, and without
// terminal control sequences.
package foreign
