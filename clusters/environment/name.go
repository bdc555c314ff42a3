// SPDX-License-Identifier: Apache-2.0

package environment

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// claim reserves a cluster's name for this process, so that two concurrent runs never use one cluster. It returns an
// error if a requested name is taken; if none is requested, it finds a free one.
func (p *plan) claim() (name string, release func(), err error) {
	name = p.Name
	if name == "" {
		name = DefaultName
	}
	release, err = p.lockName(name)
	if !errors.Is(err, unix.EWOULDBLOCK) {
		return name, release, err
	}
	if p.Name != "" {
		return "", nil, fmt.Errorf("cluster %s is in use by another run: wait for it, or choose another with --name", p.Name)
	}
	suffix := make([]byte, 3)
	_, _ = rand.Read(suffix) // It never fails: see crypto/rand.
	name = DefaultName + "-" + hex.EncodeToString(suffix)
	release, err = p.lockName(name)
	return name, release, err
}

func (p *plan) lockName(name string) (release func(), err error) {
	dir := p.cache.Path("clusters")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("making the directory of clusters: %w", err)
	}
	file, err := os.OpenFile(p.cache.Path("clusters", name+".lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("opening the lock of cluster %s: %w", name, err)
	}
	if err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return nil, errors.Join(fmt.Errorf("locking cluster %s: %w", name, err), file.Close())
	}
	return func() { _ = file.Close() }, nil
}
