// SPDX-License-Identifier: Apache-2.0

package page

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// mostCallBytes is the maximum size of calls in the page, which keeps the whole page below a megabyte.
const mostCallBytes = 640 << 10

// pack encodes a value for the page's script: compressed JSON in base64, which needs no escaping in HTML.
func pack(value any) (template.HTML, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return "", fmt.Errorf("encoding the page's data: %w", err)
	}
	var compressed bytes.Buffer
	writer, err := gzip.NewWriterLevel(&compressed, gzip.BestCompression)
	if err != nil {
		return "", fmt.Errorf("compressing the page's data: %w", err)
	}
	if _, err := writer.Write(text); err != nil {
		return "", fmt.Errorf("compressing the page's data: %w", err)
	}
	if err := writer.Close(); err != nil {
		return "", fmt.Errorf("compressing the page's data: %w", err)
	}
	return template.HTML(base64.StdEncoding.EncodeToString(compressed.Bytes())), nil //nolint:gosec // base64
}

// packCalls returns the calls of the runs in their order, as far as there is room: all calls of a run, or only those of its
// findings, or none. Omitted calls are replaced by null.
func packCalls(runs []report.Run) []callsBlock {
	var blocks []callsBlock
	room := mostCallBytes
	for i, run := range runs {
		if len(run.Calls) == 0 {
			continue
		}
		for _, calls := range [][]json.RawMessage{run.Calls, callsOfFindings(run)} {
			packed, err := pack(calls)
			if err == nil && len(packed) <= room {
				room -= len(packed)
				blocks = append(blocks, callsBlock{Run: i, Data: packed})
				break
			}
		}
	}
	return blocks
}

// callsOfFindings returns the calls of a run, with null for each call that belongs to no case that failed, warned or ended
// in an error. A case may refer to lines that do not exist if calls.jsonl is truncated.
func callsOfFindings(run report.Run) []json.RawMessage {
	kept := make([]json.RawMessage, len(run.Calls))
	for _, c := range run.Report.Cases {
		if c.Calls == nil || c.Verdict == suite.Passed || c.Verdict == suite.Skipped {
			continue
		}
		for line := max(c.Calls.First, 1); line <= min(c.Calls.Last, len(kept)); line++ {
			kept[line-1] = run.Calls[line-1]
		}
	}
	return kept
}
