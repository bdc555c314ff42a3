// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package paths

import "errors"

func unmount(string) error { return errors.ErrUnsupported }
