// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const modulePath = "github.com/csi-topo/csi-topo"

// makefile holds the targets and settings of make.
type makefile struct{ targets, settings []string }

func readMakefile(t *testing.T) makefile {
	t.Helper()
	text := documentText(t, "Makefile")
	all := func(expression string) (found []string) {
		for _, match := range regexp.MustCompile(expression).FindAllStringSubmatch(text, -1) {
			found = append(found, match[1])
		}
		return found
	}
	return makefile{targets: all(`(?m)^([a-z0-9-]+):`), settings: all(`\$\(([A-Z_]+)\)`)}
}

var setting = regexp.MustCompile(`^([A-Z_]+)=\S*$`)

// TestDocumentsMake looks up each target and setting of make that a page names. A setting may be alone in a span; a
// variable of Go looks the same there.
func TestDocumentsMake(t *testing.T) {
	known := readMakefile(t)
	ofGo := regexp.MustCompile(`^GO[A-Z]+=`)
	for _, d := range documents(t) {
		for _, command := range d.commands() {
			words, _ := command.arguments("make")
			for _, word := range words {
				switch name, value, isSetting := strings.Cut(word, "="); {
				case !isSetting && !slices.Contains(known.targets, word):
					t.Errorf("%s names make %s, and the Makefile has no such target", d.path, word)
				case isSetting && !slices.Contains(known.settings, name):
					t.Errorf("%s names the setting %s=, which the Makefile does not read: %s", d.path, name, command)
				case words[0] == "e2e" && name == "FOCUS" && !stands(value) && !matchesCase(value):
					t.Errorf("%s: %s: no case matches %s", d.path, command, value)
				}
			}
		}
		for _, span := range d.spans() {
			if alone := setting.FindStringSubmatch(span); alone != nil && d.tells() && !ofGo.MatchString(span) && !slices.Contains(known.settings, alone[1]) {
				t.Errorf("%s names the setting %s, which the Makefile does not read", d.path, span)
			}
		}
	}
}

// TestDocumentsOfCI compares .ci/run with the pages: it runs the targets in the README, and each command that it runs is in
// the README or among the commands that CONTRIBUTING requires.
func TestDocumentsOfCI(t *testing.T) {
	targets := func(commands []shellCommand) (found []string) {
		for _, command := range commands {
			if words, isMake := command.arguments("make"); isMake && command.whole && len(words) > 0 {
				found = append(found, words[0])
			}
		}
		return found
	}
	run := targets(readDocument(".ci/run", "```sh\n"+documentText(t, ".ci/run")+"```\n").commands())
	shown := targets(documentAt(t, "README.md").commands())
	asked := targets(documentAt(t, "CONTRIBUTING.md").commands())
	if len(run) == 0 || len(shown) == 0 {
		t.Fatalf("want targets of make, found %v in .ci/run and %v in README.md", run, shown)
	}
	for _, target := range shown {
		if !slices.Contains(run, target) {
			t.Errorf("README.md shows make %s, which .ci/run does not run", target)
		}
	}
	for _, target := range run {
		if !slices.Contains(append(shown, asked...), target) {
			t.Errorf(".ci/run runs make %s, which neither README.md nor CONTRIBUTING.md shows", target)
		}
	}
}

var testFunction = regexp.MustCompile(`(?m)^func ((?:Test|Benchmark|Fuzz|Example)\w*)\(`)

// testFunctions returns the names of the tests, benchmarks and fuzz targets of each folder of the repository.
func testFunctions(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	root := os.DirFS(repository)
	err := fs.WalkDir(root, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == ".git" || strings.HasPrefix(entry.Name(), "_")) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(file, "_test.go") {
			return nil
		}
		text, err := fs.ReadFile(root, file)
		for _, function := range testFunction.FindAllStringSubmatch(string(text), -1) {
			found[path.Dir(file)] = append(found[path.Dir(file)], function[1])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

var bareTest = regexp.MustCompile(`^(?:Test|Benchmark|Fuzz)[A-Z]\w*(?:/\S*)?$`)

// TestDocumentsGo looks for the packages and tests in go commands, and for tests that are alone in a span.
func TestDocumentsGo(t *testing.T) {
	tests := testFunctions(t)
	for _, d := range documents(t) {
		for _, command := range d.commands() {
			if words, isTest := command.arguments("go", "test"); isTest {
				checkGoTest(t, d, tests, words)
			}
			if len(command.words) > 1 && command.words[0] == "go" {
				for _, word := range command.words[2:] {
					if folder, ofModule := strings.CutPrefix(word, modulePath+"/"); ofModule {
						folder, _, _ = strings.Cut(folder, "@")
						if _, err := os.Stat(filepath.Join(repository, folder)); err != nil {
							t.Errorf("%s: %s: there is no package %s", d.path, command, folder)
						}
					}
				}
			}
		}
		for _, span := range d.spans() {
			if name, _, _ := strings.Cut(span, "/"); bareTest.MatchString(span) && d.tells() && !hasTest(tests, ".", true, "^"+name+"$") {
				t.Errorf("%s names %s, and there is no such test", d.path, name)
			}
		}
	}
}

// checkGoTest looks for the tests that the arguments of `go test` select.
func checkGoTest(t *testing.T, d document, tests map[string][]string, words []string) {
	t.Helper()
	chosen, in := ".", "."
	var packages []string
	for i, word := range words {
		value := ""
		if i+1 < len(words) {
			value = words[i+1]
		}
		switch {
		case slices.Contains([]string{"-run", "-bench", "-fuzz"}, word):
			chosen, _, _ = strings.Cut(value, "/")
		case word == "-C":
			in = value
		case strings.HasPrefix(word, "./"):
			packages = append(packages, word)
		}
	}
	if len(packages) == 0 {
		packages = []string{"./..."}
	}
	for _, named := range packages {
		folder, below := strings.CutSuffix(named, "/...")
		if !hasTest(tests, path.Join(in, folder), below, chosen) {
			t.Errorf("%s: go test %s: no test of %s matches %s", d.path, strings.Join(words, " "), named, chosen)
		}
	}
}

// hasTest reports whether a folder, or one below it, has a test that an expression matches.
func hasTest(tests map[string][]string, folder string, below bool, expression string) bool {
	matches, err := regexp.Compile(expression)
	if err != nil {
		return false
	}
	for at, names := range tests {
		if (at == folder || below && (folder == "." || strings.HasPrefix(at, folder+"/"))) && slices.ContainsFunc(names, matches.MatchString) {
			return true
		}
	}
	return false
}
