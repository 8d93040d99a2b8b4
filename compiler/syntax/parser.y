/* compiler/syntax/parser.y - the grammar of mpa
 *
 * Tokens come from layout.c: every simple statement ends in a TERM, also the
 * last one of a block or of the source. LALR(1), no conflicts.
 *
 * Three things that look ambiguous and are not:
 *   - words such as `on` and `by` are names wherever a name may stand (rule
 *     `name`): after a complete expression no name can follow, so there they
 *     are read as words;
 *   - `where (a, b, c)` at the start of a statement is a call and `where (a)`
 *     begins a mask: the comma decides, since a mask is never a tuple;
 *   - (a) in brackets, (a, b) a tuple, (a, b) -> e a function: all are read as
 *     expressions first, and what follows the `)` decides.
 *
 * Errors are skipped up to the next TERM: `item: error TERM` must stay a state
 * that reduces without looking ahead, or the next line's error is lost. The prompt
 * relies on the same: `program: program item` runs as soon as its TERM is pushed.
 * So leave lr.default-reduction as it is; and an %initial-action would overwrite
 * the place of the first token that is pushed.
 */
%require "3.8"
%define api.pure full
%define api.push-pull both
%define api.token.prefix {T_}
%define api.value.type {union value}
%define api.location.type {struct span}
%define parse.error custom
%define parse.lac full
%param { struct parser *p }
%locations
%expect 0

%code requires {
#include "syntax/reader.h"
}

%code {
#define yylex layout_next

static void yyerror(struct span *at, struct parser *p, const char *message);

/* From the first part to the last; where there is none, behind what came before. */
#define YYLLOC_DEFAULT(whole, part, n)                                                 \
	((whole) = (n) ? parser_span(p, YYRHSLOC(part, 1).begin, YYRHSLOC(part, n).end) \
	               : parser_span(p, YYRHSLOC(part, 0).end, YYRHSLOC(part, 0).end))
}

/* declarations begin with a token that carries their doc comment */
%token <text> PARAM "param" LET "let" VAR "var" GRID "grid" FIELD "field" FN "fn"
              EXTERN "extern" EXPORT "export"
%token        BOUNDARY "boundary" IMPORT "import"
%token        IF "if" ELSE "else" FOR "for" IN "in" WHILE "while" WHERE "where"
              EVERY "every" LOCAL "local" RETURN "return" BREAK "break"
              CONTINUE "continue"
%token        AND "and" OR "or" NOT "not" TRUE "true" FALSE "false"
%token <text> FROM "from" ON "on" BY "by" OVER "over" NODES "nodes" LIKE "like"
              BACKEND "backend"
              PERIODIC "periodic" PARTICLES "particles"
%token <text> NAME "name" INT "integer" REAL "number" IMAG "imaginary number"
%token <text> STRING "text" FORMAT "format"
%token <text> STRING_HEAD "text before {" STRING_MID "text after }"
              STRING_TAIL "end of text"
%token <text> TERM "end of statement"
%token        RANGE ".." ARROW "->" EQ "==" NE "!=" LE "<=" GE ">=" FLOORDIV "//"
%token        ADD_TO "+=" SUB_FROM "-=" MUL_BY "*=" DIV_BY "/="
%token        NEWLINE "newline"          /* consumed by layout.c */

%left       OR
%left       AND
%precedence NOT
%nonassoc   EQ NE '<' '>' LE GE
%left       '+' '-'
%left       '*' '/' FLOORDIV '%'
%precedence SIGN
%right      '^'

%nterm <node> item simple target condition compound block if where
%nterm <node> else_part else_if_part else_where_part
%nterm <node> signature parameters parameter wall member
%nterm <node> axes axis attributes attribute clauses clause
%nterm <node> pattern names name type type_part element element_part on_part
%nterm <node> value_part text_part
%nterm <node> expr value postfix primary literal string text hole
%nterm <node> range iterable argument entry slice bound
%nterm <list> items walls members axis_list attribute_list clause_list name_list
%nterm <list> parameter_list exprs tuple arguments argument_list entries holes

%%

program
	: %empty
	| program item          { list_add(p, p->program, $2); p->idle = true; }
	;

items
	: %empty                { $$ = list_new(p, NULL); }
	| items item            { $$ = list_add(p, $1, $2); }
	;

item
	: simple TERM
	| compound
	| TERM                  { $$ = NULL; }
	| error TERM            { $$ = NULL; yyerrok; }
	| error block else_part { $$ = NULL; yyerrok; }
	;

