package recording

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// markers begin the lines that are not a body's.
const markers = "#>+<~="

type line struct {
	number int
	text   string
}

type parser struct {
	lines []line
	at    int
}

// Parse reads a recording. Its errors name the line.
func Parse(text []byte) (*Recording, error) {
	p := &parser{}
	for i, l := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		p.lines = append(p.lines, line{number: i + 1, text: strings.TrimSuffix(l, "\r")})
	}
	r := &Recording{}
	if err := p.head(r); err != nil {
		return nil, err
	}
	captured := map[string]bool{}
	for _, name := range r.Literal {
		captured[name] = true
	}
	for p.at < len(p.lines) {
		x, err := p.exchange()
		if err != nil {
			return nil, err
		}
		if err := checkCaptures(x, captured); err != nil {
			return nil, err
		}
		r.Exchanges = append(r.Exchanges, x)
	}
	if len(r.Exchanges) == 0 {
		return nil, fmt.Errorf("line %d: no request (> METHOD /path) follows", len(p.lines))
	}
	return r, nil
}

func (p *parser) peek() (line, bool) {
	if p.at == len(p.lines) {
		return line{}, false
	}
	return p.lines[p.at], true
}

// head reads all up to the notes of the first exchange.
func (p *parser) head(r *Recording) error {
	r.About = p.comments()
	if len(r.About) == 0 {
		return fmt.Errorf("line 1: a recording begins with what it is about (# …)")
	}
	for {
		p.blank()
		l, ok := p.peek()
		if !ok || strings.HasPrefix(l.text, "#") || strings.HasPrefix(l.text, ">") {
			return nil
		}
		p.at++
		if err := r.directive(l.text); err != nil {
			return fmt.Errorf("line %d: %w", l.number, err)
		}
	}
}

func (r *Recording) directive(text string) error {
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	if rest == "" {
		return fmt.Errorf("%s says nothing", word)
	}
	switch word {
	case "engine":
		if r.Engine != "" {
			return fmt.Errorf("a second engine")
		}
		r.Engine = rest
	case "literal":
		r.Literal = append(r.Literal, strings.Fields(rest)...)
	case "alone":
		r.Alone = rest
	case "data":
		r.Data = append(r.Data, strings.Fields(rest)...)
	case "covers":
		for _, c := range strings.Split(rest, ",") {
			r.Covers = append(r.Covers, strings.TrimSpace(c))
		}
	default:
		if slices.ContainsFunc(Kinds[:], func(k Kind) bool { return k.Name == word }) {
			return r.creates(word, strings.Fields(rest))
		}
		rule, err := ParseRule(text)
		if err != nil {
			return err
		}
		if k := rule.Kind; k == Capture || k == Error || k == Exact {
			return fmt.Errorf("%s stands in an exchange, not in the head", k)
		}
		r.Rules = append(r.Rules, rule)
	}
	return nil
}

// creates notes names, and keeps a replay from ever deleting more than what a recording names.
func (r *Recording) creates(kind string, names []string) error {
	for _, n := range names {
		if !PlainName(n) {
			return fmt.Errorf("%q is no plain name", n)
		}
		r.Creates = append(r.Creates, Named{kind, n})
	}
	return nil
}

// PlainName says that name names one thing, and can't be read as a pattern, a list or a path.
func PlainName(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "*?,/\\<>|\" %") && name[0] != '_' && name[0] != '-'
}

func (p *parser) blank() {
	for p.at < len(p.lines) && strings.TrimSpace(p.lines[p.at].text) == "" {
		p.at++
	}
}

func (p *parser) comments() []string {
	var c []string
	for {
		l, ok := p.peek()
		if !ok || !strings.HasPrefix(l.text, "#") {
			return c
		}
		c = append(c, strings.TrimSpace(l.text[1:]))
		p.at++
	}
}

// starting returns what follows the marker on the lines that begin with it.
func (p *parser) starting(marker string) []line {
	var found []line
	for {
		l, ok := p.peek()
		if !ok || !strings.HasPrefix(l.text, marker+" ") {
			return found
		}
		found = append(found, line{l.number, l.text[2:]})
		p.at++
	}
}

