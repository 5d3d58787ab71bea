import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Refusal } from '../../billing/refusal.ts';
import { Missing } from '../../commands/missing.ts';
import type { EntityManager } from '../../db/orm.ts';
import { createPlan } from '../support/business.ts';
import { type Product, startProduct } from '../support/product.ts';
import { prepareRound } from './money/round.ts';
import { type Round, verbs } from './money/verbs.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct({ worker: false, env: { DATABASE_POOL: '12' } });
  await createPlan(product, 'monthly');
}, 60_000);
afterAll(() => product.close());

/** Of each of the two commands, all at once. */
const COPIES = 2;

test('no two commands on one customer end in a deadlock or a lock timeout', async () => {
  const names = Object.keys(verbs);
  const failures: string[] = [];
  const done = new Set<string>();
  for (const [index, one] of names.entries()) {
    for (const other of names.slice(index)) {
      const round = await prepareRound(product);
      const racers = Array.from({ length: COPIES }, () => [one, other]).flat();
      const ends = await Promise.all(racers.map((name) => runOnce(round, name)));
      for (const [racer, end] of ends.entries()) {
        if (end === 'done') done.add(racers[racer] ?? '');
        else if (end !== 'refused') failures.push(`${one} with ${other}: ${end}`);
      }
    }
  }
  expect(failures).toEqual([]);
  expect([...done].sort()).toEqual([...names].sort());
  expect(await product.audit()).toEqual([]);
}, 360_000);

/** Without the retries of the product's own runner, which would hide what is looked for here. */
async function runOnce(round: Round, name: string): Promise<string> {
  const run = verbs[name];
  if (!run) throw new Error(`no command ${name}`);
  try {
    await product.deps.em.fork().transactional((em: EntityManager) => run(em, round));
    return 'done';
  } catch (error) {
    if (error instanceof Refusal || error instanceof Missing) return 'refused';
    return `${Reflect.get(Object(error), 'code') ?? ''} ${error instanceof Error ? error.message : error}`;
  }
}
