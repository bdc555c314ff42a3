// SPDX-License-Identifier: Apache-2.0

package nodeimage

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

func TestLayerContentIsTheSameEachTimeAndHasItsParents(t *testing.T) {
	files := map[string]file{
		"usr/bin/x": {mode: 0o755, content: []byte("x")},
		"bin/sh":    {mode: 0o777, link: "busybox"},
	}
	first, err := layerContent(files)
	if err != nil {
		t.Fatal(err)
	}
	second, err := layerContent(files)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, second) {
		t.Error("the same files gave two layers")
	}
	var names []string
	archive := tar.NewReader(bytes.NewReader(first))
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, header.Name+header.Linkname)
	}
	if want := []string{"bin/", "bin/shbusybox", "usr/", "usr/bin/", "usr/bin/x"}; !reflect.DeepEqual(names, want) {
		t.Errorf("want %v, got %v", want, names)
	}
}

func TestSavedImagesKeepTheirNames(t *testing.T) {
	image, err := scratch(map[string]file{"pause": {mode: 0o755}}, "/pause")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "images.tar")
	if err := save(path, map[string]v1.Image{"registry.k8s.io/pause:3.10": image, "localhost/a:b": image}); err != nil {
		t.Fatal(err)
	}
	for _, wanted := range []string{"registry.k8s.io/pause:3.10", "localhost/a:b"} {
		tag, err := name.NewTag(wanted)
		if err != nil {
			t.Fatal(err)
		}
		got, err := tarball.ImageFromPath(path, &tag)
		if err != nil {
			t.Errorf("%s is not in the archive: %v", wanted, err)
			continue
		}
		config, err := got.ConfigFile()
		if err != nil {
			t.Fatal(err)
		}
		if want := []string{"/pause"}; !reflect.DeepEqual(config.Config.Entrypoint, want) {
			t.Errorf("%s: want entrypoint %v, got %v", wanted, want, config.Config.Entrypoint)
		}
	}
}
