// SPDX-License-Identifier: Apache-2.0

package profile

import (
	"os"
	"path/filepath"
	"testing"
)

func TestPublic(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.yaml")
	const text = "driver: csi.example.com # ours\nvolumeBytes: 10\nsecrets:\n  createVolume: {token: s3cret}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := Public(file)
	const want = "driver: csi.example.com\nsecrets:\n    createVolume:\n        token: concealed\nvolumeBytes: 10\n"
	if err != nil || got != want {
		t.Errorf("want\n%s, got\n%s (%v)", want, got, err)
	}
	if _, err := Public("no-such-profile"); err == nil {
		t.Error("want an error for a profile that does not exist")
	}
}
