// SPDX-License-Identifier: Apache-2.0

// Package journal records in a file which objects a run is about to make in a driver, so that they can be found if the run
// is killed. The file contains no secrets, and of answers only the codes and ids.
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

// Head identifies the run of a journal.
type Head struct {
	// Run is the name of the run, and Driver the name of the driver.
	Run    string    `json:"run"`
	Driver string    `json:"driver"`
	Began  time.Time `json:"began"`
	// Dir is the directory that the run made for itself and removes at its end. It is empty if the directory is the
	// caller's.
	Dir string `json:"dir,omitempty"`
}

// Line is one event. Exactly one of its fields is set.
type Line struct {
	Head *Head `json:"head,omitempty"`
	// Listed holds the ids that the driver listed before the run made anything, by kind.
	Listed map[string][]string `json:"listed,omitempty"`
	Sent   *Sent               `json:"sent,omitempty"`
	// Answered is the answer to a call.
	Answered *Answered `json:"answered,omitempty"`
	Made     *Made     `json:"directory,omitempty"`
}

// Sent is a call that is about to be made.
type Sent struct {
	N int64 `json:"n"`
	// At is the node; empty for the controller.
	At     string `json:"at,omitempty"`
	Method string `json:"method"`
	// Request holds the part of the request that is needed to undo the call.
	Request json.RawMessage `json:"request"`
}

// Answered describes how the call with that number ended.
type Answered struct {
	N    int64      `json:"n"`
	Code codes.Code `json:"code"`
	// ID identifies the object that the call made, and Foreign explains why it does not belong to the run. Foreign is empty
	// if it does.
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

// ErrInUse reports that the run of a journal has not ended.
var ErrInUse = errors.New("the run has not ended")

// Name returns the file name of the journal of a run. Pattern matches all journals in a directory.
func Name(run string) string { return "journal-" + run + ".jsonl" }

// Pattern matches the names of journals.
const Pattern = "journal-*.jsonl"

// Create makes a journal in the directory, and locks it until this process has ended.
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

// Next returns a number for a call.
func (j *Journal) Next() int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.count++
	return j.count
}

// Err returns the first error of a write. After it, the journal is incomplete.
func (j *Journal) Err() error {
	if j == nil {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.err
}

// Path returns the path of the journal.
func (j *Journal) Path() string { return j.file.Name() }

// Close unlocks the journal and leaves it in place.
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

// Open opens the journal of a run that has ended, locks it, and reads it. The error is ErrInUse while the run has not
// ended. Open ignores an incomplete last line, because its call had not been made.
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
		return head, nil, errors.New("it does not begin like a journal of csi-topo")
	}
	return *lines[0].Head, lines[1:], nil
}