block
	: '{' items '}'         { $$ = node_list(p, AST_BLOCK, @$, $2); }
	;

/* ---- statements that end with their line -------------------------------- */

simple
	: PARAM name type_part value_part text_part
		{ $$ = node_doc(node(p, PARAM, @$, $2, $3, $4, $5), $1); }
	| LET pattern type_part '=' expr
		{ $$ = node_doc(node(p, LET, @$, $2, $3, NULL, $5), $1); }
	| LET pattern ON postfix '=' expr
		{ $$ = node_doc(node(p, LET, @$, $2, NULL, $4, $6), $1); }
	| VAR name type_part '=' expr
		{ $$ = node_doc(node(p, VAR, @$, $2, $3, $5), $1); }
	| GRID name '[' axes ']' clauses
		{ $$ = node_doc(node(p, GRID, @$, $2, $4, $6), $1); }
	| GRID name '=' expr
		{ $$ = node_doc(node(p, GRID_NAME, @$, $2, $4), $1); }
	| FIELD names element_part on_part value_part
		{ $$ = node_doc(node(p, FIELD, @$, $2, $3, $4, $5), $1); }
	| FIELD names element_part LIKE postfix
		{ $$ = node_doc(node(p, FIELD_LIKE, @$, $2, $3, $5), $1); }
	| signature '=' expr            { $$ = node_function(p, AST_FN, @$, $1, $3); }
	| EXPORT signature '=' expr
		{ $$ = node_doc(node_function(p, AST_EXPORT, @$, $2, $4), $1); }
	| EXTERN signature
		{ $$ = node_doc(node_function(p, AST_EXTERN, @$, $2, NULL), $1); }
	| BOUNDARY names '=' expr       { $$ = node(p, BOUNDARY, @$, $2, $4, NULL); }
	| BACKEND text                  { $$ = node(p, BACKEND, @$, $2); }
	| IMPORT name                   { $$ = node(p, IMPORT, @$, $2); }
	| FROM name IMPORT names        { $$ = node(p, FROM, @$, $2, $4); }
	| RETURN                        { $$ = node(p, RETURN, @$, NULL); }
	| RETURN expr                   { $$ = node(p, RETURN, @$, $2); }
	| BREAK                         { $$ = node_leaf(p, BREAK, @$); }
	| CONTINUE                      { $$ = node_leaf(p, CONTINUE, @$); }
	| expr                          { $$ = node(p, EVAL, @$, check_effect(p, $1)); }
	| target '=' expr               { $$ = node_assign(p, SET, @$, $1, $3); }
	| target ADD_TO expr            { $$ = node_assign(p, ADD, @$, $1, $3); }
	| target SUB_FROM expr          { $$ = node_assign(p, SUB, @$, $1, $3); }
	| target MUL_BY expr            { $$ = node_assign(p, MUL, @$, $1, $3); }
	| target DIV_BY expr            { $$ = node_assign(p, DIV, @$, $1, $3); }
	;

target                          /* read as any expression, for a better message */
	: expr                  { $$ = check_target(p, $1); }
	;

/* ---- statements that end with their block ------------------------------- */

compound
	: if
	| where
	| FOR name IN iterable block    { $$ = node(p, FOR, @$, $2, $4, $5); }
	| WHILE condition block         { $$ = node(p, WHILE, @$, $2, $3); }
	| EVERY expr block              { $$ = node(p, EVERY, @$, $2, $3); }
	| LOCAL block                   { $$ = node(p, LOCAL, @$, $2); }
	| signature block               { $$ = node_function(p, AST_FN, @$, $1, $2); }
	| EXPORT signature block
		{ $$ = node_doc(node_function(p, AST_EXPORT, @$, $2, $3), $1); }
	| BOUNDARY names '{' walls '}'
		{ $$ = node(p, BOUNDARY, @$, $2, NULL, node_list(p, AST_WALLS, @4, $4)); }
	| PARTICLES name ON postfix '{' members '}'
		{ $$ = node(p, PARTICLES, @$, $2, $4, node_list(p, AST_MEMBERS, @6, $6)); }
	;

condition
	: expr                  { $$ = check_condition(p, $1); }
	;

if
	: IF condition block else_if_part { $$ = node(p, IF, @$, $2, $3, $4); }
	;

else_if_part
	: %empty                { $$ = NULL; }
	| ELSE block            { $$ = $2; }
	| ELSE if               { $$ = $2; }
	;

