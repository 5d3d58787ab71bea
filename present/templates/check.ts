import Handlebars from 'handlebars';
import { visibleLine } from '../../billing/look/visibleText.ts';
import type { Fields } from '../variables/kinds.ts';
import { helpers } from './functions.ts';
import { lookUp, type Scopes } from './scope.ts';
import type { Mistake, Part } from './source.ts';

type Node = hbs.AST.Node;
type Report = Omit<Mistake, 'part'>;

/** Values that loops set. */
const LOOP_VALUES = ['index', 'first', 'last', 'key', 'root'];
const LITERALS = new Set(['StringLiteral', 'NumberLiteral', 'BooleanLiteral', 'NullLiteral', 'UndefinedLiteral']);

/** Ends the check at the first mistake. */
class Wrong extends Error {
  readonly report: Report;

  constructor(message: string, node: Node | null, unknown?: NonNullable<Mistake['unknown']>) {
    super(message);
    const at = node?.loc.start;
    const place = { line: at?.line ?? null, column: at ? at.column + 1 : null };
    this.report = unknown ? { message, ...place, unknown } : { message, ...place };
  }
}

/** The first mistake of a source: bad syntax, an unknown variable or helper, or a part of Handlebars that templates do not have. */
export function mistakeIn(part: Part, source: string, variables: Fields): Mistake | null {
  try {
    checkProgram(parsed(source), [variables]);
    return null;
  } catch (error) {
    if (error instanceof Wrong) return { part, ...error.report };
    if (error instanceof RangeError)
      return { part, message: 'The blocks are nested too deeply', line: null, column: null };
    throw error;
  }
}

function parsed(source: string): hbs.AST.Program {
  try {
    return Handlebars.parse(source);
  } catch (error) {
    if (!(error instanceof Error) || error instanceof RangeError) throw error;
    // The message of Handlebars begins with the line.
    throw new Wrong(`Syntax error: ${visibleLine(error.message).slice(0, 300)}`, null);
  }
}

function checkProgram({ body, blockParams }: hbs.AST.Program, scopes: Scopes): void {
  if (blockParams && blockParams.length > 0)
    throw new Wrong('Block parameters (as |name|) cannot be used: use this and @index', body[0] ?? null);
  for (const statement of body) checkStatement(statement, scopes);
}

function checkStatement(node: hbs.AST.Statement, scopes: Scopes): void {
  if (isMustache(node)) checkMustache(node, scopes);
  else if (isBlock(node)) checkBlock(node, scopes);
  else if (node.type !== 'ContentStatement' && node.type !== 'CommentStatement')
    throw new Wrong('Partials and decorators cannot be used', node);
}

const isMustache = (node: Node): node is hbs.AST.MustacheStatement => node.type === 'MustacheStatement';
const isBlock = (node: Node): node is hbs.AST.BlockStatement => node.type === 'BlockStatement';
const isPath = (node: Node): node is hbs.AST.PathExpression => node.type === 'PathExpression';
const isCall = (node: Node): node is hbs.AST.SubExpression => node.type === 'SubExpression';

function checkMustache(node: hbs.AST.MustacheStatement, scopes: Scopes): void {
  if (!node.escaped) throw new Wrong('Values are always escaped: use two braces', node);
  const path = nameOf(node);
  const helper = helperIn(path);
  if (helper && !helper.isBlock) {
    checkCall(node, path.original, scopes);
    return;
  }
  if (helper) throw new Wrong(`${path.original} begins a block: {{#${path.original} …}}`, node);
  if (node.params.length > 0 || node.hash) throw unknownHelper(path);
  const kind = checkPath(path, scopes);
  if (kind === 'group' || kind === 'list' || kind === 'optionalGroup')
    throw new Wrong(`${path.original} has further variables: name one of them`, node);
}

