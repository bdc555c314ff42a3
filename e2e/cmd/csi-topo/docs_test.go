// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/report"
)

// blocks are the fenced blocks of a document in this language.
func blocks(t *testing.T, document, language string) []string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("../../../docs", document))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, block := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```$").FindAllStringSubmatch(string(content), -1) {
		found = append(found, block[1])
	}
	return found
}

// TestGuide runs the guide's commands in their order, on a driver elsewhere, from the profile to the reports. How the command
// is installed is TestInstalledAtAVersion's.
func TestGuide(t *testing.T) {
	driver, _ := elsewhere(t, "a", "b")
	dir := t.TempDir()
	here := strings.NewReplacer(
		"/csi/controller.sock", strings.TrimPrefix(driver.Controller, "unix://"),
		"/csi/node-a.sock", strings.TrimPrefix(driver.Nodes[0].Endpoint, "unix://"),
		"/csi/node-b.sock", strings.TrimPrefix(driver.Nodes[1].Endpoint, "unix://"),
		"my.yaml", filepath.Join(dir, "my.yaml"), "_report", filepath.Join(dir, "report"), "_again", filepath.Join(dir, "again"), "'", "",
	)
	runCommands(t, "guide.md", here)
	if _, err := os.Stat(filepath.Join(dir, "report", "report.html")); err != nil {
		t.Errorf("the guide leads to no page: %v", err)
	}
}

// TestAirGapped runs the commands that need no registry.
func TestAirGapped(t *testing.T) {
	runCommands(t, "air-gapped.md", strings.NewReplacer())
}

// runCommands runs the commands of a document, which are to succeed, with what stands for this test's own files and sockets.
func runCommands(t *testing.T, document string, here *strings.Replacer) {
	t.Helper()
	found := 0
	for _, block := range blocks(t, document, "sh") {
		for line := range strings.Lines(block) {
			command, isCommand := strings.CutPrefix(strings.TrimSpace(line), "csi-topo ")
			if !isCommand {
				continue
			}
			found++
			command, _, _ = strings.Cut(command, " #")
			if p := program(t, "", strings.Fields(here.Replace(command))...); p.exit != report.ExitPassed {
				t.Errorf("%s: exit status %d: %s\n%s", command, p.exit, p.errOut, p.out)
			}
		}
	}
	if found == 0 {
		t.Errorf("%s has no commands", document)
	}
}

// TestTroubleshooting has the program print what the document says that it prints, where … stands for anything.
func TestTroubleshooting(t *testing.T) {
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
	shown := blocks(t, "troubleshooting.md", "console")
	if len(shown) == 0 {
		t.Fatal("the document shows no messages")
	}
	for _, block := range shown {
		lines := strings.Split(strings.TrimSpace(block), "\n")
		for i := 0; i+1 < len(lines); i += 2 {
			command, isCommand := strings.CutPrefix(lines[i], "$ csi-topo ")
			if !isCommand {
				t.Fatalf("want a command, got %q", lines[i])
			}
			p := program(t, "", strings.Fields(here.Replace(command))...)
			want := strings.ReplaceAll(regexp.QuoteMeta(lines[i+1]), "…", ".*")
			if printed := strings.TrimSpace(p.errOut); p.exit != report.ExitError || !regexp.MustCompile("^"+want+"$").MatchString(printed) {
				t.Errorf("%s: exit status %d\nwant: %s\ngot:  %s", command, p.exit, lines[i+1], printed)
			}
		}
	}
}

// TestRequirementsPage wants docs/requirements.md as make generate writes it now.
func TestRequirementsPage(t *testing.T) {
	written, err := os.ReadFile("../../../docs/requirements.md")
	if err != nil {
		t.Fatal(err)
	}
	if p := program(t, "", "requirements", "-o", "markdown"); p.out != string(written) {
		t.Errorf("docs/requirements.md is not of this register and these cases: run make generate\n%s", p.errOut)
	}
}
