// SPDX-License-Identifier: Apache-2.0

// Package inventory reads the content of a profile from the objects of a cluster where the driver is installed: its
// topology keys, the parameters of its volumes, and the pods with its sockets. It only reads.
package inventory
