// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/service"
	"github.com/csi-topo/csi-topo/e2e/profile"
)

// Low limits of the embedded driver, so that cases reach them.
const (
	maxVolumesPerNode = 8
	smallestVolume    = 1 << 20   // bytes
	largestVolume     = 512 << 20 // bytes, less than the room of a segment
)

// embeddedDriver is the reference driver in this process.
type embeddedDriver struct {
	*embedded.Driver
	options embedded.Options
}

// embed starts the reference driver in this process, with its sockets and records in the directory.
func embed(ctx context.Context, dir string) (*embeddedDriver, error) {
	e := unstarted(dir)
	return e, e.start(ctx)
}

// unstarted returns the driver for start.
func unstarted(dir string) *embeddedDriver {
	return &embeddedDriver{options: embedded.Options{
		Dir:               dir,
		Sizes:             service.Sizes{MinimumBytes: smallestVolume, MaximumBytes: largestVolume},
		MaxVolumesPerNode: maxVolumesPerNode,
	}}
}

// start starts the driver, which takes over the volumes of an earlier one.
func (e *embeddedDriver) start(ctx context.Context) error {
	// After an interrupt the cases still remove their volumes, so the driver must outlive the context.
	driver, err := embedded.Start(context.WithoutCancel(ctx), e.options)
	if err != nil {
		return fmt.Errorf("starting the reference driver: %w", err)
	}
	e.Driver, e.options.Volumes = driver, driver.Volumes
	return nil
}

// restart ends the driver and starts it again at the same endpoints, with its former records and volumes.
func (e *embeddedDriver) restart(ctx context.Context) error {
	if err := e.Stop(); err != nil {
		return fmt.Errorf("ending the reference driver: %w", err)
	}
	return e.start(ctx)
}

// fromFile reads a profile, and returns an error if it waives a case that does not exist.
func fromFile(path string) (profile.Profile, error) {
	read, err := profile.Load(path)
	if err != nil {
		return profile.Profile{}, err
	}
	if err := checkWaivers(path, read); err != nil {
		return profile.Profile{}, err
	}
	return read, nil
}

// directory creates a directory for sockets and staged volumes. Its path is short, as sockets require.
func directory() (dir string, remove func() error, err error) {
	return removable(os.MkdirTemp("", "csi-topo-"))
}

// directoryInMemory creates a directory for a run with the embedded driver.
func directoryInMemory() (dir string, remove func() error, err error) {
	return removable(embedded.MkdirTemp("csi-topo-"))
}

// removable returns a created directory, and a function that removes it.
func removable(dir string, err error) (string, func() error, error) {
	if err != nil {
		return "", nil, fmt.Errorf("making a directory for the run: %w", err)
	}
	return dir, func() error { return os.RemoveAll(dir) }, nil
}
