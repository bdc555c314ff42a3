// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/csi-topo/csi-topo/e2e/mutation/edit"
	"github.com/csi-topo/csi-topo/e2e/mutation/unchosen"
)

// keptFile has what was judged, a mutant in a line, below a line with the sum of the judge.
const keptFile = "mutants.jsonl"

// kept is what has been judged, so that a run that is interrupted goes on where it ended.
type kept struct {
	file   *os.File
	judged map[string]unchosen.Mutant
}

// open reads what was judged by the same judge. Of another one nothing counts, or only what was killed if that is asked for.
func (m *mutants) open() (*kept, error) {
	path := filepath.Join(m.ReportDir, keptFile)
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("reading what was judged: %w", err)
	}
	program, err := os.ReadFile(m.judging)
	if err != nil {
		return nil, fmt.Errorf("reading the judge: %w", err)
	}
	digest := sha256.Sum256(program)
	sum := hex.EncodeToString(digest[:])
	k := &kept{judged: map[string]unchosen.Mutant{}}
	lines := bufio.NewScanner(bytes.NewReader(text))
	same := lines.Scan() && lines.Text() == sum
	for (same || m.again) && lines.Scan() {
		var mutant unchosen.Mutant
		if err := json.Unmarshal(lines.Bytes(), &mutant); err != nil {
			break // the last line, of a run that was killed
		}
		if same && !m.again || mutant.Outcome == unchosen.Killed {
			k.judged[mutant.ID()] = mutant
		}
	}
	if k.file, err = os.Create(path); err != nil {
		return nil, fmt.Errorf("keeping what is judged: %w", err)
	}
	if _, err := fmt.Fprintln(k.file, sum); err != nil {
		return nil, fmt.Errorf("keeping what is judged: %w", err)
	}
	for _, mutant := range k.judged {
		if err := k.add(mutant); err != nil {
			return nil, err
		}
	}
	return k, nil
}

// of is the mutant of the change, if it has been judged.
func (k *kept) of(e edit.Edit) (unchosen.Mutant, bool) {
	before, found := k.judged[e.ID()]
	before.Edit = e
	return before, found
}

func (k *kept) add(mutant unchosen.Mutant) error {
	text, err := json.Marshal(mutant)
	if err != nil {
		return fmt.Errorf("encoding a mutant: %w", err)
	}
	if _, err := fmt.Fprintf(k.file, "%s\n", text); err != nil {
		return fmt.Errorf("keeping what is judged: %w", err)
	}
	return nil
}

func (k *kept) close() error { return k.file.Close() }
