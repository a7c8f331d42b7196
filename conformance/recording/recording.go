// Package recording is the file format of recorded traffic: plain text, one scenario a
// file, made to be read and reviewed.
//
//	# What the scenario is about.
//
//	engine elasticsearch 8.15.0
//	index cf-example
//	covers endpoint index, endpoint get
//
//	# Why this request is asked.
//	> PUT /cf-example/_doc/1?refresh=true
//	{"n":1}
//	< 201
//	+ Location: /cf-example/_doc/1
//	~ ignore _seq_no
//	{"_index":"cf-example","_id":"1","_version":1,"result":"created"}
//
// Head lines: engine (what it was recorded from, or `documentation URL`), index, template
// and the other Kinds (what it creates; a replay deletes those and nothing else), data (a
// data set that must be loaded), covers (lines of spec/support.yaml), alone (no other
// scenario may run beside it), literal (names whose ${name} captures nothing), and rules for
// all answers.
// Each exchange is a request (>), its headers (+), its body, then the answer: status (<),
// headers that matter (+), rules (~), body. An answer may be missing: recording fills it
// in. A body that plain lines can't show stands in quoted lines (= "…\n").
package recording

// Recording is one scenario.
type Recording struct {
	About     []string // what it is about, line by line
	Engine    string   // what the answers were recorded from, with its version
	Creates   []Named  // what it creates
	Data      []string // the data sets it asks about
	Covers    []string // what of spec/support.yaml it exercises: "query term"
	Alone     string   // why no other scenario may run beside it; empty: any may
	Literal   []string // names whose ${name} stands for itself
	Rules     []Rule   // for every answer
	Exchanges []Exchange
}

// Named is a thing that a recording creates.
type Named struct{ Kind, Name string }

// Kind is a sort of things that requests create by name.
type Kind struct {
	Name string // as the head of a recording calls it
	Path string // what `DELETE Path+NAME` deletes
}

// Kinds are in the order in which things can be deleted.
var Kinds = [...]Kind{
	{"datastream", "/_data_stream/"},
	{"index", "/"},
	{"template", "/_index_template/"},
	{"component", "/_component_template/"},
	{"legacy-template", "/_template/"},
	{"script", "/_scripts/"},
	{"pipeline", "/_ingest/pipeline/"},
	{"repository", "/_snapshot/"},
}

// Exchange is one request and the answer that is right.
type Exchange struct {
	Note    []string // why it is asked
	Line    int      // of the request in the file
	Request Request
	Answer  *Answer // nil until recorded
}

// Request is what is sent, to the byte.
type Request struct {
	Method, Target string
	Headers        []Header
	Body           []byte // nil when there is none
}

// Answer is what has to come back.
type Answer struct {
	Status  int
	Headers []Header
	Rules   []Rule
	Body    []byte // nil when there is none
}

// Header is one header line. An empty value in a request suppresses the default; in an
// answer it says that the header must be absent.
type Header struct{ Name, Value string }
