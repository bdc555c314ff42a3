// SPDX-License-Identifier: Apache-2.0

// Package service is the driver's CSI services: Identity, Controller and Node,
// one file per RPC, and the socket they are served on. The services say what a
// request means and what is answered; where a volume goes, what it is on disk
// and what is remembered of it is left to the packages beside this one.
package service
