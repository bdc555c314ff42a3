// SPDX-License-Identifier: Apache-2.0

// Package foreign makes what drivers and other programs say fit to be kept and shown: cut to a length, and without what a
// terminal would carry out.
package foreign
