// SPDX-License-Identifier: Apache-2.0

// Package cache keeps files that are slow to make in the user's cache directory, each entry under the hash of its inputs.
// It does not know the content of its entries.
package cache

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// retry is the interval at which a process checks an entry that another one is making.
const retry = 500 * time.Millisecond

// Dir is a cache directory.
type Dir struct{ root string }

// Default returns the cache of the current user, which need not exist yet.
func Default() (Dir, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return Dir{}, fmt.Errorf("finding the user's cache directory (set HOME or XDG_CACHE_HOME): %w", err)
	}
	return At(filepath.Join(base, "csi-topo")), nil
}

// At returns the cache in the given directory.
func At(root string) Dir { return Dir{root: root} }

// Path joins names below the cache directory.
func (d Dir) Path(names ...string) string {
	return filepath.Join(append([]string{d.root}, names...)...)
}

// Has reports whether an entry is complete.
func (d Dir) Has(kind, key string) bool {
	_, err := os.Stat(d.Path(kind, key))
	return err == nil
}

// Entry returns the directory kept under kind and key. If it does not exist, fill makes
// it in an empty directory that takes the entry's name only when complete, so that an
// interrupted fill is never mistaken for an entry. One process fills at a time; others
// wait for it.
func (d Dir) Entry(ctx context.Context, kind, key string, fill func(ctx context.Context, dir string) error) (string, error) {
	entry := d.Path(kind, key)
	if d.Has(kind, key) {
		return entry, nil
	}
	if err := os.MkdirAll(d.Path(kind), 0o755); err != nil {
		return "", fmt.Errorf("making the cache directory: %w", err)
	}
	unlock, err := d.lock(ctx, kind, key)
	if err != nil {
		return "", err
	}
	defer unlock()
	if d.Has(kind, key) {
		return entry, nil
	}

	partial := entry + ".partial"
	if err := os.RemoveAll(partial); err != nil {
		return "", fmt.Errorf("removing what an interrupted run left: %w", err)
	}
	if err := os.Mkdir(partial, 0o755); err != nil {
		return "", fmt.Errorf("making the cache entry: %w", err)
	}
	if err := fill(ctx, partial); err != nil {
		return "", errors.Join(err, os.RemoveAll(partial))
	}
	if err := os.Rename(partial, entry); err != nil {
		return "", fmt.Errorf("completing the cache entry: %w", err)
	}
	return entry, nil
}

func (d Dir) lock(ctx context.Context, kind, key string) (unlock func(), err error) {
	name := d.Path(kind, key+".lock")
	file, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("opening the lock of a cache entry: %w", err)
	}
	ticker := time.NewTicker(retry)
	defer ticker.Stop()
	for {
		err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			return func() { _ = file.Close() }, nil
		}
		if !errors.Is(err, unix.EWOULDBLOCK) {
			_ = file.Close()
			return nil, fmt.Errorf("locking a cache entry: %w", err)
		}
		select {
		case <-ctx.Done():
			_ = file.Close()
			return nil, fmt.Errorf("waiting for another process to make %s: %w", name, ctx.Err())
		case <-ticker.C:
		}
	}
}

// Key returns the hash of strings, in order: 16 hexadecimal digits.
func Key(parts ...string) string {
	hash := sha256.New()
	for _, part := range parts {
		_, _ = fmt.Fprintf(hash, "%d\n%s\n", len(part), part)
	}
	return hex.EncodeToString(hash.Sum(nil))[:16]
}

// KeyOfFiles returns the hash of the names and contents of every regular file in fsys.
func KeyOfFiles(fsys fs.FS) (string, error) {
	var parts []string
	err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		parts = append(parts, name, string(content))
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("hashing files: %w", err)
	}
	return Key(parts...), nil
}