function checkBlock(node: hbs.AST.BlockStatement, scopes: Scopes): void {
  const { program, inverse } = node;
  const path = nameOf(node);
  const helper = helperIn(path);
  if (!helper?.isBlock) throw unknownHelper(path);
  checkCall(node, path.original, scopes);
  const [of] = node.params;
  if (program) checkProgram(program, innerScopes(path.original, of, scopes));
  if (inverse) checkProgram(inverse, scopes);
}

/** What a mustache or block names. Handlebars also takes a literal for a name, as in `{{"lookup" order "total"}}`. */
function nameOf(node: hbs.AST.MustacheStatement | hbs.AST.BlockStatement): hbs.AST.PathExpression {
  if (isPath(node.path)) return node.path;
  throw new Wrong('A variable or helper is named without quotes, and is no number or constant', node);
}

/** The scopes inside a block: `each` and `with` enter a list or group. */
function innerScopes(helper: string, of: Node | undefined, scopes: Scopes): Scopes {
  if (helper === 'if' || helper === 'unless') return scopes;
  const found = of && isPath(of) ? placeOf(of, scopes) : null;
  const variable = found && 'variable' in found ? found.variable : null;
  if (helper === 'each' && variable?.kind === 'list') return [variable.fields, ...scopes];
  if (helper === 'with' && (variable?.kind === 'group' || variable?.kind === 'optionalGroup'))
    return [variable.fields, ...scopes];
  throw new Wrong(helper === 'each' ? 'each takes a list' : 'with takes a group of variables', of ?? null);
}

function checkCall(
  node: hbs.AST.MustacheStatement | hbs.AST.BlockStatement | hbs.AST.SubExpression,
  name: string,
  scopes: Scopes,
): void {
  const { least = 0, most = 0 } = helpers[name] ?? {};
  const count = node.params.length;
  if (count < least || count > most)
    throw new Wrong(`${name} takes ${least === most ? least : `${least} to ${most}`} values`, node);
  if (node.hash) throw new Wrong(`${name} takes no named values`, node);
  for (const param of node.params) checkValue(param, scopes);
}

function checkValue(node: Node, scopes: Scopes): void {
  if (LITERALS.has(node.type)) return;
  if (isPath(node)) {
    checkPath(node, scopes);
    return;
  }
  if (!isCall(node) || !isPath(node.path)) throw new Wrong('This value cannot be used here', node);
  const helper = helperIn(node.path);
  if (!helper || helper.isBlock) throw unknownHelper(node.path);
  checkCall(node, node.path.original, scopes);
}

/** Checks a path. Returns the kind of its variable; null: a value that a loop sets. */
function checkPath(path: hbs.AST.PathExpression, scopes: Scopes): string | null {
  const found = placeOf(path, scopes);
  if (found === null) return null;
  if ('unknown' in found)
    throw new Wrong(`Unknown variable: ${found.unknown.slice(0, 100)}`, path, {
      name: found.unknown,
      known: found.known,
    });
  return 'variable' in found ? found.variable.kind : 'group';
}

/** The declared variable of a path; null: a value that a loop sets. */
const placeOf = (path: hbs.AST.PathExpression, scopes: Scopes) =>
  path.data ? inData(path, scopes) : lookUp(path, scopes);

/** `@root.customer` is looked up, `@index` is known. */
function inData({ parts, original }: hbs.AST.PathExpression, scopes: Scopes) {
  const [first = '', ...others] = parts;
  if (!LOOP_VALUES.includes(first)) return { unknown: original, known: LOOP_VALUES.map((name) => `@${name}`) };
  if (first !== 'root') return others.length === 0 ? null : { unknown: original, known: [] };
  return lookUp({ depth: scopes.length - 1, parts: others }, scopes);
}

function helperIn({ data, depth, parts }: hbs.AST.PathExpression) {
  const [name = ''] = parts;
  return !data && depth === 0 && parts.length === 1 && Object.hasOwn(helpers, name) ? helpers[name] : undefined;
}

function unknownHelper(path: hbs.AST.PathExpression): Wrong {
  return new Wrong(`Unknown helper: ${path.original.slice(0, 100)}`, path, {
    name: path.original,
    known: Object.keys(helpers),
  });
}
