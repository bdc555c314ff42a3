// SPDX-License-Identifier: Apache-2.0

package nodeimage

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"runtime"
	"slices"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// file is a file of an image.
type file struct {
	mode    fs.FileMode
	content []byte
	// link is the target of a symbolic link; such a file has no content.
	link string
}

// scratch returns an image with only the given files, by their paths without the leading slash, in one layer.
func scratch(files map[string]file, entrypoint ...string) (v1.Image, error) {
	content, err := layerContent(files)
	if err != nil {
		return nil, fmt.Errorf("writing an image layer: %w", err)
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(content)), nil
	}, tarball.WithCompressionLevel(gzip.BestSpeed), tarball.WithCompressedCaching)
	if err != nil {
		return nil, fmt.Errorf("compressing an image layer: %w", err)
	}
	image, err := mutate.AppendLayers(empty.Image, layer)
	if err != nil {
		return nil, fmt.Errorf("adding an image layer: %w", err)
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, fmt.Errorf("reading an image's configuration: %w", err)
	}
	config = config.DeepCopy()
	config.OS, config.Architecture = "linux", runtime.GOARCH
	config.Config.Entrypoint = entrypoint
	config.Config.Env = []string{"PATH=/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin"}
	return mutate.ConfigFile(image, config)
}

// layerContent returns a reproducible archive: sorted, without times or owners.
func layerContent(files map[string]file) ([]byte, error) {
	var out bytes.Buffer
	archive := tar.NewWriter(&out)
	made := map[string]bool{".": true}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := writeParents(archive, made, path.Dir(name)); err != nil {
			return nil, err
		}
		f := files[name]
		header := &tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: int64(f.mode), Size: int64(len(f.content))}
		if f.link != "" {
			header.Typeflag, header.Linkname, header.Size = tar.TypeSymlink, f.link, 0
		}
		if err := archive.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := archive.Write(f.content); err != nil {
			return nil, err
		}
	}
	if err := archive.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func writeParents(archive *tar.Writer, made map[string]bool, dir string) error {
	if made[dir] {
		return nil
	}
	if err := writeParents(archive, made, path.Dir(dir)); err != nil {
		return err
	}
	made[dir] = true
	return archive.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: dir + "/", Mode: 0o755})
}

// save writes images to an archive that both `docker load` and `ctr images import` read.
func save(path string, images map[string]v1.Image) error {
	byTag := map[name.Tag]v1.Image{}
	for image, content := range images {
		tag, err := name.NewTag(image)
		if err != nil {
			return fmt.Errorf("naming an image: %w", err)
		}
		byTag[tag] = content
	}
	if err := tarball.MultiWriteToFile(path, byTag); err != nil {
		return fmt.Errorf("writing an image archive: %w", err)
	}
	return nil
}
