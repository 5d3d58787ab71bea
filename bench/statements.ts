import type { EntityManager } from '../db/orm.ts';
import { statementOf, withParameters } from '../db/prepared.ts';
import { currentTenant } from '../db/tenant.ts';

/** A statement that the product sent: its text with $1, $2, …, its values, and the rows that it returned. `isOfSystem`: without row policies. */
export interface Statement {
  text: string;
  values: unknown[];
  isOfSystem?: boolean;
  rows: Record<string, unknown>[];
}

/**
 * Runs work and returns the statements that it sends through an EntityManager, in order, including `begin` and `commit`. Nothing else may use
 * the EntityManager meanwhile.
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
  Reflect.set(connection, 'execute', async (...args: Parameters<typeof execute>) => {
    const [query, params] = args;
    const { sql, values } = statementOf(query, Array.isArray(params) ? params : []);
    const { text, parameters } = withParameters(em.getPlatform(), sql, values);
    const statement: Statement = { text, values: parameters, isOfSystem: currentTenant() === 'system', rows: [] };
    statements.push(statement);
    const answer: unknown = await execute.apply(connection, args);
    statement.rows = rowsOf(answer);
    return answer;
  });
  try {
    await work();
  } finally {
    Object.assign(connection, { begin, commit, execute });
  }
  return statements;
}

function rowsOf(answer: unknown): Record<string, unknown>[] {
  if (Array.isArray(answer)) return answer;
  const rows: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'rows') : undefined;
  return Array.isArray(rows) ? rows : [];
}
