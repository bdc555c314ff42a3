// SPDX-License-Identifier: Apache-2.0

package nodeimage

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// closure returns the named programs of an unpacked Debian file system, with the libraries and the loader they need, by
// their path in an image. Programs are paths such as "usr/sbin/mkfs.xfs". It requires a merged /usr, as in Debian since
// 12.
func closure(root string, programs ...string) (map[string]file, error) {
	files := map[string]file{}
	for _, program := range programs {
		if err := addClosure(files, root, program, program); err != nil {
			return nil, fmt.Errorf("collecting %s with its libraries: %w", program, err)
		}
	}
	return files, nil
}

// addClosure adds the file at from, under the name as, and then its dependencies.
func addClosure(files map[string]file, root, from, as string) error {
	if _, ok := files[as]; ok {
		return nil
	}
	content, err := readIn(root, from)
	if err != nil {
		return err
	}
	files[as] = file{mode: 0o755, content: content}

	object, err := elf.NewFile(bytes.NewReader(content))
	if err != nil {
		return fmt.Errorf("%s is not an ELF file: %w", from, err)
	}
	defer func() { _ = object.Close() }()
	if loader := interpreter(object); loader != "" {
		name := loader[1:]
		if err := addClosure(files, root, filepath.Join("usr", name), name); err != nil {
			return err
		}
	}
	libraries, err := object.ImportedLibraries()
	if err != nil {
		return fmt.Errorf("reading the libraries of %s: %w", from, err)
	}
	for _, library := range libraries {
		found, err := findLibrary(root, library)
		if err != nil {
			return err
		}
		if err := addClosure(files, root, found, found); err != nil {
			return err
		}
	}
	return nil
}

func interpreter(object *elf.File) string {
	for _, segment := range object.Progs {
		if segment.Type != elf.PT_INTERP {
			continue
		}
		name, err := io.ReadAll(segment.Open())
		if err != nil {
			return ""
		}
		return path.Clean(string(bytes.TrimRight(name, "\x00")))
	}
	return ""
}

func findLibrary(root, library string) (string, error) {
	places, err := fs.Glob(os.DirFS(root), "usr/lib/*-linux-gnu*/"+library)
	if err != nil {
		return "", err
	}
	if len(places) == 0 {
		return "", fmt.Errorf("library %s is not in %s: %w", library, filepath.Join(root, "usr/lib"), fs.ErrNotExist)
	}
	return places[0], nil
}

// readIn reads a file of an unpacked file system, following links without leaving it.
func readIn(root, name string) (content []byte, err error) {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	for range 10 {
		info, err := dir.Lstat(name)
		if err != nil {
			return nil, err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			return dir.ReadFile(name)
		}
		target, err := dir.Readlink(name)
		if err != nil {
			return nil, err
		}
		if path.IsAbs(target) {
			name = target[1:]
		} else {
			name = path.Join(path.Dir(name), target)
		}
	}
	return nil, fmt.Errorf("%s: too many links", name)
}
