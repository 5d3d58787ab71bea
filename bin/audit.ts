import { parseArgs } from 'node:util';
import { counted } from '../billing/counted.ts';
import type { Cipher } from '../commands/ports/ports.ts';
import { auditChecks } from '../db/queries/audit/audit.ts';
import { changedCustomers, limitedTo } from '../db/queries/audit/changedCustomers.ts';
import type { Check, Drift } from '../db/queries/audit/check.ts';
import { auditNotes } from '../db/queries/audit/notes.ts';
import { type Connection, connect } from '../workers/connection.ts';
import { findLogDrifts } from './auditLogCheck.ts';
import { type Findings, runBounded } from './boundedChecks.ts';
import { gatewayChecks } from './gatewayCheck.ts';
import { readTime } from './times.ts';

/** Default for the maximum time of one check over all accounts. If it takes longer, each account is checked separately. See `runBounded`. */
const BOUND_SECONDS = 300;
const MOST_SECONDS = 86_400;
/** When more customers changed, the audit since a time checks all: their ids would be longer than the rows that it need not read. */
const MOST_CUSTOMERS = 10_000;

const checks = [...auditChecks, ...gatewayChecks];
/** What the audit since a time checks. */
const checksSince = auditChecks.filter(({ isOfLedger }) => !isOfLedger);
export const checkNames = checks.map(({ name }) => name);

/** Runs all checks of a database, also against the record of the test gateway. The login must see all accounts. */
export function findDrifts(databaseUrl: string, boundMilliseconds: number): Promise<Findings> {
  return runAll(databaseUrl, { bound: boundMilliseconds, checksFor: async () => checks });
}

/**
 * Runs the checks of the books for the customers with an event or a ledger entry since a time, and for those whose books refer to theirs.
 * Numbers of documents and endpoints are checked as a whole. The balances of past days are not, and nothing is compared with a gateway.
 */
export function findDriftsSince(databaseUrl: string, since: Date, boundMilliseconds: number): Promise<Findings> {
  const checksFor = (connection: Connection) => limitedSince(connection, since, checksSince);
  return runAll(databaseUrl, { bound: boundMilliseconds, checksFor });
}

/**
 * Finds what is no drift, but worth a look by a person, such as amounts that an earlier version computed by another rule. `since` null: of
 * all customers; otherwise of those of `findDriftsSince`.
 */
export function findNotes(databaseUrl: string, since: Date | null, boundMilliseconds: number): Promise<Findings> {
  const checksFor = async (connection: Connection) =>
    since ? limitedSince(connection, since, auditNotes) : auditNotes;
  return runAll(databaseUrl, { bound: boundMilliseconds, checksFor });
}

/** Checks limited to the customers that changed since a time, unless they are too many. */
async function limitedSince(connection: Connection, since: Date, all: readonly Check[]): Promise<readonly Check[]> {
  const customers = await changedCustomers(connection, since);
  const isSmall = customers.ids.length <= MOST_CUSTOMERS;
  return isSmall ? all.map((check) => limitedTo(customers, check)) : all;
}

interface Audit {
  /** Limit of each check in milliseconds. */
  bound: number;
  checksFor(connection: Connection): Promise<readonly Check[]>;
}

async function runAll(databaseUrl: string, { bound, checksFor }: Audit): Promise<Findings> {
  const connection = await connect(databaseUrl);
  try {
    const findings: Findings = { drifts: [], unchecked: [] };
    for (const check of await checksFor(connection)) {
      const { drifts, unchecked } = await runBounded(connection, check, bound);
      findings.drifts.push(...drifts);
      findings.unchecked.push(...unchecked);
    }
    return findings;
  } finally {
    await connection.close();
  }
}

/** Runs all checks and returns every difference. Throws when something could not be checked. */
export async function auditDatabase(databaseUrl: string): Promise<Drift[]> {
  const { drifts, unchecked } = await findDrifts(databaseUrl, BOUND_SECONDS * 1000);
  if (unchecked.length > 0) throw new Error(`not checked: ${JSON.stringify(unchecked)}`);
  return drifts;
}

/**
 * Prints the audit and returns the exit code: 1 with differences, else 2 if something could not be checked, else 0. Notes do not count. `cipher`: the
 * audit log is checked, too, unless the audit is about what changed since a time.
 */
export async function printAudit(
  databaseUrl: string,
  args: readonly string[],
  print: (line: string) => void = console.log,
  cipher: Cipher | null = null,
): Promise<number> {
  const options = optionsIn(args);
  if (!options) {
    print(USAGE);
    return 1;
  }
  const { since, bound } = options;
  const { drifts: ofBooks, unchecked: unfinished } = since
    ? await findDriftsSince(databaseUrl, since, bound)
    : await findDrifts(databaseUrl, bound);
  const drifts = cipher && !since ? [...ofBooks, ...(await findLogDrifts(databaseUrl, cipher))] : ofBooks;
  const notes = await findNotes(databaseUrl, since, bound);
  const unchecked = [...unfinished, ...notes.unchecked];
  for (const { check, accountId, object, stored, recomputed } of drifts) {
    print(`account ${accountId}, ${object}: ${check}; stored ${stored}, recomputed ${recomputed}`);
  }
  for (const { check, accountId, object, stored } of notes.drifts)
    print(`note: account ${accountId}, ${object}: ${check}; ${stored}`);
  for (const { check, accounts, reason } of unchecked) print(`not checked: ${accounts}: ${check}; ${reason}`);
  if (drifts.length > 0) print(counted(drifts.length, 'drift'));
  if (notes.drifts.length > 0) print(`${notes.drifts.length} notes, which are no drift`);
  if (unchecked.length > 0) print(`${unchecked.length} checks could not be completed`);
  if (drifts.length > 0) return 1;
  if (unchecked.length > 0) return 2;
  print(
    since
      ? `Books that changed since ${since.toISOString()} are clean: ${checksSince.length} checks`
      : `Books are clean: ${checks.length} checks`,
  );
  return 0;
}

const USAGE = `Usage: perennial audit [<seconds>] [--since <time>]
  <seconds>        timeout of each check, at most ${MOST_SECONDS}; default: ${BOUND_SECONDS}
  --since <time>   only customers whose books changed since then, such as 2026-11-22T10:00:00Z`;

/** `bound`: limit of each check in milliseconds. Null: the arguments cannot be understood. */
function optionsIn(args: readonly string[]): { since: Date | null; bound: number } | null {
  try {
    const options = { since: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [seconds = `${BOUND_SECONDS}`, ...more] = positionals;
    const since = values.since === undefined ? null : readTime(values.since);
    const isFit = Number(seconds) > 0 && Number(seconds) <= MOST_SECONDS && more.length === 0;
    if (!isFit || (values.since !== undefined && since === null)) return null;
    return { since, bound: Math.ceil(Number(seconds) * 1000) };
  } catch {
    return null; // an unknown option
  }
}
