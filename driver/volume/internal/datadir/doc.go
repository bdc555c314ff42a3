// SPDX-License-Identifier: Apache-2.0

// Package datadir opens what is in the data directory, which all nodes and the
// controller share, and copies files in it. It never follows a link: a user who may
// write there could lead root elsewhere by one. It does not know what the files are.
package datadir
