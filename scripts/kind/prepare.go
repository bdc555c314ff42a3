// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/google/go-containerregistry/pkg/crane"

	"github.com/csi-topo/csi-topo/clusters/cache"
	"github.com/csi-topo/csi-topo/clusters/engine"
	"github.com/csi-topo/csi-topo/clusters/nodeimage"
	"github.com/csi-topo/csi-topo/clusters/progress"
)

const (
	program = "hostpath-topo"
	// nodeFile contains the name of the node image, if it was built.
	nodeFile = "node"
)

// prepare writes archives of images to dir, and the name of the node image if one was built.
func prepare(ctx context.Context, found *engine.Engine, dir, driver, busybox string) error {
	mode, err := nodeimage.ParseMode(os.Getenv("IMAGES"))
	if err != nil {
		return err
	}
	source, err := os.Getwd()
	if err != nil {
		return err
	}
	kept, err := cache.Default()
	if err != nil {
		return err
	}
	builder := nodeimage.Builder{
		Source: source, Cache: kept, Progress: progress.New(os.Stderr, kept.Path("logs", "ten-minutes")), EngineEnv: found.Env(),
		// The nodes pull published images.
		Runs: func(built bool, _ []string) (bool, error) { return built, nil },
	}
	images, err := builder.Ensure(ctx, nodeimage.DefaultMinor, mode, map[string]nodeimage.Program{program: {Dir: filepath.Join(source, "driver/cmd", program)}})
	if err != nil {
		return err
	}
	names := map[string]string{images.Programs[program]: driver}
	if images.Built {
		names[images.Workload] = busybox // the workload image contains busybox
		if err := os.WriteFile(filepath.Join(dir, nodeFile), []byte(images.Node), 0o644); err != nil {
			return err
		}
	}
	for _, archive := range images.EveryNode {
		if name, wanted := names[archive.Images[0]]; wanted {
			if err := rename(archive.Path, name, dir); err != nil {
				return err
			}
		}
	}
	for _, archive := range images.Sidecars {
		if err := os.Symlink(archive.Path, filepath.Join(dir, filepath.Base(filepath.Dir(archive.Path))+".tar")); err != nil {
			return err
		}
	}
	return nil
}

// rename copies an archive of one image into dir, under another name.
func rename(archive, name, dir string) error {
	image, err := crane.Load(archive)
	if err != nil {
		return fmt.Errorf("reading %s: %w", archive, err)
	}
	digest, err := image.Digest()
	if err != nil {
		return fmt.Errorf("reading %s: %w", archive, err)
	}
	return crane.Save(image, name, filepath.Join(dir, digest.Hex+".tar"))
}
