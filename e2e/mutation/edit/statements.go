// SPDX-License-Identifier: Apache-2.0

package edit

import (
	"go/ast"
	"go/token"
	"go/types"
)

// statements looks at a list of them; alone says that emptying what they are the body of is a change already.
func (f *finder) statements(list []ast.Stmt, alone bool) {
	for _, s := range list {
		f.at = s.Pos()
		if !alone || len(list) > 1 {
			f.remove(s)
		}
		f.statement(s)
	}
}

// remove removes a statement that does something, but for declarations and what decides where to go on.
func (f *finder) remove(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			return
		}
	case *ast.ExprStmt, *ast.IncDecStmt, *ast.DeferStmt, *ast.GoStmt, *ast.SendStmt:
	default:
		return
	}
	f.add("statement removal", s, "{"+f.used(s)+"}", "removed")
}

// empty empties the body of a branch.
func (f *finder) empty(whole ast.Node, list []ast.Stmt) {
	if len(list) == 0 {
		return
	}
	nodes := make([]ast.Node, 0, len(list))
	for _, s := range list {
		nodes = append(nodes, s)
	}
	f.at = list[0].Pos()
	f.add("branch removal", whole, "{"+f.used(nodes...)+"}", "{}")
}

// statement looks into a statement.
func (f *finder) statement(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		f.statements(s.List, false)
	case *ast.LabeledStmt:
		f.statement(s.Stmt)
	case *ast.IfStmt:
		f.branch(s)
	case *ast.ForStmt:
		f.optional(s.Init)
		f.condition(s.Cond)
		f.optional(s.Post)
		f.statements(s.Body.List, false)
	case *ast.RangeStmt:
		f.expression(s.X)
		f.statements(s.Body.List, false)
	case *ast.SwitchStmt:
		f.optional(s.Init)
		f.expression(s.Tag)
		f.clauses(s.Body, s.Tag == nil)
	case *ast.TypeSwitchStmt:
		f.optional(s.Init)
		f.clauses(s.Body, false)
	case *ast.SelectStmt:
		f.clauses(s.Body, false)
	case *ast.ReturnStmt:
		f.returns(s)
	case *ast.BranchStmt:
		f.jump(s)
	case *ast.IncDecStmt:
		f.step(s)
	case *ast.AssignStmt:
		f.assignment(s)
	default:
		f.within(s)
	}
}

func (f *finder) optional(s ast.Stmt) {
	if s != nil {
		f.statement(s)
	}
}

func (f *finder) branch(s *ast.IfStmt) {
	at := f.at
	f.optional(s.Init)
	f.at = at
	f.condition(s.Cond)
	f.empty(s.Body, s.Body.List)
	f.statements(s.Body.List, true)
	switch otherwise := s.Else.(type) {
	case *ast.IfStmt:
		f.at = otherwise.Pos()
		f.branch(otherwise)
	case *ast.BlockStmt:
		f.empty(otherwise, otherwise.List)
		f.statements(otherwise.List, true)
	}
}

// clauses looks at those of a switch or a select; of one without a tag, they have conditions.
func (f *finder) clauses(body *ast.BlockStmt, conditions bool) {
	at := f.at
	for _, clause := range body.List {
		f.at = at
		switch clause := clause.(type) {
		case *ast.CaseClause:
			for _, e := range clause.List {
				if conditions {
					f.condition(e)
				}
			}
			f.emptyClause(clause.Body)
			f.statements(clause.Body, true)
		case *ast.CommClause:
			f.emptyClause(clause.Body)
			f.statements(clause.Body, true)
		}
	}
}

func (f *finder) emptyClause(body []ast.Stmt) {
	if len(body) > 0 {
		f.empty(listed(body), body)
	}
}

// listed is a list of statements as one node.
type listed []ast.Stmt

// Pos implements ast.Node.
func (l listed) Pos() token.Pos { return l[0].Pos() }

// End implements ast.Node.
func (l listed) End() token.Pos { return l[len(l)-1].End() }

func (f *finder) jump(s *ast.BranchStmt) {
	if s.Label != nil {
		return
	}
	switch s.Tok {
	case token.BREAK:
		f.add("loop control", s, "continue", "continue")
	case token.CONTINUE:
		f.add("loop control", s, "break", "break")
	default:
	}
}

func (f *finder) step(s *ast.IncDecStmt) {
	other := map[token.Token]string{token.INC: "--", token.DEC: "++"}[s.Tok]
	text := f.textOf(s.X) + other
	f.add("increment", s, text, text)
}

func (f *finder) assignment(s *ast.AssignStmt) {
	other, found := map[token.Token]string{
		token.ADD_ASSIGN: "-=", token.SUB_ASSIGN: "+=", token.MUL_ASSIGN: "/=", token.QUO_ASSIGN: "*=", token.REM_ASSIGN: "*=",
	}[s.Tok]
	if found && f.numeric(s.Lhs[0]) {
		text := f.textOf(s.Lhs[0]) + " " + other + " " + f.textOf(s.Rhs[0])
		f.add("arithmetic", s, text, text)
	}
	for _, e := range s.Rhs {
		f.expression(e)
	}
}

func (f *finder) numeric(e ast.Expr) bool {
	basic, ok := f.pkg.TypesInfo.TypeOf(e).Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsNumeric != 0
}
