import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { databaseUrls } from '../../../adapters/databaseLogins.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { Missing } from '../../../commands/kernel/missing.ts';
import { type Database, openDatabase } from '../../../db/database.ts';
import { withAccount } from '../../../db/tenant.ts';
import { transactionOnce } from '../../../db/transaction.ts';
import { createPlan } from '../../support/business.ts';
import { TEST_KEY } from '../../support/database.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { prepareRound } from '../money/round.ts';
import { type Round, verbs } from '../money/verbs.ts';

let product: Product;
/** Uses the API's login because the owner's sessions have no lock timeout. */
let database: Database;

beforeAll(async () => {
  product = await startProduct({ worker: false, env: { DATABASE_POOL: '12' } });
  database = openDatabase({ urls: databaseUrls(product.config.databaseUrl, TEST_KEY), poolSize: 12 });
  await createPlan(product, 'monthly');
});
afterAll(async () => {
  await database.close(true);
  await product.close();
});

/** Each command of a group runs this many times, all at once. */
const COPIES = 2;
const GROUP = 4;

test('any two commands on one customer run without a deadlock or a lock timeout', async () => {
  const names = Object.keys(verbs);
  const failures: string[] = [];
  const done = new Set<string>();
  for (const group of groupsOf(names)) {
    const round = await prepareRound(product);
    const racers = Array.from({ length: COPIES }, () => group).flat();
    const ends = await Promise.all(racers.map((name) => runOnce(round, name)));
    for (const [racer, end] of ends.entries()) {
      if (end === 'done') done.add(racers[racer] ?? '');
      else if (end !== 'refused') failures.push(`${racers[racer]} among ${group.join(', ')}: ${end}`);
    }
  }
  expect(failures).toEqual([]);
  expect([...done].sort()).toEqual([...names].sort());
  expect(await product.audit()).toEqual([]);
});

/** Groups in which every two commands are together at least once. Greedy: each next member is the one that has met the fewest of the group. */
function groupsOf(names: readonly string[]): string[][] {
  const apart = new Map(names.map((name) => [name, new Set(names.filter((other) => other !== name))]));
  const strangers = (name: string, group: readonly string[]) =>
    group.filter((other) => apart.get(name)?.has(other)).length;
  const groups: string[][] = [];
  for (;;) {
    const [first] = names.filter((name) => apart.get(name)?.size);
    if (first === undefined) return groups;
    const group = [first];
    while (group.length < GROUP) {
      const others = names.filter((name) => !group.includes(name));
      group.push(others.reduce((best, name) => (strangers(name, group) > strangers(best, group) ? name : best)));
    }
    for (const name of group) for (const other of group) apart.get(name)?.delete(other);
    groups.push(group);
  }
}

/** Runs a command without `inTransaction`, whose retries would hide a deadlock. */
async function runOnce(round: Round, name: string): Promise<string> {
  const run = verbs[name];
  if (!run) throw new Error(`no command ${name}`);
  try {
    await withAccount(product.accountId, () => transactionOnce(database.em, (em) => run(em, round)));
    return 'done';
  } catch (error) {
    if (error instanceof Refusal || error instanceof Missing) return 'refused';
    return `${Reflect.get(Object(error), 'code') ?? ''} ${error instanceof Error ? error.message : error}`;
  }
}
