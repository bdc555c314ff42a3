// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package nodeimage

// unmountBelow does nothing: only Linux builds node images.
func unmountBelow(string) error { return nil }
