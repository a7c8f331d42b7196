// Package model is the fence's protocol (DESIGN §9) in small, for exhaustive search: two
// gateways, each with a writer and a reader, a recoverer, Qdrant as two registers, and
// Valkey as the counters, the token of each writer and one cached answer. Every step is one
// atomic call of the real thing; between any two steps anybody else may run, a gateway may
// crash, an answer may be lost, a write may arrive late, and Valkey may be restarted with
// all it knew or from an older copy.
//
// The search visits every reachable state and checks promises 3 and 4 of DESIGN §2: a
// reader is never given less than what was acknowledged, or was read by anybody, before it
// asked; and an acknowledged write has happened.
package model

import "fmt"

const (
	gateways  = 2
	registers = 2
)

// Mutation is a step done wrong, which the search must notice.
type Mutation uint8

// The protocol as it is, and one wrong step each. That lookup serves nothing while a token
// is open is not among them: the counter moved when it was opened, and nothing is published
// before it is closed, so that no entry can have the current vector.
const (
	None Mutation = iota
	PublishUnchecked
	PublishReadAmidWrite
	CounterAfterBackend
	TokenDroppedOnTimeout
	RecoverWithoutPoison
	ConstantIncarnation
	NobodyAwaited
	AckBeforeConfirm
	PoisonAfterRelease
	RunUnchecked
	mutations
)

func (m Mutation) String() string {
	return [mutations]string{"none", "publish without the check", "publish what was read amid a write", "counter after the backend", "token dropped on a time-out",
		"recovery without poisoning", "constant incarnation", "quiet before all owners have announced", "acknowledge before it is confirmed",
		"poison after the release", "run id not compared"}[m]
}

// Config is what a search covers.
type Config struct {
	Mutation Mutation
	// SameRegister lets both writers write one document.
	SameRegister bool
	// Crashes, Restarts and Losses bound how often each fault strikes.
	Crashes, Restarts, Losses uint8
	// Rollback lets a restart come back with the older copy.
	Rollback bool
}

// epoch is what a gateway believes of Valkey.
type epoch struct{ incarnation, run uint8 }

type vector struct{ incarnation, data uint8 }

// view is one position in the history of each register.
type view [registers]uint8

// valkey is what survives, or not, in the shared fence.
type valkey struct {
	incarnation, vouched uint8 // vouched is the run that the incarnation is for
	data                 uint8
	open                 [gateways]bool // the token of each gateway's writer
	awaited              [gateways]bool
	entry                bool
	entryVector          vector
	entryView            view
}

type register struct {
	head     uint8 // the newest write id: 0 none, 1+g a writer's, 10+ a poison's
	position uint8 // how many values were written
}

// message is a conditional write on its way.
type message struct {
	sent     bool
	expected uint8
}

type writer struct {
	at       step
	expected uint8
}

type reader struct {
	at    step
	floor view
	found vector
	quiet bool
	got   view
}

type step uint8

// A writer's steps and a reader's.
const (
	idle step = iota
	begun
	planned // prior read
	sent
	applied  // the backend has said yes
	refused  // the backend has said no
	unknown  // no answer: the token stays
	finished // acknowledged or failed, the token may still be open
	missed   // reader: lookup gave nothing
	fetched  // reader: has read the backend
)

// joiner is a gateway's way into another incarnation.
type joiner struct {
	at   uint8 // 0 not joining, 1 must advance the durable one, 2 must tell Valkey, 3 must announce
	next uint8
}

// State is everything; it is comparable.
type State struct {
	vk, copy valkey
	copied   bool
	run      uint8
	durable  uint8
	regs     [registers]register
	way      [gateways]message
	knows    [gateways]epoch
	join     [gateways]joiner
	dead     [gateways]bool
	w        [gateways]writer
	r        [gateways]reader
	poisoned [gateways]bool // recovery of that gateway's token has poisoned its id
	poisons  uint8
	// floor is what every later reader must see at least.
	floor                     view
	crashes, restarts, losses uint8
}

// Violation is a broken promise and the way there.
type Violation struct {
	What  string
	Steps []string
}

func (v *Violation) Error() string { return fmt.Sprintf("%s after %q", v.What, v.Steps) }

func start() State {
	s := State{durable: 1, run: 1}
	s.vk.incarnation, s.vk.vouched = 1, 1
	for g := range s.knows {
		s.knows[g] = epoch{1, 1}
	}
	return s
}

func (c *Config) target(g int) int {
	if c.SameRegister {
		return 0
	}
	return g
}

// Search visits every state and gives their number, or the first broken promise.
func (c *Config) Search() (states int, err error) {
	type node struct {
		parent int
		name   string
	}
	seen := map[State]struct{}{start(): {}}
	queue, trail := []State{start()}, []node{{-1, "start"}}
	path := func(i int) (steps []string) {
		for ; i > 0; i = trail[i].parent {
			steps = append([]string{trail[i].name}, steps...)
		}
		return steps
	}
	for i := 0; i < len(queue); i++ {
		var broken error
		c.next(queue[i], func(name string, s State, what string) {
			if what != "" && broken == nil {
				broken = &Violation{what, append(path(i), name)}
			}
			if _, known := seen[s]; known {
				return
			}
			seen[s] = struct{}{}
			queue = append(queue, s)
			trail = append(trail, node{i, name})
		})
		if broken != nil {
			return len(seen), broken
		}
	}
	return len(seen), nil
}
