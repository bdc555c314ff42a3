// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"regexp"

	"go.yaml.in/yaml/v3"

	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/requirement/ledger"
)

// history computes the history of the specification from the texts of all versions.
func history(ctx context.Context) (ledger.History, error) {
	var texts []string
	for _, version := range requirement.Versions() {
		read, err := ofVersion(ctx, "v"+version+".0")
		if err != nil {
			return ledger.History{}, err
		}
		texts = append(texts, read.text)
	}
	return ledger.HistoryOf(texts), nil
}

// date writes the history, and the version of each requirement into the register, below the working directory, which must
// be the repository's root. It prints how many files of the register it corrected.
func date(ctx context.Context, out io.Writer) error {
	made, err := history(ctx)
	if err != nil {
		return err
	}
	text, err := historyText(made)
	if err != nil {
		return err
	}
	if err := rewrite(ledger.HistoryPath, func(string) string { return text }); err != nil {
		return err
	}
	versions := map[string]string{}
	for _, r := range requirement.All() {
		if r.Since == "" {
			continue
		}
		if versions[r.ID], err = made.Since(r); err != nil {
			return err
		}
	}
	files, err := filepath.Glob("e2e/requirement/register/*.yaml")
	if err != nil {
		return fmt.Errorf("listing the register's files: %w", err)
	}
	corrected := 0
	for _, file := range files {
		err := rewrite(file, func(content string) string {
			now := dated(content, versions)
			if now != content {
				corrected++
			}
			return now
		})
		if err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "since was corrected in %d of the %d files of the register\n", corrected, len(files))
	return nil
}

var idAndSince = regexp.MustCompile(`(?s)(\n- id: (\S+)\n.*?\n  since: )"[0-9.]*"`)

// dated returns a file of the register with these versions of its requirements.
func dated(file string, versions map[string]string) string {
	return idAndSince.ReplaceAllStringFunc(file, func(row string) string {
		parts := idAndSince.FindStringSubmatch(row)
		return fmt.Sprintf("%s%q", parts[1], versions[parts[2]])
	})
}

// historyText returns the content of history.yaml.
func historyText(h ledger.History) (string, error) {
	var text bytes.Buffer
	text.WriteString("# Which version of the CSI specification introduced what, after 1.0: written by go run ./e2e/cmd/ledger --since.\n")
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	if err := encoder.Encode(h); err != nil {
		return "", fmt.Errorf("writing %s: %w", ledger.HistoryPath, err)
	}
	return text.String(), nil
}