where
	: WHERE condition block else_where_part { $$ = node(p, WHERE, @$, $2, $3, $4); }
	;

else_where_part
	: %empty                { $$ = NULL; }
	| ELSE block            { $$ = $2; }
	| ELSE where            { $$ = $2; }
	;

else_part                       /* after a head with an error, of whichever kind */
	: %empty                { $$ = NULL; }
	| ELSE block            { $$ = $2; }
	| ELSE if               { $$ = $2; }
	| ELSE where            { $$ = $2; }
	;

walls
	: %empty                { $$ = list_new(p, NULL); }
	| walls wall            { $$ = list_add(p, $1, $2); }
	;

wall
	: postfix '=' expr TERM { $$ = node(p, WALL, @$, check_wall(p, $1), $3); }
	| TERM                  { $$ = NULL; }
	| error TERM            { $$ = NULL; yyerrok; }
	;

members
	: %empty                { $$ = list_new(p, NULL); }
	| members member        { $$ = list_add(p, $1, $2); }
	;

member
	: names ':' element TERM { $$ = node(p, MEMBER, @$, $1, $3); }
	| TERM                  { $$ = NULL; }
	| error TERM            { $$ = NULL; yyerrok; }
	;

/* ---- parts of declarations ---------------------------------------------- */

axes
	: axis_list comma       { $$ = node_list(p, AST_AXES, @$, $1); }
	;

axis_list
	: axis                  { $$ = list_new(p, $1); }
	| axis_list ',' axis    { $$ = list_add(p, $1, $3); }
	;

axis
	: name ':' expr attributes { $$ = node(p, AXIS, @$, $1, $3, $4); }
	;

attributes                      /* in any order; checked later */
	: attribute_list        { $$ = node_list(p, AST_ATTRIBUTES, @$, $1); }
	;

attribute_list
	: %empty                { $$ = list_new(p, NULL); }
	| attribute_list attribute { $$ = list_add(p, $1, $2); }
	;

attribute
	: OVER range            { $$ = node(p, OVER, @$, $2); }
	| NODES range           { $$ = node(p, NODES, @$, $2); }
	| PERIODIC              { $$ = node_leaf(p, PERIODIC, @$); }
	| LOCAL                 { $$ = node_leaf(p, AXIS_LOCAL, @$); }
	;

clauses                         /* split(y), split none, procs(2, 3), cuts(x: [...]) */
	: clause_list           { $$ = node_list(p, AST_CLAUSES, @$, $1); }
	;

clause_list
	: %empty                { $$ = list_new(p, NULL); }
	| clause_list clause    { $$ = list_add(p, $1, $2); }
	;

clause
	: name '(' arguments ')' { $$ = node_list(p, AST_CLAUSE, @$, list_first(p, $1, $3)); }
	| name name             { $$ = node(p, CLAUSE, @$, $1, $2); }
	;

signature
	: FN name '(' parameters ')' type_part
		{ $$ = node_doc(node(p, FN, @$, $2, $4, $6), $1); }
	;

parameters
	: %empty                { $$ = node_leaf(p, PARAMETERS, @$); }
	| parameter_list comma  { $$ = node_list(p, AST_PARAMETERS, @$, $1); }
	;

parameter_list
	: parameter             { $$ = list_new(p, $1); }
	| parameter_list ',' parameter { $$ = list_add(p, $1, $3); }
	;

parameter
	: name type_part value_part     { $$ = node(p, PARAMETER, @$, $1, $2, $3); }
	| VAR name type_part value_part { $$ = node(p, VAR_PARAMETER, @$, $2, $3, $4); }
	;

pattern
	: name
	| '(' name_list comma ')' { $$ = node_list(p, AST_NAMES, @$, $2); }
	;

names
	: name_list             { $$ = node_list(p, AST_NAMES, @$, $1); }
	;

name_list
	: name                  { $$ = list_new(p, $1); }
	| name_list ',' name    { $$ = list_add(p, $1, $3); }
	;

name
	: NAME                  { $$ = node_name(p, @$, $1); }
	| FROM                  { $$ = node_name(p, @$, $1); }
	| ON                    { $$ = node_name(p, @$, $1); }
	| BY                    { $$ = node_name(p, @$, $1); }
	| OVER                  { $$ = node_name(p, @$, $1); }
	| NODES                 { $$ = node_name(p, @$, $1); }
	| PERIODIC              { $$ = node_name(p, @$, $1); }
	| PARTICLES             { $$ = node_name(p, @$, $1); }
	| LIKE                  { $$ = node_name(p, @$, $1); }
	| BACKEND               { $$ = node_name(p, @$, $1); }
	;

