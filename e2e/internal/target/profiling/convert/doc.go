// SPDX-License-Identifier: Apache-2.0

// Package convert creates profiles from files that vendors already have: the test-driver file of Kubernetes'
// external-storage suite, and the flags of csi-sanity. It names everything that it does not carry over, with the reason.
package convert
