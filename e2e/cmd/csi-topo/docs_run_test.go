// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/report"
)

// TestRunDocuments runs the commands of each page's blocks in order, on a driver elsewhere and in a separate directory.
// TestInstalledAtAVersion covers the installation of the command, and TestExampleOfALibrary the slowest cases on a driver
// elsewhere.
func TestRunDocuments(t *testing.T) {
	root, err := filepath.Abs(repository)
	if err != nil {
		t.Fatal(err)
	}
	ran := map[string]bool{}
	for _, d := range documents(t) {
		commands := slices.DeleteFunc(d.commands(), func(c shellCommand) bool { return !runs(c) })
		if len(commands) == 0 {
			continue
		}
		ran[d.path] = true
		t.Run(d.path, func(t *testing.T) {
			driver, _ := elsewhere(t, "a", "b")
			here := strings.NewReplacer(
				"/csi/controller.sock", strings.TrimPrefix(driver.Controller, "unix://"),
				"/csi/node-a.sock", strings.TrimPrefix(driver.Nodes[0].Endpoint, "unix://"),
				"/csi/node-b.sock", strings.TrimPrefix(driver.Nodes[1].Endpoint, "unix://"),
			)
			t.Chdir(t.TempDir())
			for name, of := range map[string]string{
				"fixtures":        "fixtures",
				"reports":         "reports",
				"testdriver.yaml": "e2e/internal/target/profiling/convert/testdata/zonal.yaml",
			} {
				if err := os.Symlink(filepath.Join(root, of), name); err != nil {
					t.Fatal(err)
				}
			}
			for _, command := range commands {
				var words []string
				for _, word := range command.words[1:] {
					words = append(words, here.Replace(word))
				}
				if words[0] == "spec" {
					words = append(words, "--skip", "^combinations_", "--skip", "^sanity_")
				}
				p := program(t, "", words...)
				if p.exit != report.ExitPassed {
					t.Errorf("%s: exit status %d: %s\n%s", command, p.exit, p.errOut, p.out)
				}
			}
			if _, err := os.Stat("_report/report.html"); err != nil && strings.Contains(strings.Join(d.code["sh"], ""), "--report-dir _report") {
				t.Errorf("the commands lead to no page: %v", err)
			}
		})
	}
	for _, page := range []string{"README.md", "docs/guide.md", "docs/profile.md", "docs/air-gapped.md"} {
		if !ran[page] {
			t.Errorf("%s has no command that can be run", page)
		}
	}
}

// runs reports whether a command can be run here, and is expected to succeed: it is a csi-topo command in a block of
// commands, needs no cluster, registry or driver of the reader, and has no placeholder.
func runs(command shellCommand) bool {
	words, isOurs := command.arguments("csi-topo")
	switch {
	case !isOurs || !command.whole || command.shown || len(words) == 0:
		return false
	case slices.Contains([]string{"cluster", "up", "down", "engine", "job"}, words[0]):
		return false
	case words[0] == "images" && !slices.Contains(words, "--list"):
		return false
	}
	return !slices.ContainsFunc(words, func(word string) bool {
		return stands(word) || strings.HasPrefix(word, "/") && !strings.HasPrefix(word, "/csi/")
	})
}

// TestRunConsoles checks that the program prints the output in the console blocks of pages, where … matches anything.
func TestRunConsoles(t *testing.T) {
	var shown []string
	for _, d := range documents(t) {
		shown = append(shown, d.code["console"]...)
	}
	if len(shown) == 0 {
		t.Fatal("no page shows a message")
	}
	dir := t.TempDir()
	for name, content := range map[string]string{
		"misspelled.yaml": "driver: csi.example.com\nvolumeByte: 10\n",
		"no-cluster.yaml": "driver: csi.example.com\nvolumeBytes: 10\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	here := strings.NewReplacer("misspelled.yaml", filepath.Join(dir, "misspelled.yaml"), "no-cluster.yaml", filepath.Join(dir, "no-cluster.yaml"),
		"nowhere.yaml", filepath.Join(dir, "nowhere.yaml"))
	for _, block := range shown {
		lines := strings.Split(strings.TrimSpace(block), "\n")
		for i := 0; i+1 < len(lines); i += 2 {
			command, isCommand := strings.CutPrefix(lines[i], "$ csi-topo ")
			if !isCommand {
				t.Fatalf("want a command, got %q", lines[i])
			}
			p := program(t, "", wordsOf(here.Replace(command))...)
			want := strings.ReplaceAll(regexp.QuoteMeta(lines[i+1]), "…", ".*")
			if printed := strings.TrimSpace(p.errOut); p.exit != report.ExitError || !regexp.MustCompile("^"+want+"$").MatchString(printed) {
				t.Errorf("%s: exit status %d\nwant: %s\ngot:  %s", command, p.exit, lines[i+1], printed)
			}
		}
	}
}
