// SPDX-License-Identifier: Apache-2.0

// Package journal keeps in a file what a run asks a driver to make, before the driver is asked. What a run that was killed has
// left can be found out from it, and nothing else: it has neither answers nor secrets but ids.
package journal

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
)

// Head says which run a journal is of.
type Head struct {
	// Run is the name of the run, and Driver the name of the driver.
	Run    string    `json:"run"`
	Driver string    `json:"driver"`
	Began  time.Time `json:"began"`
	// Dir is the directory of the run, which ends with it; empty where it is the caller's.
	Dir string `json:"dir,omitempty"`
}

// Line is one thing that happened. One of its fields is set.
type Line struct {
	Head *Head `json:"head,omitempty"`
	// Listed are the ids that the driver listed before the run made anything, by what they are of.
	Listed map[string][]string `json:"listed,omitempty"`
	Sent   *Sent               `json:"sent,omitempty"`
	// Answered is the answer to what was sent.
	Answered *Answered `json:"answered,omitempty"`
	Made     *Made     `json:"directory,omitempty"`
}

// Sent is a call that is about to be made.
type Sent struct {
	N int64 `json:"n"`
	// At is the node; empty for the controller.
	At     string `json:"at,omitempty"`
	Method string `json:"method"`
	// Request is what of the request is needed to undo the call.
	Request json.RawMessage `json:"request"`
}

// Answered is how the call of that number ended.
type Answered struct {
	N    int64      `json:"n"`
	Code codes.Code `json:"code"`
	// ID is what the call made, and Foreign says why that is not the run's own; empty where it is.
	ID      string `json:"id,omitempty"`
	Foreign string `json:"foreign,omitempty"`
	// Members are the snapshots of a group that the call made, with their volumes.
	Members []Member `json:"members,omitempty"`
}

// Member is a snapshot of a group.
type Member struct {
	ID     string `json:"id"`
	Volume string `json:"volume"`
}

// Made is a directory that is about to be made on a node.
type Made struct {
	At   string `json:"at"`
	Path string `json:"path"`
}

// Journal is a file that a run writes. A nil Journal writes nothing.
type Journal struct {
	mu    sync.Mutex
	file  *os.File
	count int64
	err   error // the first of a write
}

// ErrInUse says that the run of a journal has not ended.
var ErrInUse = errors.New("the run is still under way")

// Name is that of the journal of a run, and Pattern finds all of a directory.
func Name(run string) string { return "journal-" + run + ".jsonl" }

// Pattern matches the names of journals.
const Pattern = "journal-*.jsonl"

// Create makes a journal in the directory, and keeps it from others until this process has ended.
func Create(dir string, head Head) (*Journal, error) {
	const private = 0o600
	file, err := os.OpenFile(filepath.Join(dir, Name(head.Run)), os.O_CREATE|os.O_EXCL|os.O_WRONLY, private)
	if err != nil {
		return nil, fmt.Errorf("making the journal of the run: %w", err)
	}
	j := &Journal{file: file}
	if err := errors.Join(lock(file), j.Write(Line{Head: &head})); err != nil {
		return nil, errors.Join(fmt.Errorf("writing the journal of the run: %w", err), j.Remove())
	}
	return j, nil
}

// Write appends a line.
func (j *Journal) Write(line Line) error {
	if j == nil {
		return nil
	}
	data, err := json.Marshal(line)
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, err = j.file.Write(append(data, '\n')); err != nil && j.err == nil {
		j.err = err
	}
	return err
}

// Next is a number for a call.
func (j *Journal) Next() int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.count++
	return j.count
}

// Err is the first error of a write, after which the journal does not tell all.
func (j *Journal) Err() error {
	if j == nil {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.err
}

// Path is where the journal is.
func (j *Journal) Path() string { return j.file.Name() }

// Close leaves the journal for others.
func (j *Journal) Close() error {
	if j == nil {
		return nil
	}
	return j.file.Close()
}

// Remove removes the journal of a run that has left nothing.
func (j *Journal) Remove() error {
	if j == nil {
		return nil
	}
	return errors.Join(os.Remove(j.file.Name()), j.file.Close())
}

// Open opens the journal of a run that has ended, keeps it from others, and reads it. The error is ErrInUse while the run has
// not ended. A last line that was not written to its end is left out: the call had not been made.
func Open(path string) (*Journal, Head, []Line, error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, Head{}, nil, err
	}
	j := &Journal{file: file}
	if err := lock(file); err != nil {
		return nil, Head{}, nil, errors.Join(err, file.Close())
	}
	head, lines, err := read(file)
	if err != nil {
		return nil, Head{}, nil, errors.Join(fmt.Errorf("reading %s: %w", path, err), file.Close())
	}
	return j, head, lines, nil
}

func read(from io.Reader) (head Head, lines []Line, err error) {
	reader := bufio.NewReader(from)
	for {
		data, err := reader.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return head, nil, err
		}
		var line Line
		if err := json.Unmarshal(data, &line); err != nil {
			return head, nil, fmt.Errorf("line %d: %w", len(lines)+1, err)
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 || lines[0].Head == nil || lines[0].Head.Run == "" {
		return head, nil, errors.New("it does not begin as a journal of csi-topo")
	}
	return *lines[0].Head, lines[1:], nil
}
