// SPDX-License-Identifier: Apache-2.0

package usage

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"k8s.io/klog/v2"

	"github.com/csi-topo/csi-topo/driver/durable"
)

const (
	recordSuffix = ".json"
	// unfinishedSuffix is the suffix of an unfinished file.
	unfinishedSuffix = ".new"
)

// files keeps each record in a separate file, so that a damaged one affects no other. Without a directory, there are no
// files.
type files struct {
	dir   string
	watch durable.Watch
}

// nameOf returns the name of a record's file. It is a hash, because a path may be longer than a name, and no id or path
// can lead out of the directory.
func nameOf(at At) string {
	hash := sha256.Sum256([]byte(string(at.Role) + "\x00" + at.VolumeID + "\x00" + at.Path))
	return hex.EncodeToString(hash[:]) + recordSuffix
}

// read makes the directory if it is missing, and returns the records in it.
func (f files) read(ctx context.Context) ([]Record, error) {
	if f.dir == "" {
		return nil, nil
	}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return nil, err
	}
	var records []Record
	for _, entry := range entries {
		path := filepath.Join(f.dir, entry.Name())
		switch {
		case strings.HasSuffix(entry.Name(), unfinishedSuffix):
			f.drop(ctx, path, errors.New("it was not finished"))
		case strings.HasSuffix(entry.Name(), recordSuffix):
			text, err := os.ReadFile(path)
			if err != nil {
				// It may be complete, so it stays.
				klog.FromContext(ctx).Error(err, "the record of how a volume is used cannot be read; what is mounted counts", "file", path)
				continue
			}
			r, err := decode(text, entry.Name())
			if err != nil {
				f.drop(ctx, path, err)
				continue
			}
			records = append(records, r)
		}
	}
	return records, nil
}

// drop removes a file without a valid record. To lose a record is better than a node plugin that does not start.
func (f files) drop(ctx context.Context, path string, reason error) {
	logger := klog.FromContext(ctx).WithValues("file", path)
	logger.Info("dropping a file that does not describe how a volume is used; what is mounted counts", "reason", reason.Error())
	if err := f.watch.Do("remove usage", func() error { return os.Remove(path) }); err != nil {
		logger.Error(err, "the file cannot be removed: remove it by hand")
	}
}

// decode returns the record in a file with that name, or an error.
func decode(text []byte, name string) (Record, error) {
	var r Record
	if err := json.Unmarshal(text, &r); err != nil {
		return r, err
	}
	if err := r.check(); err != nil {
		return r, err
	}
	if nameOf(r.At) != name {
		return r, fmt.Errorf("it has the record of volume %q as %s at %s, whose file has another name", r.VolumeID, r.Role, r.Path)
	}
	return r, nil
}

// write writes the record, and flushes it to disk. The file gets its name only when it is complete.
func (f files) write(r Record) error {
	if f.dir == "" {
		return nil
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	var unfinished string
	err = f.watch.Do("write usage", func() (err error) {
		unfinished, err = f.writeUnfinished(text)
		return err
	})
	if err == nil {
		err = f.watch.Do("name usage", func() error { return os.Rename(unfinished, filepath.Join(f.dir, nameOf(r.At))) })
	}
	if err == nil {
		return f.sync()
	}
	if unfinished == "" {
		return err
	}
	if removed := os.Remove(unfinished); !errors.Is(removed, fs.ErrNotExist) {
		return errors.Join(err, removed)
	}
	return err
}

// writeUnfinished writes a file under a temporary name, and returns its path.
func (f files) writeUnfinished(text []byte) (string, error) {
	file, err := os.CreateTemp(f.dir, "*"+unfinishedSuffix)
	if err != nil {
		return "", err
	}
	_, err = file.Write(text)
	if err == nil {
		err = file.Sync()
	}
	return file.Name(), errors.Join(err, file.Close())
}

// remove removes the file of a record. It succeeds if there is none.
func (f files) remove(at At) error {
	if f.dir == "" {
		return nil
	}
	err := f.watch.Do("remove usage", func() error { return os.Remove(filepath.Join(f.dir, nameOf(at))) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.sync()
}

// sync flushes the names in the directory to disk.
func (f files) sync() error {
	return f.watch.Do("sync usages", func() error {
		dir, err := os.Open(f.dir)
		if err != nil {
			return err
		}
		return errors.Join(dir.Sync(), dir.Close())
	})
}
