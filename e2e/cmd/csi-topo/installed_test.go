// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"

	"github.com/csi-topo/csi-topo/clusters/nodeimage"
)

// moduleFile is a file of the work tree that goes into a module's zip.
type moduleFile struct{ root, path string }

func (f moduleFile) Path() string                 { return f.path }
func (f moduleFile) Lstat() (os.FileInfo, error)  { return os.Lstat(filepath.Join(f.root, f.path)) }
func (f moduleFile) Open() (io.ReadCloser, error) { return os.Open(filepath.Join(f.root, f.path)) }

// output runs a command in a directory, with additional environment variables, and returns its output.
func output(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, args...)
	command.Dir, command.Env = dir, append(os.Environ(), env...)
	var errOut bytes.Buffer
	command.Stderr = &errOut
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", command, err, out, errOut.String())
	}
	return string(out)
}

// publish makes a module proxy in a directory, with the work tree as its only module.
func publish(t *testing.T, version module.Version, root string) (proxy string) {
	t.Helper()
	var files []zip.File
	for path := range strings.SplitSeq(output(t, root, nil, "git", "ls-files", "-co", "--exclude-standard", "--deduplicate", "-z"), "\x00") {
		file := moduleFile{root, path}
		if info, err := file.Lstat(); err == nil && info.Mode().IsRegular() {
			files = append(files, file)
		}
	}
	proxy = t.TempDir()
	dir := filepath.Join(proxy, version.Path, "@v")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	archive, err := os.Create(filepath.Join(dir, version.Version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	if err := zip.Create(archive, version, files); err != nil {
		t.Fatal(err)
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	info := fmt.Sprintf(`{"Version": %q}`, version.Version)
	for name, content := range map[string]string{
		"list": "", "../@latest": info, version.Version + ".mod": string(mod), version.Version + ".info": info,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return proxy
}

// installedVersion is the version that the module of e2e/example requires. The modules are in a separate directory of the
// test: so Go's build cache already has each package that was compiled for this test or for the example, unless it has
// changed since.
const installedCommit, installedVersion = "000000000000", "v0.0.0-00010101000000-" + installedCommit

// TestInstalledAtAVersion installs the program as its users do, and checks that in an empty directory it finds everything
// that a cluster is made from: the sources that it builds, and the files that the profiles of the reference driver name.
func TestInstalledAtAVersion(t *testing.T) {
	t.Parallel()
	version := module.Version{Path: "github.com/csi-topo/csi-topo", Version: installedVersion}
	root := strings.TrimSpace(output(t, ".", nil, "git", "rev-parse", "--show-toplevel"))
	proxies := strings.TrimSpace(output(t, ".", nil, "go", "env", "GOPROXY"))
	kept := strings.TrimSpace(output(t, ".", nil, "go", "env", "GOMODCACHE"))
	bin, empty, modules := t.TempDir(), t.TempDir(), t.TempDir()
	// Dependencies come from Go's own cache, which has been verified against go.sum.
	env := []string{
		"GOBIN=" + bin, "GOMODCACHE=" + modules, "GOPROXY=file://" + publish(t, version, root) + ",file://" + filepath.Join(kept, "cache", "download") + "," + proxies,
		"GOSUMDB=off", "GOWORK=off", "GOFLAGS=" + os.Getenv("GOFLAGS") + " -trimpath -modcacherw",
	}

	output(t, empty, env, "go", "install", version.Path+"/e2e/cmd/csi-topo@"+version.Version)

	if printed := output(t, empty, env, filepath.Join(bin, "csi-topo"), "version"); !strings.HasPrefix(printed, "csi-topo "+version.Version+", ") || !strings.HasSuffix(printed, "\ncommit "+installedCommit+"\n") {
		t.Errorf("want the version and the commit that were installed, %s, got:\n%s", version.Version, printed)
	}
	planned := output(t, empty, env, filepath.Join(bin, "csi-topo"), "cluster", "--dry-run", "--label", "smoke")
	if want := "cluster: one of layout zones with Kubernetes " + nodeimage.DefaultMinor + ", created for the run"; !strings.Contains(planned, want) {
		t.Errorf("want %q, got:\n%s", want, planned)
	}
	for _, program := range []string{"./e2e/cmd/csi-topo-sidecar", "./driver/cmd/hostpath-topo"} {
		output(t, filepath.Join(modules, version.String()), env, "go", "build", "-o", bin+"/", program)
	}
}
