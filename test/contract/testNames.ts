import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import { findTestFiles, projectFolder } from '../suites.ts';

type Node = Record<string, unknown>;

/** All tests of the project as `<file> > <title>`, with the titles of their `describe`s. A `test.each` has its template as title. */
export function namedTests(): Set<string> {
  const names = findTestFiles().flatMap((file) =>
    testTitles(readFileSync(join(projectFolder, file), 'utf8')).map((title) => `${file} > ${title}`),
  );
  return new Set(names);
}

/** Titles of the tests in a source, without skipped and todo tests. */
export function testTitles(source: string): string[] {
  return titlesIn(parseSync(source, { syntax: 'typescript', target: 'es2024' }).body, '');
}

function titlesIn(value: unknown, above: string): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => titlesIn(one, above));
  if (!isNode(value)) return [];
  const call = titled(value);
  if (call === null) return Object.values(value).flatMap((one) => titlesIn(one, above));
  const title = `${above}${call.title}`;
  return call.kind === 'test' ? [title] : titlesIn(value.arguments, `${title} > `);
}

/** The kind and title of a call of `test`, `describe`, `test.each` or `describe.each`. null: another node. */
function titled(node: Node): { kind: 'test' | 'describe'; title: string } | null {
  if (node.type !== 'CallExpression' || !Array.isArray(node.arguments)) return null;
  const kind = kindOf(node.callee) ?? kindOfEach(node.callee);
  const title = text(node.arguments[0]?.expression);
  return kind === null || title === null ? null : { kind, title };
}

function kindOf(callee: unknown): 'test' | 'describe' | null {
  if (!isNode(callee) || callee.type !== 'Identifier') return null;
  return callee.value === 'test' || callee.value === 'describe' ? callee.value : null;
}

function kindOfEach(callee: unknown): 'test' | 'describe' | null {
  if (!isNode(callee) || callee.type !== 'CallExpression') return null;
  const { callee: member } = callee;
  if (!isNode(member) || member.type !== 'MemberExpression') return null;
  return isNode(member.property) && member.property.value === 'each' ? kindOf(member.object) : null;
}

function text(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === 'StringLiteral' && typeof node.value === 'string') return node.value;
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis) || node.quasis.length !== 1) return null;
  const cooked: unknown = node.quasis[0]?.cooked;
  return typeof cooked === 'string' ? cooked : null;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
