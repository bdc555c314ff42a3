// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// removeMarker removes the marker from the image, which leaves it empty.
func removeMarker(l *life) {
	l.t.Helper()
	info, err := os.Stat(l.image())
	must(l.t, err)
	must(l.t, os.Truncate(l.image(), 0))
	must(l.t, os.Truncate(l.image(), info.Size()))
}

// withXFS puts an XFS into the image, with the marker in a file.
func withXFS(l *life) {
	l.t.Helper()
	removeMarker(l)
	content := filepath.Join(string(l.at), "marker")
	must(l.t, os.WriteFile(content, []byte(marker), 0o600))
	// See "Prototype file" in mkfs.xfs(8): a root directory with one file in it.
	prototype := filepath.Join(string(l.at), "prototype")
	must(l.t, os.WriteFile(prototype, fmt.Appendf(nil, "/dev/null\n0 0\nd--755 0 0\nmarker ---644 0 0 %s\n$\n", content), 0o600))
	l.mkfs("mkfs.xfs", "-q", "-K", "-p", prototype, l.image())
}

// withExt4 puts an ext4 of the given size into the image, with the marker in a file.
func withExt4(bytes int64) func(*life) {
	return func(l *life) {
		l.t.Helper()
		root := filepath.Join(string(l.at), "root")
		must(l.t, os.Mkdir(root, 0o755))
		must(l.t, os.WriteFile(filepath.Join(root, "marker"), []byte(marker), 0o600))
		l.mkfs("mkfs.ext4", "-q", "-F", "-E", "nodiscard", "-d", root, l.image(), fmt.Sprintf("%dk", bytes>>10))
	}
}

// image returns the path of the image of volume "v".
func (l *life) image() string { return l.at.image(l.id("v")) }

func (l *life) mkfs(program string, arguments ...string) {
	l.t.Helper()
	if output, err := exec.CommandContext(l.t.Context(), program, arguments...).CombinedOutput(); err != nil {
		l.t.Fatalf("%s %q: %v: %s", program, arguments, err, output)
	}
}
