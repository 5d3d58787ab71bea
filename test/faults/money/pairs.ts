import { expect } from '@jest/globals';
import { databaseUrls } from '../../../adapters/databaseLogins.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { Missing } from '../../../commands/kernel/missing.ts';
import { type Database, openDatabase } from '../../../db/database.ts';
import { Overtaken } from '../../../db/failure.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { withAccount } from '../../../db/tenant.ts';
import { transactionOnce } from '../../../db/transaction.ts';
import { createPlan } from '../../support/business.ts';
import { TEST_KEY } from '../../support/database.ts';
import { type Product, startProduct } from '../../support/product.ts';
import type { Round } from './asked.ts';
import { prepareRound } from './round.ts';
import { auditOfRounds } from './roundCharges.ts';
import { verbs } from './verbs.ts';

/** Number of connections, so that all commands of a group run at once. */
const POOL = 12;

export interface Pairs {
  product: Product;
  /** Uses the login of the API, whose sessions have its limits. */
  database: Database;
}

export async function openPairs(): Promise<Pairs> {
  const product = await startProduct({ worker: false, env: { DATABASE_POOL: String(POOL) } });
  const database = openDatabase({ urls: databaseUrls(product.config.databaseUrl, TEST_KEY), poolSize: POOL });
  await createPlan(product, 'monthly');
  return { product, database };
}

export async function closePairs({ product, database }: Pairs): Promise<void> {
  await database.close(true);
  await product.close();
}

/** Commands that succeeded in a race. */
export type Winners = Set<string>;

/** Groups of commands in which every two commands are together at least once. */
export const groupsOfVerbs = (size: number): string[][] => groupsOf(Object.keys(verbs), size);

/**
 * Runs the commands of each group at once on one customer, each command `copies` times. Expects no deadlock, no lock timeout and clean books.
 * Adds those that succeeded to `winners`. With `applies`, credit reaches open invoices.
 */
export async function raceGroups(
  pairs: Pairs,
  how: { groups: readonly string[][]; copies: number; winners: Winners; applies?: boolean },
): Promise<void> {
  const { groups, copies, winners, applies = false } = how;
  const failures: string[] = [];
  for (const group of groups) {
    const round = await prepareRound(pairs.product, { applies });
    const racers = Array.from({ length: copies }, () => group).flat();
    const ends = await Promise.all(racers.map((name) => runOnce(pairs, round, name)));
    for (const [racer, end] of ends.entries()) {
      if (end === 'done') winners.add(racers[racer] ?? '');
      else if (end !== 'refused') failures.push(`${racers[racer]} among ${group.join(', ')}: ${end}`);
    }
  }
  expect(failures).toEqual([]);
  expect(await auditOfRounds(pairs.product)).toEqual([]);
}

/** Expects that a command that lost all its races succeeds alone, so that no command is tested with data that it always refuses. */
export async function runLosersAlone(pairs: Pairs, winners: Winners): Promise<void> {
  const failures: string[] = [];
  for (const name of Object.keys(verbs).filter((one) => !winners.has(one))) {
    const end = await runOnce(pairs, await prepareRound(pairs.product), name);
    if (end !== 'done') failures.push(`${name} alone: ${end}`);
  }
  expect(failures).toEqual([]);
  expect(await auditOfRounds(pairs.product)).toEqual([]);
}

/** Groups in which every two commands are together at least once. Greedy: each next member is the one that has met the fewest of the group. */
function groupsOf(names: readonly string[], size: number): string[][] {
  const apart = new Map(names.map((name) => [name, new Set(names.filter((other) => other !== name))]));
  const strangers = (name: string, group: readonly string[]) =>
    group.filter((other) => apart.get(name)?.has(other)).length;
  const groups: string[][] = [];
  for (;;) {
    const [first] = names.filter((name) => apart.get(name)?.size);
    if (first === undefined) return groups;
    const group = [first];
    while (group.length < size) {
      const others = names.filter((name) => !group.includes(name));
      group.push(others.reduce((best, name) => (strangers(name, group) > strangers(best, group) ? name : best)));
    }
    for (const name of group) for (const other of group) apart.get(name)?.delete(other);
    groups.push(group);
  }
}

/** On a busy machine a command waits for many others. PostgreSQL detects a deadlock after a second. */
const LOCK_SECONDS = 120;

/** Runs a command without `inTransaction`, whose retries would hide a deadlock. Only a command that was overtaken runs again. */
async function runOnce({ product, database }: Pairs, round: Round, name: string): Promise<string> {
  const run = verbs[name];
  if (!run) throw new Error(`no command ${name}`);
  try {
    const patiently = async (em: EntityManager) => {
      await em.execute(`set local statement_timeout = ${1000 * LOCK_SECONDS}`);
      await em.execute(`set local lock_timeout = '${LOCK_SECONDS}s'`);
      return run(em, round);
    };
    await withAccount(product.accountId, () => transactionOnce(database.em, patiently));
    return 'done';
  } catch (error) {
    if (error instanceof Refusal || error instanceof Missing) return 'refused';
    if (error instanceof Overtaken) return runOnce({ product, database }, round, name);
    return `${Reflect.get(Object(error), 'code') ?? ''} ${error instanceof Error ? error.message : error}`;
  }
}
