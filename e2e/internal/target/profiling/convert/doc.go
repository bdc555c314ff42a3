// SPDX-License-Identifier: Apache-2.0

// Package convert makes profiles from files that vendors have already: the test-driver file of Kubernetes'
// external-storage suite, and the flags of csi-sanity. It names what it does not carry over, and why.
package convert
