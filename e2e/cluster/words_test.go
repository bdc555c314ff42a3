// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/requirement"
)

// TestEveryRowOfACaseThatReadsWordsHasAWitness checks that the register names a witness, in addition to the text, for each
// row with a case that reads the text of an event or of a condition: Kubernetes promises no text. A row without such a case
// needs no witness.
func TestEveryRowOfACaseThatReadsWordsHasAWitness(t *testing.T) {
	functions := functionsBelow(t, ".")
	readers := map[string][]string{} // by requirement
	for _, area := range Areas() {
		for _, c := range area.Cases {
			if !functions.reads(functionOf(t, functions, c.Run)) {
				continue
			}
			for _, id := range c.Requirements {
				readers[id] = append(readers[id], c.ID)
			}
		}
	}
	for _, r := range requirement.All() {
		switch cases := readers[r.ID]; {
		case len(cases) > 0 && r.Witness == "":
			t.Errorf("%s needs a witness in its row of e2e/requirement/register, beside the words that %s read", r.ID, strings.Join(cases, ", "))
		case len(cases) == 0 && r.Witness != "":
			t.Errorf("%s has a witness in its row of e2e/requirement/register, but no case that reads words", r.ID)
		}
	}
}

// functions lists the functions that each function of the source files mentions, by package and name, such as pods.MustRun.
// A method is also listed by its name alone, as .MustRun: the types of values are not looked up, so methods with one name
// count as one.
type functions map[string][]string

// functionsBelow reads the functions of the directory and its subdirectories.
func functionsBelow(t *testing.T, dir string) functions {
	t.Helper()
	found := functions{}
	err := filepath.WalkDir(dir, func(name string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, declared := range file.Decls {
			f, ok := declared.(*ast.FuncDecl)
			if !ok {
				continue
			}
			names := mentioned(file, f)
			function, method := file.Name.Name+"."+f.Name.Name, "."+f.Name.Name
			found[function] = append(found[function], names...)
			if f.Recv != nil {
				found[method] = append(found[method], names...)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// mentioned returns the functions that a function of the file may call.
func mentioned(file *ast.File, f *ast.FuncDecl) []string {
	imported := map[string]bool{}
	for _, i := range file.Imports {
		imported[path.Base(strings.Trim(i.Path.Value, `"`))] = true
	}
	var names []string
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if from, ok := n.X.(*ast.Ident); ok && imported[from.Name] {
				names = append(names, from.Name+"."+n.Sel.Name)
				return false
			}
			names = append(names, "."+n.Sel.Name)
		case *ast.Ident:
			names = append(names, file.Name.Name+"."+n.Name)
		}
		return true
	})
	return names
}

// reads reports whether the function, or one that it calls, reads the text of an event or of a condition.
func (all functions) reads(name string) bool {
	words := []string{"predicate.EventSays", "predicate.EventsInOrder", "predicate.refusedFor", "predicate.PodNotRefused", "predicate.SchedulingFailed", "predicate.conditionSays"}
	seen := map[string]bool{}
	next := []string{name}
	for len(next) > 0 {
		f := next[0]
		next = next[1:]
		if slices.Contains(words, f) {
			return true
		}
		if !seen[f] {
			seen[f] = true
			next = append(next, all[f]...)
		}
	}
	return false
}

// functionOf returns the name of the function that declares a case. run is the case's function: a named one, or one
// inside it.
func functionOf(t *testing.T, all functions, run any) string {
	t.Helper()
	symbol := runtime.FuncForPC(reflect.ValueOf(run).Pointer()).Name()
	parts := strings.Split(symbol[strings.LastIndex(symbol, "/")+1:], ".")
	for _, part := range slices.Backward(parts[1:]) {
		if name := parts[0] + "." + strings.TrimSuffix(part, "-fm"); all[name] != nil {
			return name
		}
	}
	t.Fatalf("no function declares %s", symbol)
	return ""
}
