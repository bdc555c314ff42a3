// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"fmt"
	"os"
	"sync"
)

// Spool keeps the recorded calls of a run on disk until the report is written, so that they do not stay in memory. Its file
// has no name, so that nothing is left of it, however the run ends.
type Spool struct {
	mu   sync.Mutex // guards the following fields
	file *os.File
	size int64
	err  error // of the first write that failed
}

// NewSpool returns an empty spool, on the disk of the directory.
func NewSpool(dir string) (*Spool, error) {
	file, err := os.CreateTemp(dir, ".csi-topo-calls-")
	if err != nil {
		return nil, fmt.Errorf("making a file for the calls of the run: %w", err)
	}
	if err := os.Remove(file.Name()); err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("making a file for the calls of the run: %w", err)
	}
	return &Spool{file: file}, nil
}

// Close frees the disk space.
func (s *Spool) Close() error {
	if s == nil {
		return nil
	}
	return s.file.Close()
}

// span is the position of a line in the spool.
type span struct {
	at   int64
	size int
}

// add appends a line.
func (s *Spool) add(line []byte) span {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := span{s.size, len(line)}
	if s.err == nil {
		_, s.err = s.file.Write(line)
	}
	s.size += int64(len(line))
	return at
}

// read returns the line at the span.
func (s *Spool) read(at span) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return nil, fmt.Errorf("keeping the calls of the run: %w", s.err)
	}
	line := make([]byte, at.size)
	if _, err := s.file.ReadAt(line, at.at); err != nil {
		return nil, fmt.Errorf("reading the calls of the run: %w", err)
	}
	return line, nil
}
