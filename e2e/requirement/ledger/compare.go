// SPDX-License-Identifier: Apache-2.0

package ledger

import "strings"

// pair is a line of one text and its counterpart in another; the number of a missing one is 0.
type pair struct {
	was, is Line
}

// moved reports whether both texts have the line.
func (p pair) moved() bool { return p.was.Number > 0 && p.is.Number > 0 && p.was.Text == p.is.Text }

// compare returns each line of the two texts, in order: a line that only moved is paired with the same text, a changed line
// with the most similar line in its place, and a new or removed line is alone.
func compare(was, is string) []pair {
	from, to := strings.Split(was, "\n"), strings.Split(is, "\n")
	var pairs []pair
	i, j := 0, 0
	for _, same := range common(from, to) {
		pairs = append(pairs, replaced(linesOf(from, i, same[0]), linesOf(to, j, same[1]))...)
		i, j = same[0], same[1]
		pairs = append(pairs, pair{Line{i + 1, from[i]}, Line{j + 1, to[j]}})
		i, j = i+1, j+1
	}
	return append(pairs, replaced(linesOf(from, i, len(from)), linesOf(to, j, len(to)))...)
}

// common returns the positions of a longest common subsequence of two lists.
func common(from, to []string) [][2]int {
	length := make([][]uint16, len(from)+1) // of the rest from a position on; a specification has no 65,000 lines
	for i := range length {
		length[i] = make([]uint16, len(to)+1)
	}
	for i := len(from) - 1; i >= 0; i-- {
		for j := len(to) - 1; j >= 0; j-- {
			if from[i] == to[j] {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	var found [][2]int
	for i, j := 0, 0; i < len(from) && j < len(to); {
		switch {
		case from[i] == to[j]:
			found = append(found, [2]int{i, j})
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return found
}

func linesOf(text []string, from, to int) []Line {
	var lines []Line
	for i := from; i < to; i++ {
		lines = append(lines, Line{i + 1, text[i]})
	}
	return lines
}

// replaced pairs lines with the lines in their place. A line counts as changed if the two share at least half of their
// words; pairs keep their order.
func replaced(was, is []Line) []pair {
	var pairs []pair
	for _, old := range was {
		best, shared := -1, 0.5
		for k, new := range is {
			if s := similar(old.Text, new.Text); s >= shared && (best < 0 || s > shared) {
				best, shared = k, s
			}
		}
		if best < 0 {
			pairs = append(pairs, pair{was: old})
			continue
		}
		for _, before := range is[:best] {
			pairs = append(pairs, pair{is: before})
		}
		pairs = append(pairs, pair{old, is[best]})
		is = is[best+1:]
	}
	for _, rest := range is {
		pairs = append(pairs, pair{is: rest})
	}
	return pairs
}

// similar returns the share of the longer text's words that the other also has, from 0 to 1.
func similar(a, b string) float64 {
	left := map[string]int{}
	for _, word := range strings.Fields(a) {
		left[word]++
	}
	shared := 0
	for _, word := range strings.Fields(b) {
		if left[word] > 0 {
			left[word]--
			shared++
		}
	}
	return float64(shared) / float64(max(len(strings.Fields(a)), len(strings.Fields(b)), 1))
}
