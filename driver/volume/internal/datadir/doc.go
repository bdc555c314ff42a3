// SPDX-License-Identifier: Apache-2.0

// Package datadir opens files and directories in the data directory, which all nodes and the controller share. It never
// follows a link, by which a user who may write there could redirect root. It does not know the meaning of the files.
package datadir
