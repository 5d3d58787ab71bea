import { parseSync } from '@swc/core';

/**
 * One import or re-export of a source file. `specifier` null: computed at run time. `typeOnly`: removed before run time. `isLater`: a call loads
 * it, by `import()` or `require()`.
 */
export interface Import {
  specifier: string | null;
  typeOnly: boolean;
  isLater: boolean;
}

type Node = Record<string, unknown>;

/**
 * All imports of a TypeScript or JavaScript source: declarations, re-exports, `import()`, `require()`, and `import('…')` types.
 * `import { type X }` is not type-only because Node still loads the module.
 */
export function importsOf(source: string): Import[] {
  const known = parsed.get(source);
  if (known !== undefined) return known;
  const found = nodesOf(source).flatMap((node) => importOf(node) ?? []);
  parsed.set(source, found);
  return found;
}

/** The imports of each source that was parsed. Several tests read all files of the project, and parsing them takes seconds. */
const parsed = new Map<string, Import[]>();

/** All nodes of the syntax tree in source order. */
export function nodesOf(source: string): Node[] {
  const nodes: Node[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (isNode(value)) {
      if (typeof value.type === 'string') nodes.push(value);
      Object.values(value).forEach(visit);
    }
  };
  visit(parsedAs(source).body);
  return nodes;
}

/** A source with JSX does not parse as plain TypeScript. */
function parsedAs(source: string) {
  try {
    return parseSync(source, { syntax: 'typescript', target: 'es2024' });
  } catch {
    return parseSync(source, { syntax: 'typescript', tsx: true, target: 'es2024' });
  }
}

function importOf(node: Node): Import | null {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ExportNamedDeclaration':
      return isNode(node.source) ? declared(literal(node.source), node.typeOnly === true) : null;
    case 'TsImportType':
      return declared(literal(node.argument), true);
    case 'TsExternalModuleReference':
      return declared(literal(node.expression), false);
    case 'CallExpression':
      return loadsModule(node.callee)
        ? { specifier: firstArgument(node.arguments), typeOnly: false, isLater: true }
        : null;
    default:
      return null;
  }
}

function declared(specifier: string | null, typeOnly: boolean): Import {
  return { specifier, typeOnly, isLater: false };
}

function loadsModule(callee: unknown): boolean {
  return isNode(callee) && (callee.type === 'Import' || (callee.type === 'Identifier' && callee.value === 'require'));
}

function firstArgument(list: unknown): string | null {
  const first: unknown = Array.isArray(list) ? list[0] : null;
  return isNode(first) ? literal(first.expression) : null;
}

function literal(node: unknown): string | null {
  return isNode(node) && node.type === 'StringLiteral' && typeof node.value === 'string' ? node.value : null;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
