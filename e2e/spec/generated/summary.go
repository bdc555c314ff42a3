package generated

// drawn is what the report has of a plan, from which it can be drawn again.
type drawn struct {
	Seed  int64          `json:"seed"`
	Shape Shape          `json:"shape"`
	Steps map[string]int `json:"steps"`
}

// summary counts the plan's steps by their moves.
func summary(seed int64, plan []Step, shape Shape) drawn {
	d := drawn{Seed: seed, Shape: shape, Steps: map[string]int{}}
	for _, step := range plan {
		d.Steps[step.Move.String()]++
	}
	return d
}

// String is the move's name.
func (m Move) String() string {
	return [...]string{"create", "again", "delete", "grow", "list", "publish", "unpublish"}[m]
}
