// SPDX-License-Identifier: Apache-2.0

package edit

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"strconv"

	"golang.org/x/tools/go/packages"
)

// valid leaves out the changes of a package that the compiler would refuse.
func valid(pkg *packages.Package, edits []Edit) ([]Edit, error) {
	for len(edits) > 0 {
		refused, err := refusedOf(pkg, schemata(edits))
		if err != nil {
			return nil, err
		}
		if len(refused) == 0 {
			break
		}
		var left []Edit
		for i, e := range edits {
			if !refused[i+1] {
				left = append(left, e)
			}
		}
		edits = left
	}
	return edits, nil
}

// copied is the beginning of a copy, with its number.
var copied = regexp.MustCompile(`(?m)^func .*?Mutant(\d+)[\[(]`)

// refusedOf are the numbers of the copies in which there are errors.
func refusedOf(pkg *packages.Package, overlay map[string][]byte) (map[int]bool, error) {
	fset := token.NewFileSet()
	var files []*ast.File
	parse := func(name string, source any) error {
		file, err := parser.ParseFile(fset, name, source, parser.SkipObjectResolution)
		if err != nil {
			return fmt.Errorf("compiling the changes: %w", err)
		}
		files = append(files, file)
		return nil
	}
	// What the package is not changed to import is not there to be imported.
	if err := parse("active.go", "package "+pkg.Name+"\nvar activeMutant int"); err != nil {
		return nil, err
	}
	for _, name := range pkg.CompiledGoFiles {
		var source any // nil is read from the file
		if changed, found := overlay[name]; found {
			source = changed
		}
		if err := parse(name, source); err != nil {
			return nil, err
		}
	}
	refused := map[int]bool{}
	var elsewhere error
	checker := types.Config{Importer: imported(pkg.Types.Imports()), Error: func(err error) {
		at := token.Position{}
		if e := (types.Error{}); errors.As(err, &e) {
			at = fset.Position(e.Pos)
		}
		number := copyAt(overlay[at.Filename], at.Offset)
		if number == 0 {
			elsewhere = errors.Join(elsewhere, fmt.Errorf("compiling the changes: %w", err))
		}
		refused[number] = true
	}}
	_, _ = checker.Check(pkg.PkgPath, fset, files, nil) // its error is the first of those above
	return refused, elsewhere
}

// copyAt is the number of the copy at the offset of a file; 0 is none.
func copyAt(source []byte, offset int) int {
	number := 0
	for _, begun := range copied.FindAllSubmatchIndex(source, -1) {
		if begun[0] > offset {
			break
		}
		number, _ = strconv.Atoi(string(source[begun[2]:begun[3]])) // digits, by the expression
	}
	return number
}

// imported are packages that have been loaded.
type imported []*types.Package

// Import implements types.Importer.
func (i imported) Import(path string) (*types.Package, error) {
	for _, p := range i {
		if p.Path() == path {
			return p, nil
		}
	}
	return nil, fmt.Errorf("package %s is not loaded", path)
}
