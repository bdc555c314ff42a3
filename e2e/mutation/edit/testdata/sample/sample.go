// SPDX-License-Identifier: Apache-2.0

// Package sample has something of each kind that can be changed.
package sample

import "errors"

type store struct{ free, used int }

var errFull = errors.New("full")

func (s *store) take(n int, _ string) (left int, err error) {
	if n <= 0 || n > s.free {
		return 0, errFull
	}
	s.free -= n
	s.used += n
	return s.free, nil
}

func (*store) claims(names ...string) bool {
	for _, name := range names {
		if name == "" {
			continue
		}
		return true
	}
	return false
}

func largest[T interface{ value() int }](of []T) int {
	most := 0
	for _, t := range of {
		most = max(most, t.value())
	}
	return most
}

func (s *store) reset() {
	switch {
	case s.used == 0:
		return
	case s.free < 0:
		break
	default:
		s.used--
	}
	s.reset()
}

func (s *store) lazily() func() string {
	return func() string {
		if !s.claims() {
			return ""
		}
		return "claimed"
	}
}
