// SPDX-License-Identifier: Apache-2.0

package vectors_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/vectors"
)

const document = "../docs/vectors.md"

// TestDocumentShowsTheExample compares the code on the page with the files of the example. `make test` runs these.
func TestDocumentShowsTheExample(t *testing.T) {
	page := readFile(t, document)
	for _, name := range []string{"place.go", "place_test.go", "test_place.py"} {
		_, code, _ := strings.Cut(readFile(t, filepath.Join("example", name)), "Apache-2.0\n\n")
		language := map[string]string{".go": "go", ".py": "python"}[filepath.Ext(name)]
		if !strings.Contains(page, "```"+language+"\n"+code+"```\n") {
			t.Errorf("%s does not show vectors/example/%s as it is: copy the file without its licence", document, name)
		}
	}
}

// TestDocumentShowsAVector compares the vector on the page with the one in the file.
func TestDocumentShowsAVector(t *testing.T) {
	_, rest, _ := strings.Cut(readFile(t, document), "```json\n")
	text, _, _ := strings.Cut(rest, "```")
	var shown vectors.Vector
	if err := json.Unmarshal([]byte(text), &shown); err != nil {
		t.Fatalf("%s: %v", document, err)
	}
	for _, v := range load(t).Vectors {
		if v.Quotation = ""; v.ID == shown.ID && v.String() != shown.String() {
			t.Errorf("%s shows %s, want %s", document, shown, v)
		}
	}
}

// TestPython runs the page's Python commands, and the tests of vectors.py.
func TestPython(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed")
	}
	shown := regexp.MustCompile(`(?m)^.*\bpython3 .*$`).FindAllString(readFile(t, document), -1)
	if len(shown) == 0 {
		t.Fatalf("%s shows no command of python3", document)
	}
	for _, line := range append(shown, "PYTHONPATH=vectors python3 -m unittest vectors_test") {
		command := exec.CommandContext(t.Context(), "sh", "-c", line)
		command.Dir = ".."
		command.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
		out, err := command.CombinedOutput()
		if text := string(out); err != nil || !strings.Contains(text, "\nRan ") || strings.Contains(text, "\nRan 0 ") {
			t.Errorf("%s: %v\n%s", line, err, text)
		}
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