type_part
	: %empty                { $$ = NULL; }
	| ':' type              { $$ = $2; }
	;

type                            /* behind `field`, `on` is never the name of a type */
	: element
	| FIELD                 { $$ = node(p, FIELD_TYPE, @$, NULL, NULL); }
	| FIELD ON postfix      { $$ = node(p, FIELD_TYPE, @$, NULL, $3); }
	| FIELD NAME            { $$ = node(p, FIELD_TYPE, @$, node_name(p, @2, $2), NULL); }
	| FIELD NAME ON postfix { $$ = node(p, FIELD_TYPE, @$, node_name(p, @2, $2), $4); }
	;

element_part
	: %empty                { $$ = NULL; }
	| ':' element           { $$ = $2; }
	;

element
	: name
	| name '[' expr ']'     { $$ = node(p, VECTOR, @$, $1, $3); }
	;

on_part
	: %empty                { $$ = NULL; }
	| ON postfix            { $$ = $2; }
	;

value_part
	: %empty                { $$ = NULL; }
	| '=' expr              { $$ = $2; }
	;

text_part
	: %empty                { $$ = NULL; }
	| text
	;

/* ---- expressions -------------------------------------------------------- */

expr
	: value
	| tuple                 { $$ = node_list(p, AST_TUPLE, @$, $1); }
	| '(' expr ')' ARROW expr
		{
			struct list *name = check_parameters(p, list_new(p, $2));

			$$ = node(p, LAMBDA, @$, node_list(p, AST_NAMES, @2, name), $5);
		}
	| tuple ARROW expr
		{
			struct list *names = check_parameters(p, $1);

			$$ = node(p, LAMBDA, @$, node_list(p, AST_NAMES, @1, names), $3);
		}
	;

tuple
	: '(' expr ',' exprs comma ')'  { $$ = list_first(p, $2, $4); }
	;

value
	: postfix
	| value OR value        { $$ = node_binary(p, OR, @$, $1, $3); }
	| value AND value       { $$ = node_binary(p, AND, @$, $1, $3); }
	| NOT value             { $$ = node_unary(p, NOT, @$, $2); }
	| value EQ value        { $$ = node_binary(p, EQ, @$, $1, $3); }
	| value NE value        { $$ = node_binary(p, NE, @$, $1, $3); }
	| value '<' value       { $$ = node_binary(p, LT, @$, $1, $3); }
	| value '>' value       { $$ = node_binary(p, GT, @$, $1, $3); }
	| value LE value        { $$ = node_binary(p, LE, @$, $1, $3); }
	| value GE value        { $$ = node_binary(p, GE, @$, $1, $3); }
	| value '+' value       { $$ = node_binary(p, ADD, @$, $1, $3); }
	| value '-' value       { $$ = node_binary(p, SUB, @$, $1, $3); }
	| value '*' value       { $$ = node_binary(p, MUL, @$, $1, $3); }
	| value '/' value       { $$ = node_binary(p, DIV, @$, $1, $3); }
	| value FLOORDIV value  { $$ = node_binary(p, FLOORDIV, @$, $1, $3); }
	| value '%' value       { $$ = node_binary(p, MOD, @$, $1, $3); }
	| '-' value %prec SIGN  { $$ = node_unary(p, NEG, @$, $2); }
	| '+' value %prec SIGN  { $$ = node_unary(p, POS, @$, $2); }
	| value '^' value       { $$ = node_binary(p, POW, @$, $1, $3); }
	;

postfix
	: primary
	| postfix '[' entries comma ']'
		{ $$ = node_list(p, AST_SELECT, @$, list_first(p, $1, $3)); }
	| postfix '(' arguments ')'
		{ $$ = node_list(p, AST_CALL, @$, list_first(p, $1, $3)); }
	| postfix '.' NAME      { $$ = node(p, DOT, @$, $1, node_name(p, @3, $3)); }
	;

primary
	: name
	| literal
	| string
	| '(' expr ')'          { $$ = node(p, PAREN, @$, $2); }
	| '[' ']'               { $$ = node_leaf(p, LIST, @$); }
	| '[' exprs comma ']'   { $$ = node_list(p, AST_LIST, @$, $2); }
	| WHERE '(' expr ',' exprs comma ')'
		{
			struct ast *name = node_name(p, @1, intern_text(p->names, "where"));
			struct list *arguments = list_first(p, $3, $5);

			$$ = node_list(p, AST_CALL, @$, list_first(p, name, arguments));
		}
	| VAR '(' arguments ')'
		{
			struct ast *name = node_name(p, @1, intern_text(p->names, "var"));

			$$ = node_list(p, AST_CALL, @$, list_first(p, name, $3));
		}
	;

