// SPDX-License-Identifier: Apache-2.0

package nodeimage

import (
	"archive/tar"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-containerregistry/pkg/crane"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
)

// TestOwnProgramWithoutBase checks that the image contains only the program, and that the same source gives the same
// image.
func TestOwnProgramWithoutBase(t *testing.T) {
	b, _ := builder(t)
	for name, content := range map[string]string{"go.mod": "module example.com/program\n\ngo 1.26\n", "main.go": "package main\n\nfunc main() {}\n"} {
		if err := os.WriteFile(filepath.Join(b.Source, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	wanted := ownImage{repository: "example", module: b.Source, what: ".", as: "program", entrypoint: []string{"/program"}}
	archive, err := b.ownProgram(t.Context(), wanted)
	if err != nil {
		t.Fatal(err)
	}
	again, err := b.ownProgram(t.Context(), wanted)
	if err != nil || !slices.Equal(again.Images, archive.Images) {
		t.Errorf("want %q again, got %q, %v", archive.Images, again.Images, err)
	}
	image, err := crane.Load(archive.Path)
	if err != nil {
		t.Fatal(err)
	}
	config, err := image.ConfigFile()
	if err != nil || !slices.Equal(config.Config.Entrypoint, wanted.entrypoint) {
		t.Errorf("want the entry point %q, got %+v, %v", wanted.entrypoint, config, err)
	}
	content := mutate.Extract(image)
	defer func() { _ = content.Close() }()
	var files []string
	for archived := tar.NewReader(content); ; {
		header, err := archived.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, header.Name)
	}
	if !slices.Equal(files, []string{"program"}) {
		t.Errorf("want the program alone, got %q", files)
	}
}
