import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { answerAtBank, type BegunByPage, type PayingPage, returned, statusOf } from '../../support/presentPayers.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { killRoles, startRole } from '../../support/roles.ts';
import { type Challenges, challengesOf } from '../money/challenges.ts';
import { expectRecovered } from '../money/recovery.ts';

/** Workers that are killed while they end the challenges of payers who did not come back. */

let product: Product;
let challenges: Challenges;
let page: PayingPage;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  challenges = challengesOf(product);
  page = challenges.page;
});
afterEach(killRoles);
afterAll(() => product.close());

/** Starts a worker that a failpoint kills. Then another one does the rest. */
async function workersKilledAt(point: string): Promise<void> {
  const first = await startRole(product, 'worker', { PERENNIAL_FAILPOINTS: `${point}=kill`, SWEEP_INTERVAL: '500' });
  await first.untilKilledAt(point);
}

const ended = (begun: BegunByPage) =>
  product.row(`select 1 from attempt where id = ${begun.id} and ended_at is not null`);

test.each(['charge.abandoned', 'charge.answered'])(
  'after a worker is killed at %s while it ends a challenge, the payer has not paid, and the invoice is released',
  async (point) => {
    const { begun, asked } = await challenges.challenged();
    await challenges.letHourPass();
    await workersKilledAt(point);
    expect(await statusOf(page, begun)).toMatchObject({ status: 'challenge' });
    expect(await answerAtBank(page, begun, true)).toBe(false); // the gateway has abandoned it
    await returned(page, begun);
    expect(await challenges.expectOneOutcome(begun, asked)).toBe(false);
  },
);

test('a worker that takes over from a killed one records what a payer paid at the last moment', async () => {
  const { begun, asked } = await challenges.challenged();
  await challenges.letHourPass();
  await answerAtBank(page, begun, true);
  await workersKilledAt('charge.answered');
  await startRole(product, 'worker', { SWEEP_INTERVAL: '500' });
  await ended(begun);
  expect(await challenges.expectOneOutcome(begun, asked)).toBe(true);
});

test('the books are clean after all crashes', async () => {
  await product.startWorker();
  await expectRecovered(product);
});
