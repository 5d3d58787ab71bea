import type { Fields, Variable } from '../variables/kinds.ts';

/** The variables that are visible at a place of a template, the innermost first. */
export type Scopes = readonly Fields[];

/** A path of a template: `../customer.number`. */
export interface Path {
  /** Number of `../`. */
  depth: number;
  parts: readonly string[];
}

export type Found = { variable: Variable } | { unknown: string; known: string[] } | { fields: Fields };

/** The declared variable of a path. `fields`: the path is `this` or `..`. */
export function lookUp({ depth, parts }: Path, scopes: Scopes): Found {
  const start = scopes[depth];
  const written = `${'../'.repeat(depth)}${parts.join('.')}`;
  if (!start) return { unknown: written, known: [] };
  const [first, ...others] = parts;
  if (first === undefined) return { fields: start };
  const variable = own(start, first);
  if (!variable) return { unknown: written, known: namesSeen(scopes, depth) };
  return walk(variable, others, { written, before: `${'../'.repeat(depth)}${first}` });
}

function walk(variable: Variable, parts: readonly string[], at: { written: string; before: string }): Found {
  const [name, ...others] = parts;
  if (name === undefined) return { variable };
  const fields = variable.kind === 'group' || variable.kind === 'optionalGroup' ? variable.fields : {};
  const inner = own(fields, name);
  if (!inner) return { unknown: at.written, known: Object.keys(fields).map((key) => `${at.before}.${key}`) };
  return walk(inner, others, { ...at, before: `${at.before}.${name}` });
}

function own(fields: Fields, name: string): Variable | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** The names at a depth, and those of the outer scopes as they are written from there. */
function namesSeen(scopes: Scopes, depth: number): string[] {
  return scopes.flatMap((fields, index) => {
    const before = '../'.repeat(index);
    return index < depth ? [] : Object.keys(fields).map((name) => `${before}${name}`);
  });
}
