// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheckDisk(t *testing.T) {
	absent := filepath.Join(t.TempDir(), "not", "there")
	if err := CheckDisk(absent, 1); err != nil {
		t.Errorf("CheckDisk for one byte in a directory still to be made: %v", err)
	}
	err := CheckDisk(absent, math.MaxInt64)
	if err == nil || !strings.Contains(err.Error(), absent) || !strings.Contains(err.Error(), "GiB free") {
		t.Errorf("CheckDisk for more than any disk = %v, want a sentence with the place and the free space", err)
	}
}
