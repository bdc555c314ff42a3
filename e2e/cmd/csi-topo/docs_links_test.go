// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	linkTarget = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	heading    = regexp.MustCompile(`(?m)^#+ (.*)$`)
	headLink   = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	notInSlug  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// links returns the page's links into the repository: a path from the root, and an anchor or nothing.
func (d document) links() (found [][2]string) {
	for _, link := range linkTarget.FindAllStringSubmatch(codeSpan.ReplaceAllString(d.prose, ""), -1) {
		if strings.Contains(link[1], "://") || strings.HasPrefix(link[1], "mailto:") {
			continue
		}
		file, anchor, _ := strings.Cut(link[1], "#")
		if file == "" {
			file = path.Base(d.path)
		}
		found = append(found, [2]string{path.Join(path.Dir(d.path), file), anchor})
	}
	return found
}

// anchors returns the anchors that GitHub gives the headings of the page.
func (d document) anchors() []string {
	var found []string
	for _, head := range heading.FindAllStringSubmatch(d.prose, -1) {
		plain := notInSlug.ReplaceAllString(strings.ToLower(headLink.ReplaceAllString(head[1], "$1")), "")
		slug := strings.ReplaceAll(strings.TrimSpace(plain), " ", "-")
		anchor := slug
		for n := 1; slices.Contains(found, anchor); n++ {
			anchor = fmt.Sprintf("%s-%d", slug, n)
		}
		found = append(found, anchor)
	}
	return found
}

// TestDocumentsLinks follows every link from a page to a file of the repository, and to a heading in it.
func TestDocumentsLinks(t *testing.T) {
	for _, d := range documents(t) {
		for _, link := range d.links() {
			file, anchor := link[0], link[1]
			if _, err := os.Stat(filepath.Join(repository, file)); err != nil {
				t.Errorf("%s links to %s, which does not exist", d.path, file)
				continue
			}
			if anchor != "" && !slices.Contains(documentAt(t, file).anchors(), anchor) {
				t.Errorf("%s links to %s#%s, and no heading there has that anchor", d.path, file, anchor)
			}
		}
	}
}

var placeholder = regexp.MustCompile(`[<>{}*…$]|X\.YY|(^|[/_])[A-Z]{2,}([/_.]|$)`)

// namesFile reports whether a word that begins like a path names a file. One with a placeholder, such as NAME or *, is a
// pattern, and driver/ignores_topology is the id of a faulty driver: no folder has an underscore in its name.
func namesFile(word string) bool {
	last := path.Base(word)
	return !placeholder.MatchString(word) && (path.Ext(last) != "" || !strings.Contains(last, "_"))
}

// TestDocumentsPaths looks for the files and folders that pages name in code, by a path that begins with a folder at the root
// of the repository.
func TestDocumentsPaths(t *testing.T) {
	var folders []string
	entries, err := os.ReadDir(repository)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.IsDir() && entry.Name() != ".git" && !strings.HasPrefix(entry.Name(), "_") {
			folders = append(folders, regexp.QuoteMeta(entry.Name()))
		}
	}
	inRepository := regexp.MustCompile(`^(?:\./)?((?:` + strings.Join(folders, "|") + `)/[^\s:#,;()]*)`)
	for _, d := range documents(t) {
		if !d.tells() {
			continue
		}
		for _, code := range append(d.spans(), d.code["sh"]...) {
			for _, word := range strings.Fields(code) {
				named := inRepository.FindStringSubmatch(strings.Trim(word, `'"`))
				if named == nil || !namesFile(named[1]) {
					continue
				}
				if _, err := os.Stat(filepath.Join(repository, strings.TrimSuffix(named[1], "/..."))); err != nil {
					t.Errorf("%s names %s, which does not exist", d.path, named[1])
				}
			}
		}
	}
}

// TestDocumentsNameEachPackageOfTheDriver checks that the driver's page links to each of its packages.
func TestDocumentsNameEachPackageOfTheDriver(t *testing.T) {
	var linked []string
	for _, link := range documentAt(t, "driver/README.md").links() {
		linked = append(linked, link[0], path.Dir(link[0]))
	}
	err := fs.WalkDir(os.DirFS(repository), "driver", func(file string, _ fs.DirEntry, err error) error {
		if folder := path.Dir(file); err == nil && path.Ext(file) == ".go" && !slices.Contains(linked, folder) {
			t.Errorf("driver/README.md has no link to %s: say what it is for", folder)
			linked = append(linked, folder) // once is enough
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
