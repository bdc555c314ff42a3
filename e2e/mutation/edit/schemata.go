// SPDX-License-Identifier: Apache-2.0

package edit

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// Variable is the environment variable with the number of the change that is in force, from 1; none is without it.
const Variable = "CSI_TOPO_MUTANT"

// selector is a file of each package that has the number; its name sorts last.
const selector = `package %s

import (
	"os"
	"strconv"
)

var activeMutant, _ = strconv.Atoi(os.Getenv(%q))
`

// copyOf is the name of the copy of a function in which a change is made.
func copyOf(name string, number int) string { return fmt.Sprintf("%sMutant%d", name, number) }

// signature is how a function is declared and called, with a name for every parameter.
type signature struct {
	receiver, parameters, results string
	// prefix is what stands before its name where it is called, and arguments what it is given.
	prefix, arguments string
}

func (f *function) signature() signature {
	var s signature
	count := 0
	list := func(fields *ast.FieldList) (declared, names []string) {
		for _, field := range fields.List {
			kind := f.textOf(field.Type)
			spread := ""
			if _, variadic := field.Type.(*ast.Ellipsis); variadic {
				spread = "..."
			}
			idents := field.Names
			if len(idents) == 0 {
				idents = []*ast.Ident{{Name: "_"}}
			}
			for _, ident := range idents {
				name := ident.Name
				if name == "_" {
					count++
					name = fmt.Sprintf("unnamed%d", count)
				}
				declared = append(declared, name+" "+kind)
				names = append(names, name+spread)
			}
		}
		return declared, names
	}
	if f.decl.Recv != nil {
		declared, names := list(f.decl.Recv)
		s.receiver, s.prefix = "("+declared[0]+") ", names[0]+"."
	}
	declared, names := list(f.decl.Type.Params)
	s.parameters, s.arguments = "("+strings.Join(declared, ", ")+")", "("+strings.Join(names, ", ")+")"
	if f.decl.Type.Results != nil {
		s.results = " " + f.textOf(f.decl.Type.Results)
	}
	return s
}

// dispatched is the function with a switch to its changed copies, and these copies; numbers has those of the edits.
func (f *function) dispatched(edits []Edit, numbers []int) string {
	s := f.signature()
	name, types := f.decl.Name.Name, ""
	if f.decl.Type.TypeParams != nil {
		types = f.textOf(f.decl.Type.TypeParams)
	}
	body := f.textOf(f.decl.Body)
	offset := f.pkg.Fset.Position(f.decl.Body.Pos()).Offset
	var chosen, copies strings.Builder
	for i, e := range edits {
		call := s.prefix + copyOf(name, numbers[i]) + s.arguments
		if s.results == "" {
			fmt.Fprintf(&chosen, "case %d: %s; return\n", numbers[i], call)
		} else {
			fmt.Fprintf(&chosen, "case %d: return %s\n", numbers[i], call)
		}
		changed := body[:e.start-offset] + e.text + body[e.end-offset:]
		fmt.Fprintf(&copies, "\nfunc %s%s%s%s%s %s\n", s.receiver, copyOf(name, numbers[i]), types, s.parameters, s.results, changed)
	}
	return fmt.Sprintf("func %s%s%s%s%s {\nswitch activeMutant {\n%s}\n%s\n%s", s.receiver, name, types, s.parameters, s.results, chosen.String(), body[1:], copies.String())
}

// schemata are the files, by their paths, in which all of the edits are compiled; the first has the number 1.
func schemata(edits []Edit) map[string][]byte {
	type part struct {
		of      *function
		edits   []Edit
		numbers []int
	}
	files := map[string][]*part{}
	byFunction := map[*function]*part{}
	for i, e := range edits {
		p := byFunction[e.of]
		if p == nil {
			p = &part{of: e.of}
			byFunction[e.of] = p
			file := e.of.pkg.Fset.Position(e.of.decl.Pos()).Filename
			files[file] = append(files[file], p)
		}
		p.edits, p.numbers = append(p.edits, e), append(p.numbers, i+1)
	}
	changed := map[string][]byte{}
	for file, parts := range files {
		source := parts[0].of.source
		slices.SortFunc(parts, func(a, b *part) int { return int(b.of.decl.Pos() - a.of.decl.Pos()) }) // from the end
		for _, p := range parts {
			fset := p.of.pkg.Fset
			from, to := fset.Position(p.of.decl.Type.Pos()).Offset, fset.Position(p.of.decl.End()).Offset
			source = slices.Concat(source[:from], []byte(p.of.dispatched(p.edits, p.numbers)), source[to:])
		}
		changed[file] = source
		pkg := parts[0].of.pkg
		changed[selectorOf(file)] = fmt.Appendf(nil, selector, pkg.Name, Variable)
	}
	return changed
}
