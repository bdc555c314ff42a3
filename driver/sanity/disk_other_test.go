// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package sanity_test

import "testing"

// diskCases returns none: volumes on disk need Linux.
func diskCases(*testing.T) []sanityCase { return nil }
