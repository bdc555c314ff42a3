// SPDX-License-Identifier: Apache-2.0

// Package interview asks a driver for the content of a profile: its name, capabilities and segments, the sizes and forms of
// volume that it creates, and how its capacity changes. Objects that are created for this are removed at once. It depends
// on no cluster.
package interview
