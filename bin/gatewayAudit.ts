import { parseArgs } from 'node:util';
import { counted } from '../billing/counted.ts';
import type { Drift } from '../db/queries/audit/check.ts';
import { allGateways } from './allGateways.ts';
import type { Config } from './config.ts';
import { ConfigError } from './configError.ts';
import { buildDeps } from './deps.ts';
import { gatewayDrifts } from './gatewayComparison.ts';
import { readTime } from './times.ts';

const USAGE = 'Usage: perennial audit --gateway [--since <time>] [--until <time>]   default: the last 31 days';
const DAYS_31 = 31 * 86_400_000;
/** Limit of each statement, which may read all attempts. */
export const STATEMENT_LIMIT = "set statement_timeout = '5min'";

/**
 * Command `audit --gateway`: compares books and gateways for a range of time. Returns the exit code: 1 with differences,
 * else 0.
 */
export async function printGatewayAudit(
  config: Config,
  args: readonly string[],
  print: (line: string) => void = console.log,
): Promise<number> {
  const deps = await buildDeps(config);
  try {
    const range = { ...rangeIn(args, deps.systemNow()), deadline: config.gatewayDeadlineMilliseconds };
    const connection = await deps.open(null);
    const drifts: Drift[] = [];
    try {
      await connection.query(STATEMENT_LIMIT);
      for (const gateway of await allGateways(deps, connection)) {
        drifts.push(...(await gatewayDrifts(connection, gateway, range)));
      }
    } finally {
      await connection.close();
    }
    for (const { check, accountId, object, stored, recomputed } of drifts) {
      print(`account ${accountId}, ${object}: ${check}; stored ${stored}, recomputed ${recomputed}`);
    }
    if (drifts.length > 0) {
      print(counted(drifts.length, 'drift'));
      return 1;
    }
    print(`Books and gateways agree from ${range.since.toISOString()} to ${range.until.toISOString()}`);
    return 0;
  } finally {
    await deps.close();
  }
}

function rangeIn(args: readonly string[], now: Date): { since: Date; until: Date } {
  const options = { gateway: { type: 'boolean' }, since: { type: 'string' }, until: { type: 'string' } } as const;
  try {
    const { values } = parseArgs({ args: [...args], options });
    const until = values.until === undefined ? now : readTime(values.until);
    const since = values.since === undefined ? new Date((until ?? now).getTime() - DAYS_31) : readTime(values.since);
    if (since && until && since < until) return { since, until };
  } catch {} // an unknown argument
  throw new ConfigError(USAGE);
}
