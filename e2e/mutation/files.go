// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"errors"
	"os"
	"path/filepath"
)

// RemoveFiles removes the files that are in a directory.
func RemoveFiles(path string) error {
	files, err := os.ReadDir(path)
	for _, file := range files {
		err = errors.Join(err, os.RemoveAll(filepath.Join(path, file.Name())))
	}
	return err
}

// ReadFiles reads the files that are in a directory, by their names; there are none in what is no directory.
func ReadFiles(path string) map[string][]byte {
	files := map[string][]byte{}
	entries, _ := os.ReadDir(path)
	for _, entry := range entries {
		if data, err := os.ReadFile(filepath.Join(path, entry.Name())); err == nil {
			files[entry.Name()] = data
		}
	}
	return files
}

// WriteFiles writes files to a directory. What cannot be written there is left out.
func WriteFiles(path string, files map[string][]byte) {
	const private = 0o600
	for name, data := range files {
		_ = os.WriteFile(filepath.Join(path, name), data, private)
	}
}
