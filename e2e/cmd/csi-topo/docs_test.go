// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// repository is the root of the repository.
const repository = "../../.."

// document is a page in Markdown.
type document struct {
	// path begins at the root of the repository.
	path string
	// prose is the text without its fenced blocks, and code has the blocks by language.
	prose string
	code  map[string][]string
}

// documents returns the pages at the root of the repository, in docs and below it, and of the reference driver.
func documents(t *testing.T) []document {
	t.Helper()
	var found []document
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/upstream/*.md", "driver/*.md"} {
		paths, err := filepath.Glob(filepath.Join(repository, pattern))
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s matches no page: %v", pattern, err)
		}
		for _, path := range paths {
			path, err := filepath.Rel(repository, path)
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, documentAt(t, path))
		}
	}
	return found
}

func documentAt(t *testing.T, path string) document {
	t.Helper()
	return readDocument(path, documentText(t, path))
}

// documentText returns the text of a file of the repository.
func documentText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// readDocument splits a page into its parts.
func readDocument(path, text string) document {
	d := document{path: path, code: map[string][]string{}}
	var prose, block strings.Builder
	language, inside := "", false
	for line := range strings.Lines(text) {
		fence, isFence := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case isFence && inside:
			d.code[language] = append(d.code[language], block.String())
			block.Reset()
			inside = false
		case isFence:
			language, inside = fence, true
		case inside:
			block.WriteString(line)
		default:
			prose.WriteString(line)
		}
	}
	d.prose = prose.String()
	return d
}

// tells reports whether the page describes this repository in its current state: the changelog also names removed things,
// and the page on findings in other components quotes their programs and files.
func (d document) tells() bool {
	return !slices.Contains([]string{"CHANGELOG.md", "docs/found.md"}, d.path)
}

// forUsers reports whether the page is about csi-topo, and not also about the driver or the commands of contributors.
func (d document) forUsers() bool { return d.path == "README.md" || strings.HasPrefix(d.path, "docs/") }

var codeSpan = regexp.MustCompile("`([^`\n]+)`")

// spans returns the texts between backquotes in the prose.
func (d document) spans() []string {
	var found []string
	for _, span := range codeSpan.FindAllStringSubmatch(d.prose, -1) {
		found = append(found, span[1])
	}
	return found
}

// shellCommand is a command line that a page shows.
type shellCommand struct {
	words []string
	// whole says that it is in a block. A span may name only a part of a command.
	whole bool
	// shown says that the block also shows the command's output.
	shown bool
}

func (c shellCommand) String() string { return strings.Join(c.words, " ") }

// arguments returns the words after the program, if the command begins with it.
func (c shellCommand) arguments(program ...string) ([]string, bool) {
	if len(c.words) < len(program) || !slices.Equal(c.words[:len(program)], program) {
		return nil, false
	}
	return c.words[len(program):], true
}

// commands returns the command lines of the page: first those in blocks, in order, and then those in spans.
func (d document) commands() []shellCommand {
	var found []shellCommand
	add := func(line string, command shellCommand) {
		if command.words = wordsOf(line); len(command.words) > 0 {
			found = append(found, command)
		}
	}
	for _, block := range d.code["sh"] {
		for line := range strings.Lines(strings.ReplaceAll(block, "\\\n", " ")) {
			add(line, shellCommand{whole: true})
		}
	}
	for _, block := range d.code["console"] {
		for line := range strings.Lines(block) {
			if line, isCommand := strings.CutPrefix(line, "$ "); isCommand {
				add(line, shellCommand{whole: true, shown: true})
			}
		}
	}
	for _, span := range d.spans() {
		add(span, shellCommand{})
	}
	return found
}

var (
	shellWord   = regexp.MustCompile(`(?:'[^']*'|"[^"]*"|[^\s'"])+`)
	assignment  = regexp.MustCompile(`^[A-Z_]+=`)
	endsCommand = []string{"|", "||", "&&", ";", ">", ">>", "<", "#"}
)

// wordsOf splits a line into the words of its first command, without a comment, a redirection or preceding variables. The
// csi-topo command has that name even if it is run from source.
func wordsOf(line string) []string {
	var words []string
	for _, word := range shellWord.FindAllString(line, -1) {
		if slices.Contains(endsCommand, word) || strings.HasPrefix(word, "#") {
			break
		}
		if len(words) == 0 && assignment.MatchString(word) {
			continue
		}
		words = append(words, strings.NewReplacer("'", "", `"`, "").Replace(word))
	}
	if rest, ok := (shellCommand{words: words}).arguments("go", "run", "./e2e/cmd/csi-topo"); ok {
		return append([]string{"csi-topo"}, rest...)
	}
	return words
}
