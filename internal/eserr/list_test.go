package eserr_test

import (
	"errors"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"postern/internal/eserr"
	"postern/internal/jsonx"
)

var rewrite = flag.Bool("rewrite", false, "write testdata/errors.golden anew")

// samples has an error of each constructor.
func samples() map[string]*eserr.Error {
	cause := func() *eserr.Error { return eserr.IllegalArgument("bad %s", "thing") }
	_, syntax := jsonx.Parse([]byte(`{"a":tru}`))
	fromSyntax, _ := eserr.As(eserr.FromSyntax(syntax))
	var s *jsonx.SyntaxError
	errors.As(syntax, &s)
	failure := func() []eserr.ShardFailure {
		return []eserr.ShardFailure{{Index: "books", Node: "n1", Cause: eserr.QueryShard("books", "u1", "failed to create query: bad")}}
	}
	return map[string]*eserr.Error{
		"IllegalArgument":       cause(),
		"Parsing":               eserr.Parsing(1, 2, "unknown query [%s]", "x"),
		"XContentParse":         eserr.XContentParse(1, 2, "[bool] unknown field [%s]", "x"),
		"Refused":               eserr.Refused("scripts are not supported"),
		"MediaType":             eserr.MediaType("Accept", cause()),
		"StatusException":       eserr.StatusException(406, "no"),
		"BadParameter":          eserr.BadParameter(cause()),
		"BodyTooLarge":          eserr.BodyTooLarge(100 << 20),
		"HeaderTooLarge":        eserr.HeaderTooLarge(32 << 10),
		"CircuitBreaking":       eserr.CircuitBreaking("<http_request>", 1<<20, 1<<10, 1<<20),
		"Timeout":               eserr.Timeout("the request took longer than [1s]"),
		"Unavailable":           eserr.Unavailable("Qdrant does not answer"),
		"Contended":             eserr.Contended("7"),
		"TooManyWrites":         eserr.TooManyWrites(),
		"ContextMissing":        eserr.ContextMissing(7),
		"TooManyScrolls":        eserr.TooManyScrolls(500),
		"KeepAliveTooLarge":     eserr.KeepAliveTooLarge(36*time.Hour, 24*time.Hour),
		"NoShardAvailable":      eserr.NoShardAvailable(),
		"Internal":              eserr.Internal("0123456789abcdef"),
		"SourceWithoutType":     eserr.SourceWithoutType(),
		"SourceType":            eserr.SourceType("text/foo"),
		"InvalidIndexName":      eserr.InvalidIndexName("_x", "must not start with '_'."),
		"InvalidAliasName":      eserr.InvalidAliasName("a b", "must not contain blanks"),
		"IndexExists":           eserr.IndexExists("books", "u1"),
		"IndexNotFound":         eserr.IndexNotFound("books", ""),
		"IndexNotFoundBare":     eserr.IndexNotFoundBare("books", "[require_alias] request flag is [true] and [books] is not an alias"),
		"IndicesNotFound":       eserr.IndicesNotFound([]string{"a*", "b*"}),
		"IndexClosed":           eserr.IndexClosed("books", "u1"),
		"AliasesNotFound":       eserr.AliasesNotFound("a", "b"),
		"Blocked":               eserr.Blocked("books", "FORBIDDEN/8/index write (api)"),
		"Validation":            eserr.Validation("one", "two"),
		"ActionValidation":      eserr.ActionValidation("one"),
		"NotXContent":           eserr.NotXContent(),
		"ClassCast":             eserr.ClassCast("java.lang.String", "java.util.Map"),
		"QueryShard":            eserr.QueryShard("books", "u1", "failed to create query: %s", "bad"),
		"NumberFormat":          eserr.NumberFormat(`For input string: "x"`),
		"UnsupportedOperation":  eserr.UnsupportedOperation("no"),
		"ParseError":            eserr.ParseError("failed to parse date field [%s]", "x"),
		"IllegalState":          eserr.IllegalState("Can't do it"),
		"TooManyClauses":        eserr.TooManyClauses("maxClauseCount is set to %d", 1024),
		"SearchPhase":           eserr.SearchPhase("query", failure()),
		"ReducePhase":           eserr.ReducePhase(cause()),
		"PartialFailure":        eserr.PartialFailure(failure()),
		"FromSyntax":            fromSyntax,
		"SyntaxCause":           eserr.SyntaxCause(s),
		"DocumentExists":        eserr.DocumentExists("books", "u1", "1", 3),
		"VersionConflict":       eserr.VersionConflict("books", "u1", "1", 4, 3, true),
		"SeqNoConflict":         eserr.SeqNoConflict("books", "u1", "1", 7, 1, 1, 1),
		"SeqNoMissing":          eserr.SeqNoMissing("books", "u1", "1", 7, 1),
		"DocumentMissing":       eserr.DocumentMissing("books", "u1", "1"),
		"DocumentNotFound":      eserr.DocumentNotFound("books", "1"),
		"RoutingMissing":        eserr.RoutingMissing("books", "1"),
		"DocumentParsing":       eserr.DocumentParsing(1, 8, "failed to parse field [%s]", "n"),
		"DocumentSourceMissing": eserr.DocumentSourceMissing("books", "u1", "1"),
		"TooMuchMemory":         eserr.TooMuchMemory(),
		"OtherVersion":          eserr.OtherVersion("books", "u1", "1", 4, 3),
		"NotBuilt":              eserr.NotBuilt("double_bounds", "org.elasticsearch.DoubleBounds", cause()),
		"BodyRequired":          eserr.BodyRequired(),
	}
}