func (p *parser) exchange() (Exchange, error) {
	p.blank()
	x := Exchange{Note: p.comments()}
	p.blank()
	l, ok := p.peek()
	if !ok {
		l.number = len(p.lines)
	}
	if !ok || !strings.HasPrefix(l.text, "> ") {
		return x, fmt.Errorf("line %d: a request (> METHOD /path) has to come here", l.number)
	}
	p.at++
	x.Line = l.number
	method, target, ok := strings.Cut(l.text[2:], " ")
	if !ok || method == "" || !strings.HasPrefix(target, "/") || strings.ContainsAny(target, " \t") {
		return x, fmt.Errorf("line %d: a request is > METHOD /path, found %q", l.number, l.text)
	}
	x.Request.Method, x.Request.Target = method, target
	var err error
	if x.Request.Headers, err = headers(p.starting("+")); err != nil {
		return x, err
	}
	if x.Request.Body, err = p.body(lineEnded(target, nil, false)); err != nil {
		return x, err
	}
	l, ok = p.peek()
	if !ok || !strings.HasPrefix(l.text, "<") {
		p.blank()
		return x, nil
	}
	x.Answer, err = p.answer()
	p.blank()
	return x, err
}

func (p *parser) answer() (*Answer, error) {
	l := p.lines[p.at]
	p.at++
	a := &Answer{}
	var err error
	a.Status, err = strconv.Atoi(strings.TrimPrefix(l.text, "< "))
	if err != nil || a.Status < 0 || a.Status > 599 {
		return nil, fmt.Errorf("line %d: an answer is < STATUS, found %q", l.number, l.text)
	}
	if a.Headers, err = headers(p.starting("+")); err != nil {
		return nil, err
	}
	for _, l := range p.starting("~") {
		rule, err := ParseRule(l.text)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", l.number, err)
		}
		a.Rules = append(a.Rules, rule)
	}
	a.Body, err = p.body(lineEnded("", a.Headers, true))
	return a, err
}

func headers(lines []line) ([]Header, error) {
	var found []Header
	for _, l := range lines {
		name, value, ok := strings.Cut(l.text, ":")
		if !ok || name == "" || strings.ContainsAny(name, " \t") {
			return nil, fmt.Errorf("line %d: a header is + Name: value, found %q", l.number, l.text)
		}
		found = append(found, Header{Name: name, Value: strings.TrimSpace(value)})
	}
	return found, nil
}

// body reads the lines up to the next marker that is not a quoted line's.
func (p *parser) body(ended bool) ([]byte, error) {
	start := p.at
	for p.at < len(p.lines) {
		text := p.lines[p.at].text
		if text != "" && strings.ContainsRune("#><", rune(text[0])) {
			break
		}
		if text != "" && strings.ContainsRune("+~", rune(text[0])) {
			return nil, fmt.Errorf("line %d: %q stands in a body; quote the body (= \"…\")", p.lines[p.at].number, text)
		}
		p.at++
	}
	return decodeBody(p.lines[start:p.at], ended)
}

// checkCaptures refuses a ${name} that nothing has captured before, and keeps those of x.
func checkCaptures(x Exchange, captured map[string]bool) error {
	texts := []string{x.Request.Target, string(x.Request.Body)}
	for _, h := range x.Request.Headers {
		texts = append(texts, h.Value)
	}
	for _, name := range References(strings.Join(texts, " ")) {
		if !captured[name] {
			return fmt.Errorf("line %d: ${%s} is used before it is captured", x.Line, name)
		}
	}
	if x.Answer == nil {
		return nil
	}
	for _, r := range x.Answer.Rules {
		if r.Kind == Capture {
			if captured[r.Name] {
				return fmt.Errorf("line %d: ${%s} is captured twice", x.Line, r.Name)
			}
			captured[r.Name] = true
		}
	}
	return nil
}

// References returns the names in the ${name} of text, each once.
func References(text string) []string {
	var names []string
	for {
		_, after, ok := strings.Cut(text, "${")
		if !ok {
			return names
		}
		name, rest, ok := strings.Cut(after, "}")
		if ok && captureName.MatchString(name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
		if !ok {
			return names
		}
		text = after
		if captureName.MatchString(name) {
			text = rest
		}
	}
}