literal
	: INT                   { $$ = node_integer(p, @$, $1); }
	| REAL                  { $$ = node_real(p, AST_REAL, @$, $1); }
	| IMAG                  { $$ = node_real(p, AST_IMAGINARY, @$, $1); }
	| TRUE                  { $$ = node_bool(p, @$, true); }
	| FALSE                 { $$ = node_bool(p, @$, false); }
	;

string
	: text
	| STRING_HEAD holes STRING_TAIL
		{
			struct list *pieces = list_new(p, node_piece(p, @1, $1));

			list_append(p, pieces, $2);
			list_add(p, pieces, node_piece(p, @3, $3));
			$$ = node_list(p, AST_TEXT, @$, pieces);
		}
	;

text
	: STRING                { $$ = node_text(p, AST_TEXT, @$, $1); }
	;

holes
	: hole                  { $$ = list_new(p, $1); }
	| holes STRING_MID hole
		{ $$ = list_add(p, list_add(p, $1, node_piece(p, @2, $2)), $3); }
	;

hole
	: expr                  { $$ = node(p, HOLE, @$, $1); }
	| expr FORMAT           { $$ = node_hole(p, @$, $1, $2); }
	;

exprs
	: expr                  { $$ = list_new(p, $1); }
	| exprs ',' expr        { $$ = list_add(p, $1, $3); }
	;

range
	: expr RANGE expr       { $$ = node(p, RANGE, @$, $1, $3, NULL); }
	;

iterable
	: expr
	| range
	| expr RANGE expr BY expr { $$ = node(p, RANGE, @$, $1, $3, $5); }
	;

arguments
	: %empty                { $$ = list_new(p, NULL); }
	| argument_list comma
	;

argument_list
	: argument              { $$ = list_new(p, $1); }
	| argument_list ',' argument { $$ = list_add(p, $1, $3); }
	;

argument
	: expr
	| name '=' expr         { $$ = node(p, NAMED, @$, $1, $3); }
	| name ':' expr         { $$ = node(p, KEYED, @$, $1, $3); }
	| name IN iterable ':' expr { $$ = node(p, EACH, @$, $1, $3, $5); }
	;

entries
	: entry                 { $$ = list_new(p, $1); }
	| entries ',' entry     { $$ = list_add(p, $1, $3); }
	;

entry
	: expr
	| slice
	| bound ':' bound LOCAL
		{
			struct ast *local = node_leaf(p, AXIS_LOCAL, @4);

			check_axis(p, $1, @2, $3);
			$$ = node(p, AXIS, @$, $1, $3, node(p, ATTRIBUTES, @4, local));
		}
	| name '=' expr         { $$ = node(p, NAMED, @$, $1, $3); }
	| name '=' slice        { $$ = node(p, NAMED, @$, $1, $3); }
	;

slice
	: bound ':' bound       { $$ = node(p, SLICE, @$, $1, $3, NULL); }
	| bound ':' bound ':' bound { $$ = node(p, SLICE, @$, $1, $3, $5); }
	;

bound
	: %empty                { $$ = NULL; }
	| expr
	;

comma                           /* one may follow the last element of any list */
	: %empty
	| ','
	;

%%

static void yyerror(struct span *at, struct parser *p, const char *message)
{
	(void)message;               /* "memory exhausted" is all that arrives here */
	parser_error(p, DIAG_TOO_DEEP, *at, "this is nested too deep");
}

/* Tells of the tokens that could follow by their kinds, as the lexer knows them. */
static int yyreport_syntax_error(const yypcontext_t *context, struct parser *p)
{
	yysymbol_kind_t expected[YYNTOKENS], got = yypcontext_token(context);
	int n = yypcontext_expected_tokens(context, expected, YYNTOKENS);
	bool may[YYMAXUTOK + 1] = { false };

	for (int kind = 0; kind <= YYMAXUTOK; kind++)
		for (int i = 0; i < n; i++)
			may[kind] |= YYTRANSLATE(kind) == expected[i];
	message_unexpected(p, *yypcontext_location(context), yysymbol_name(got), may);
	return 0;
}
