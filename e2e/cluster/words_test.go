// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/requirement"
)

// TestEveryRowOfACaseThatReadsWordsHasAWitness wants the register to say, of each row with a case that reads the text of an
// event or of a condition, what decides beside it: Kubernetes promises no text. A row of which no case reads any needs none.
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
			t.Errorf("%s needs a witness beside the words that %s read", r.ID, strings.Join(cases, ", "))
		case len(cases) == 0 && r.Witness != "":
			t.Errorf("%s has a witness, but no case that reads words", r.ID)
		}
	}
}

// functions are those that the source files declare: the names of what each mentions, by its own, as in pods.MustRun. A
// method is named as a function is.
type functions map[string][]string

// functionsBelow reads them.
func functionsBelow(t *testing.T, dir string) functions {
	t.Helper()
	found := functions{}
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, declared := range file.Decls {
			if f, ok := declared.(*ast.FuncDecl); ok {
				name := file.Name.Name + "." + f.Name.Name
				found[name] = append(found[name], mentioned(file.Name.Name, f)...)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// mentioned are the functions that one of the package may call.
func mentioned(of string, f *ast.FuncDecl) []string {
	var names []string
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			names = append(names, of+"."+n.Sel.Name)
			if from, ok := n.X.(*ast.Ident); ok {
				names = append(names, from.Name+"."+n.Sel.Name)
			}
		case *ast.Ident:
			names = append(names, of+"."+n.Name)
		}
		return true
	})
	return names
}

// reads reports whether the function, or one that it calls, reads the text of an event or of a condition.
func (all functions) reads(name string) bool {
	words := []string{"predicate.EventSays", "predicate.EventsInOrder", "predicate.refusedFor", "predicate.PodNotRefused", "predicate.SchedulingFailed"}
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

// functionOf is the name of the function that declares a case, of which run is what it runs: a function of its own, or one
// inside of it.
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
