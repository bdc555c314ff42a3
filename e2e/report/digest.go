// SPDX-License-Identifier: Apache-2.0

package report

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
)

// digestField is the prefix of the last line of a report.yaml.
const digestField = "digest: "

func digest(content []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(content)) }

// withDigest returns the content of a report.yaml with its digest as the last line.
func withDigest(content []byte) []byte {
	return fmt.Appendf(content, "%s%s\n", digestField, digest(content))
}

// CheckDigest returns an error if the report.yaml at the path, which may be its directory, has been changed.
func CheckDigest(path string) error {
	content, err := os.ReadFile(fileOf(path))
	if err != nil {
		return fmt.Errorf("reading the report: %w", err)
	}
	at := bytes.LastIndex(content, []byte("\n"+digestField)) + 1
	if at == 0 {
		return fmt.Errorf("%s has no digest: want a report.yaml as csi-topo wrote it", path)
	}
	if want := withDigest(content[:at:at]); !bytes.Equal(content, want) {
		return fmt.Errorf("%s was changed after it was written: its digest is %q, and that of its content is %s", path, bytes.TrimSpace(content[at+len(digestField):]), digest(content[:at]))
	}
	return nil
}
