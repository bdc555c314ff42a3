package generated

import (
	"math/rand/v2"
	"slices"
)

// Draw draws a plan of so many steps: the same for the same seed and shape. How many volumes it keeps
// goes up and down, so that some requests find every segment empty and others find hardly any room.
func Draw(seed int64, steps int, shape Shape) []Step {
	const stream = 0x70706f74 // any constant: the seed alone makes the difference
	d := &drawing{random: rand.New(rand.NewPCG(uint64(seed), stream)), shape: shape}
	plan := make([]Step, 0, steps)
	for range steps {
		plan = append(plan, d.step())
	}
	return plan
}

// drawing is what has been drawn so far.
type drawing struct {
	random *rand.Rand
	shape  Shape
	// names counts the names that were asked for, of which live are not deleted since and gone are.
	names      int
	live, gone []int
	// most is how many live ones there are to be, for now.
	most int
	// published are the steps that publish.
	published []Step
	// next are steps that follow from the last one.
	next []Step
}

// choice is one of the things to draw, as likely as its weight says.
type choice struct {
	weight int
	draw   func() Step
}

func (d *drawing) step() Step {
	if len(d.next) > 0 {
		step := d.next[0]
		d.next = d.next[1:]
		return step
	}
	const tideSteps, mostPerPlace = 20, 2
	if d.random.IntN(tideSteps) == 0 || d.most == 0 {
		d.most = 1 + d.random.IntN(mostPerPlace*d.shape.places())
	}
	crowded := len(d.live) > d.most
	choices := []choice{
		{weight(!crowded, 60), d.createNew},
		{weight(len(d.gone) > 0 && !crowded, 4), d.createGone},
		{weight(len(d.live) > 0, 6), d.createOther},
		{weight(d.names > 0, 6), d.again},
		{weight(len(d.live) > 0, 5), d.deleteLive},
		{weight(crowded, 60), d.deleteLive},
		{weight(len(d.gone) > 0, 3), d.deleteGone},
		{weight(d.shape.Grow && d.names > 0, 10), d.grow},
		{weight(d.shape.List, 3), func() Step { return Step{Move: List} }},
		{weight(d.shape.Nodes > 0 && d.names > 0, 8), d.publish},
		{weight(d.shape.Nodes > 0 && d.names > 0, 6), d.unpublish},
	}
	total := 0
	for _, c := range choices {
		total += c.weight
	}
	at := d.random.IntN(total)
	for _, c := range choices {
		if at -= c.weight; at < 0 {
			return c.draw()
		}
	}
	return Step{}
}

// weight is n where the choice is possible.
func weight(possible bool, n int) int {
	if possible {
		return n
	}
	return 0
}

func (d *drawing) createNew() Step {
	d.names++
	d.live = append(d.live, d.names)
	return d.create(d.names)
}

// createGone asks for a new volume under the name of one that was deleted.
func (d *drawing) createGone() Step {
	at := d.random.IntN(len(d.gone))
	name := d.gone[at]
	d.gone = slices.Delete(d.gone, at, at+1)
	d.live = append(d.live, name)
	return d.create(name)
}

// createOther asks for something else under a name that a volume has, or that was refused.
func (d *drawing) createOther() Step {
	return d.create(d.pick(d.live))
}

func (d *drawing) create(name int) Step {
	step := Step{Move: Create, Name: name, X: d.pick(d.shape.Kinds), Size: d.size(Double), Segment: d.place()}
	if d.shape.Segments == 0 {
		return step
	}
	step.Requisite, step.Preferred = d.requirement()
	if wanted := slices.Concat(step.Preferred, step.Requisite); len(wanted) > 0 {
		step.Segment = wanted[0] // mostly where the volume goes, which the size may then fill
	}
	return step
}

// requirement is one of the shapes that a requirement has: none, requisite, preferred, or both, where preferred is all of
// requisite from another one on, as Kubernetes sends it, or some of it in any order.
func (d *drawing) requirement() (requisite, preferred []int) {
	// Long lists are asked for more often: they have more in them to get wrong.
	length := 1 + max(d.random.IntN(d.shape.Segments), d.random.IntN(d.shape.Segments)*d.random.IntN(2))
	some := d.random.Perm(d.shape.Segments)[:length]
	switch d.random.IntN(8) {
	case 0:
		return nil, nil
	case 1:
		return some, nil
	case 2, 3:
		return nil, some
	case 4, 5:
		from := d.random.IntN(length)
		return some, slices.Concat(some[from:], some[:from])
	default:
		for _, i := range d.random.Perm(len(some))[:1+d.random.IntN(len(some))] {
			preferred = append(preferred, some[i])
		}
		return some, preferred
	}
}

func (d *drawing) again() Step {
	return Step{Move: Again, Name: d.anyName()}
}

// deleteLive deletes a volume, or takes its publication back: while it is published, it stays.
func (d *drawing) deleteLive() Step {
	at := d.random.IntN(len(d.live))
	name := d.live[at]
	published := slices.IndexFunc(d.published, func(s Step) bool { return s.Name == name })
	switch {
	case published >= 0 && d.random.IntN(2) == 0:
		return d.takeBack(published)
	case published < 0:
		d.live = slices.Delete(d.live, at, at+1)
		d.gone = append(d.gone, name)
	}
	return Step{Move: Delete, Name: name}
}

func (d *drawing) deleteGone() Step {
	return Step{Move: Delete, Name: d.pick(d.gone)}
}

func (d *drawing) grow() Step {
	return Step{Move: Grow, Name: d.anyName(), Size: d.size(Double, Present)}
}

func (d *drawing) publish() Step {
	step := Step{Move: Publish, Name: d.anyName(), Node: d.node()}
	if slices.Contains(d.live, step.Name) {
		d.published = append(d.published, step)
	}
	return step
}

// unpublish takes a publication back, or unpublishes the volume from another node, or any volume from any.
func (d *drawing) unpublish() Step {
	if len(d.published) == 0 || d.random.IntN(4) == 0 {
		return Step{Move: Unpublish, Name: d.anyName(), Node: d.node()}
	}
	at := d.random.IntN(len(d.published))
	if d.random.IntN(2) == 0 {
		// Whether it is still published, only a call that must fail then tells.
		name, other := d.published[at].Name, d.published[at].Node+1+d.random.IntN(d.shape.Nodes)
		d.next = append(d.next, Step{Move: Delete, Name: name})
		return Step{Move: Unpublish, Name: name, Node: other % d.shape.Nodes}
	}
	return d.takeBack(at)
}

// node is mostly one that reaches the volume.
func (d *drawing) node() int {
	return d.random.IntN(1 + d.random.IntN(d.shape.Nodes))
}

// takeBack undoes one of the publications.
func (d *drawing) takeBack(published int) Step {
	step := d.published[published]
	d.published = slices.Delete(d.published, published, published+1)
	step.Move = Unpublish
	return step
}

// size draws one of the sizes that every move has, or of the others.
func (d *drawing) size(others ...Size) Size {
	from := append([]Size{Unit, Unit, Unit, Unit}, others...)
	if d.shape.Room {
		from = append(from, Fitting, TooLarge)
	}
	return from[d.random.IntN(len(from))]
}

// anyName is mostly one that is not deleted.
func (d *drawing) anyName() int {
	const mostly = 8
	if len(d.live) > 0 && (len(d.gone) == 0 || d.random.IntN(mostly) > 0) {
		return d.pick(d.live)
	}
	return d.pick(d.gone)
}

func (d *drawing) place() int {
	return d.random.IntN(d.shape.places())
}

func (d *drawing) pick(from []int) int {
	return from[d.random.IntN(len(from))]
}
