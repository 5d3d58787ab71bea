import { auditChecks } from '../db/queries/audit/audit.ts';
import type { Drift } from '../db/queries/audit/check.ts';
import { connect } from '../workers/connection.ts';
import { type Findings, runBounded } from './boundedChecks.ts';
import { gatewayChecks } from './gatewayCheck.ts';

/** Default for the maximum time of one check over all accounts. If it takes longer, each account is checked separately. See `runBounded`. */
const BOUND_SECONDS = 300;
const MOST_SECONDS = 86_400;

const checks = [...auditChecks, ...gatewayChecks];
export const checkNames = checks.map(({ name }) => name);

/** Runs all checks of a database, also against the record of the test gateway. The login must see all accounts. */
export async function findDrifts(databaseUrl: string, boundMilliseconds: number): Promise<Findings> {
  const connection = await connect(databaseUrl);
  try {
    const findings: Findings = { drifts: [], unchecked: [] };
    for (const check of checks) {
      const { drifts, unchecked } = await runBounded(connection, check, boundMilliseconds);
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

/** Prints the audit and returns the exit code: 1 with differences, else 2 if something could not be checked, else 0. */
export async function printAudit(
  databaseUrl: string,
  [seconds = `${BOUND_SECONDS}`]: string[],
  print: (line: string) => void = console.log,
): Promise<number> {
  const bound = Number(seconds);
  if (!(bound > 0 && bound <= MOST_SECONDS)) {
    print(
      `Usage: perennial audit [<seconds>]   timeout of each check, at most ${MOST_SECONDS}; default: ${BOUND_SECONDS}`,
    );
    return 1;
  }
  const { drifts, unchecked } = await findDrifts(databaseUrl, Math.ceil(bound * 1000));
  for (const { check, accountId, object, stored, recomputed } of drifts) {
    print(`account ${accountId}, ${object}: ${check}; stored ${stored}, recomputed ${recomputed}`);
  }
  for (const { check, accounts, reason } of unchecked) print(`not checked: ${accounts}: ${check}; ${reason}`);
  if (drifts.length > 0) print(`${drifts.length} drifts`);
  if (unchecked.length > 0) print(`${unchecked.length} checks could not be completed`);
  if (drifts.length > 0) return 1;
  if (unchecked.length > 0) return 2;
  print(`Books are clean: ${checks.length} checks`);
  return 0;
}
