// SPDX-License-Identifier: Apache-2.0

// Package interview asks a driver for what a profile says of it: its name, capabilities and segments, the sizes and
// forms of volume that it makes, and how its capacity changes. What it creates for that is removed at once. It knows no
// cluster.
package interview
