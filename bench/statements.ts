import { isRaw } from '@mikro-orm/core';
import type { EntityManager } from '../db/orm.ts';

/** One statement as the product sent it: text with $1, $2, …; `rows` is what it answered. */
export interface Statement {
  text: string;
  values: unknown[];
  rows: Record<string, unknown>[];
}

/**
 * Runs work on an EntityManager that nobody else uses and answers the statements that it sent, in order, transactions included.
 * They are taken where the product's own query log takes them: before values are written into the text.
 */
export async function captureStatements(em: EntityManager, work: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = [];
  const connection = em.getConnection();
  const { begin, commit, execute } = connection;
  connection.begin = (...args) => {
    statements.push({ text: 'begin', values: [], rows: [] });
    return begin.apply(connection, args);
  };
  connection.commit = (...args) => {
    statements.push({ text: 'commit', values: [], rows: [] });
    return commit.apply(connection, args);
  };
  em.config.set('onQuery', (text, values) => {
    statements.push({ ...numbered(text, values), rows: [] });
    return text;
  });
  Reflect.set(connection, 'execute', async (...args: Parameters<typeof execute>) => {
    const answer: unknown = await execute.apply(connection, args);
    const statement = statements.at(-1);
    if (statement) statement.rows = rowsOf(answer);
    return answer;
  });
  try {
    await work();
  } finally {
    Object.assign(connection, { begin, commit, execute });
    em.config.set('onQuery', (text) => text);
  }
  return statements;
}

/** The ORM's ? become PostgreSQL's $1, $2, …; a backslash keeps one as it is, and SQL among the values goes into the text. */
function numbered(text: string, values: readonly unknown[]): Pick<Statement, 'text' | 'values'> {
  const given = [...values];
  const kept: unknown[] = [];
  const replaced = text.replace(/\\\?|\?/g, (mark) => {
    if (mark !== '?') return '?';
    const value = given.shift();
    if (isRaw(value)) return value.sql;
    kept.push(value);
    return `$${kept.length}`;
  });
  return { text: replaced, values: kept };
}

function rowsOf(answer: unknown): Record<string, unknown>[] {
  if (Array.isArray(answer)) return answer;
  const rows: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'rows') : undefined;
  return Array.isArray(rows) ? rows : [];
}
