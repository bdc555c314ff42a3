// SPDX-License-Identifier: Apache-2.0

// Package inventory finds out from a cluster's objects what a profile says of a driver that is installed there: its
// topology keys, the parameters of its volumes, and the pods behind its sockets. It only reads.
package inventory