// TestErrors holds testdata/errors.golden: every error that reaches a client, as it
// does. It fails for a constructor that samples leaves out.
func TestErrors(t *testing.T) {
	all := samples()
	var got strings.Builder
	for _, name := range constructors(t) {
		e := all[name]
		if e == nil {
			t.Errorf("no sample of %s", name)
			continue
		}
		got.WriteString(name + "\n" + string(e.AppendJSON(nil)) + "\n\n")
	}
	if *rewrite {
		if err := os.WriteFile("testdata/errors.golden", []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/errors.golden")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("(-golden +got; -rewrite writes it anew)\n%s", diff)
	}
}

// constructors are the exported functions that give an error, by file, in the
// order of the source.
func constructors(t *testing.T) []string {
	//lint:ignore SA1019 nothing here has build tags, and nothing needs types
	packages, err := parser.ParseDir(token.NewFileSet(), ".", func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	files := packages["eserr"].Files
	for _, name := range slices.Sorted(maps.Keys(files)) {
		for _, d := range files[name].Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !f.Name.IsExported() || f.Type.Results == nil {
				continue
			}
			if givesError(f) || f.Name.Name == "FromSyntax" {
				names = append(names, f.Name.Name)
			}
		}
	}
	return names
}

func givesError(f *ast.FuncDecl) bool {
	if len(f.Type.Results.List) != 1 {
		return false
	}
	star, ok := f.Type.Results.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	id, ok := star.X.(*ast.Ident)
	return ok && id.Name == "Error"
}

func TestTraced(t *testing.T) {
	e := eserr.IllegalArgument("bad").Cause(eserr.NumberFormat("worse")).Traced()
	want := `{"error":{"root_cause":[{"type":"illegal_argument_exception","reason":"bad","stack_trace":"illegal_argument_exception: bad"}],"type":"illegal_argument_exception","reason":"bad",` +
		`"caused_by":{"type":"number_format_exception","reason":"worse","stack_trace":"number_format_exception: worse"},"stack_trace":"illegal_argument_exception: bad"},"status":400}`
	if diff := cmp.Diff(want, string(e.AppendJSON(nil))); diff != "" {
		t.Error(diff)
	}
}
