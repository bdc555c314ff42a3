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
)

// mostCallBytes is how much of the page calls may take, so that all of it stays below a megabyte.
const mostCallBytes = 640 << 10

// pack returns a value as the page's script reads it: compressed JSON in base64, which needs no escaping in HTML.
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

// packCalls returns the calls of the runs in their order, as long as there is room. In the data, a run whose calls are
// left out says so.
func packCalls(runs []report.Run, all *pageData) []callsBlock {
	var blocks []callsBlock
	room := mostCallBytes
	for i, run := range runs {
		if len(run.Calls) == 0 {
			continue
		}
		packed, err := pack(run.Calls)
		if err != nil || len(packed) > room {
			all.Runs[i].CallsLeftOut = true
			continue
		}
		room -= len(packed)
		blocks = append(blocks, callsBlock{Run: i, Data: packed})
	}
	return blocks
}
