// SPDX-License-Identifier: Apache-2.0

package report

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestCheckDigest(t *testing.T) {
	dir := t.TempDir()
	if err := WriteYAML(dir, &ConformanceReport{APIVersion: APIVersion, Kind: Kind, Summary: Summary{Pass: 3, Fail: 1}}); err != nil {
		t.Fatal(err)
	}
	if err := CheckDigest(dir); err != nil {
		t.Errorf("as it was written: %v", err)
	}
	file := filepath.Join(dir, yamlFile)
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, changed := range map[string][]byte{
		"a count":              bytes.Replace(written, []byte("fail: 1"), []byte("fail: 0"), 1),
		"a line at the end":    append(bytes.Clone(written), "cases: []\n"...),
		"without a digest":     written[:bytes.LastIndex(written, []byte("digest"))],
		"with another digest":  append(bytes.Clone(written[:len(written)-2]), "x\n"...),
		"cut in the middle":    written[:len(written)/2],
		"with other line ends": bytes.ReplaceAll(written, []byte("\n"), []byte("\r\n")),
	} {
		if err := os.WriteFile(file, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := CheckDigest(file); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
}
