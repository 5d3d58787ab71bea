import { describeFailure, isCanceled, isUnavailable } from '../db/failure.ts';
import type { Check, Drift } from '../db/queries/audit/check.ts';
import type { Sql } from '../db/queries/kernel/sql.ts';

/** Accounts for which a check did not finish. */
export interface Unchecked {
  check: string;
  /** In words: "account 7", or "12 accounts from account 7 on". */
  accounts: string;
  reason: string;
}

export interface Findings {
  drifts: Drift[];
  unchecked: Unchecked[];
}

/** A check of a single account may take at most the bound divided by this. */
const ACCOUNT_DIVISOR = 10;

type Row = Omit<Drift, 'check'>;

/**
 * Runs a check over all accounts. If it fails or takes longer than `bound` milliseconds, the check runs for each account separately, in the
 * same time in total, so that the data of one account cannot prevent the check of others. Altogether it takes at most twice the bound.
 */
export async function runBounded(sql: Sql, check: Check, bound: number): Promise<Findings> {
  const whole = await attempt(sql, check.sql, bound);
  if (!('reason' in whole)) return { drifts: named(check, whole.rows), unchecked: [] };
  const ids = (await sql.query<{ id: number }>('select id from account order by id')).map(({ id }) => id);
  const findings: Findings = { drifts: [], unchecked: [] };
  const until = performance.now() + bound;
  for (const [index, id] of ids.entries()) {
    const left = Math.floor(until - performance.now());
    if (left <= 0) {
      const accounts = `${ids.length - index} accounts from account ${id} on`;
      findings.unchecked.push({ check: check.name, accounts, reason: 'the time for this check was over' });
      break;
    }
    const share = Math.max(1, Math.min(left, Math.floor(bound / ACCOUNT_DIVISOR)));
    const one = await attempt(sql, `select * from (${check.sql}) of_all where "accountId" = ${id}`, share);
    if ('reason' in one) findings.unchecked.push({ check: check.name, accounts: `account ${id}`, reason: one.reason });
    else findings.drifts.push(...named(check, one.rows));
  }
  return findings;
}

/** Runs a statement with a timeout. Returns its rows, or the reason why it did not finish. Throws when the database is unavailable. */
async function attempt(
  sql: Sql,
  statement: string,
  milliseconds: number,
): Promise<{ rows: Row[] } | { reason: string }> {
  await sql.query(`set statement_timeout = ${milliseconds}`);
  try {
    return { rows: await sql.query<Row>(statement) };
  } catch (error) {
    if (isCanceled(error)) return { reason: `not done within ${milliseconds / 1000} s` };
    if (isUnavailable(error)) throw error;
    return { reason: describeFailure(error) };
  } finally {
    await sql.query('set statement_timeout = 0').catch(() => undefined);
  }
}

function named({ name: check }: Check, rows: readonly Row[]): Drift[] {
  return rows.map((row) => ({ check, ...row }));
}
