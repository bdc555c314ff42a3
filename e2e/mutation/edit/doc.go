// SPDX-License-Identifier: Apache-2.0

// Package edit makes small changes of Go source that nobody chose, as mutation testing does: a comparison is turned round,
// a statement removed, another value returned. All changes of a package are compiled at once, each as a copy of its
// function, and an environment variable says which copy is called: one build serves all of them.
//
// It knows nothing of drivers and runs nothing. Of the tools that exist, gremlins neither writes out what it changes nor
// runs anything but the tests of the changed package, and it removes no statements; those with mutators that can be
// imported, such as go-mutesting, are not available as Go modules everywhere that this project is built.
package edit
