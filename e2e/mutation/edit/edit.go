// SPDX-License-Identifier: Apache-2.0

package edit

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Edit is one change of a function.
type Edit struct {
	// File is the path of the file within the module, Function such as "(*Controller).CreateVolume".
	File     string `yaml:"file"`
	Function string `yaml:"function"`
	// Line is where the change is; Change says what is changed, as "old → new".
	Line   int    `yaml:"line"`
	Change string `yaml:"change"`
	// Operator is the kind of change.
	Operator string `yaml:"operator"`

	// reached is where the statement is that evaluates what is changed, and start to end what the text replaces.
	reached    token.Position
	start, end int
	text       string
	of         *function
}

// ID names the change as long as its function is not changed there: two changes of one function have the same text only
// where the same expression occurs again, and are numbered then.
func (e Edit) ID() string { return fmt.Sprintf("%s %s: %s", e.File, e.Function, e.Change) }

// Reached is the line and the column, from 1, of the statement that evaluates what is changed.
func (e Edit) Reached() (line, column int) { return e.reached.Line, e.reached.Column }

// function is a function with a body.
type function struct {
	pkg    *packages.Package
	file   *ast.File
	decl   *ast.FuncDecl
	source []byte // of the file
	path   string // of the file within the module
	name   string
}

// finder collects the changes of a function.
type finder struct {
	*function
	found []Edit
	// at is the statement that is looked at, or that evaluates the condition that is.
	at token.Pos
	// results are those of the innermost function.
	results *types.Tuple
}

// find returns the changes of the function, in the order of its lines.
func (f *function) find() []Edit {
	finder := &finder{function: f, at: f.decl.Body.Pos()}
	if signature, ok := f.pkg.TypesInfo.Defs[f.decl.Name].Type().(*types.Signature); ok {
		finder.results = signature.Results()
	}
	finder.statements(f.decl.Body.List, false)
	number(finder.found)
	return finder.found
}

// number tells apart changes that read the same.
func number(edits []Edit) {
	times := map[string]int{}
	for i := range edits {
		e := &edits[i]
		times[e.Change]++
		if n := times[e.Change]; n > 1 {
			e.Change = fmt.Sprintf("%s (%d)", e.Change, n)
		}
	}
}

// add adds the change of a node into the text; shown is how it is to be read.
func (f *finder) add(operator string, node ast.Node, text, shown string) {
	old := f.textOf(node)
	fset := f.pkg.Fset
	f.found = append(f.found, Edit{
		File:     f.path,
		Function: f.name,
		Line:     fset.Position(node.Pos()).Line,
		Change:   short(old) + " → " + short(shown),
		Operator: operator,
		reached:  fset.Position(f.at),
		start:    fset.Position(node.Pos()).Offset,
		end:      fset.Position(node.End()).Offset,
		text:     text,
		of:       f.function,
	})
}

func (f *function) textOf(node ast.Node) string {
	return string(f.source[f.pkg.Fset.Position(node.Pos()).Offset:f.pkg.Fset.Position(node.End()).Offset])
}

// short is the text in one line of a length that can be read.
func short(text string) string {
	const most = 120
	line := []rune(strings.Join(strings.Fields(text), " "))
	if len(line) > most {
		return string(line[:most-1]) + "…"
	}
	return string(line)
}

// used are assignments to nothing of the local variables that the nodes use and do not declare: the compiler wants
// variables to be used.
func (f *finder) used(nodes ...ast.Node) string {
	var names []string
	seen := map[types.Object]bool{}
	for _, node := range nodes {
		ast.Inspect(node, func(n ast.Node) bool {
			name, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			v, ok := f.pkg.TypesInfo.Uses[name].(*types.Var)
			if !ok || v.IsField() || v.Parent() == nil || v.Parent() == f.pkg.Types.Scope() || v.Pkg() != f.pkg.Types || seen[v] {
				return true
			}
			for _, within := range nodes {
				if within.Pos() <= v.Pos() && v.Pos() < within.End() {
					return true
				}
			}
			seen[v] = true
			names = append(names, "_ = "+name.Name)
			return true
		})
	}
	return strings.Join(names, "; ")
}
