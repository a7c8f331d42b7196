package query

import (
	"github.com/RoaringBitmap/roaring/v2"

	"postern/internal/segment"
)

// becoming is a node that becomes another one on a snapshot.
type becoming interface {
	Node
	become(x *Exec) (Node, error)
}

// become gives what a node is on the snapshot, made once.
func (x *Exec) become(n becoming) (Node, error) {
	if made, ok := x.made[n]; ok {
		return made, nil
	}
	made, err := n.become(x)
	if err != nil {
		return nil, err
	}
	if x.made == nil {
		x.made = make(map[becoming]Node)
	}
	x.made[n] = made
	return made, nil
}

func matchMade(x *Exec, n becoming, s *segment.Segment) (*roaring.Bitmap, error) {
	made, err := x.become(n)
	if err != nil {
		return nil, err
	}
	return x.match(made, s)
}

func scorerMade(x *Exec, n becoming, boost float32) (scorer, error) {
	made, err := x.become(n)
	if err != nil {
		return nil, err
	}
	s, err := made.scorer(x, boost)
	if err != nil {
		return nil, err
	}
	return optional(made, s), nil
}
