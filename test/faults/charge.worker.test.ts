import { afterEach, expect, test } from '@jest/globals';
import { startProduct } from '../support/product.ts';
import { killRoles, startRole } from '../support/roles.ts';
import { letMinutePass } from './money/meanwhile.ts';
import { newInvoice, newPayer } from './money/payers.ts';
import { allCaptures, expectSettled, untilPaid } from './money/settled.ts';
import { together } from './money/together.ts';

afterEach(killRoles);

/** Every point of an automatic charge, in the order in which it passes them; up to the confirmation nothing has happened. */
const points = [
  { point: 'invoice.committed', happened: false },
  { point: 'charge.started', happened: false },
  { point: 'charge.prepared', happened: false },
  { point: 'charge.referenced', happened: false },
  { point: 'charge.confirmed', happened: true },
  { point: 'charge.answered', happened: true },
  { point: 'charge.recorded', happened: true },
];

test('a worker killed at any point of a charge: another one finishes it, with one capture', async () => {
  await together(Object.fromEntries(points.map((at) => [at.point, () => killAt(at)])));
}, 120_000);

/** Each on a product of its own: no other worker may take up what the killed one left before it is its turn. */
async function killAt({ point, happened }: (typeof points)[number]): Promise<void> {
  const product = await startProduct({ worker: false, env: { DATABASE_POOL: '4' } });
  try {
    const customer = await newPayer(product, { autopay: true });
    const { id } = await newInvoice(product, customer);
    const worker = await startRole(product, 'worker', { PERENNIAL_FAILPOINTS: `${point}=kill` });
    await worker.untilKilledAt(point);
    await letMinutePass(product);
    await product.startWorker();
    await untilPaid(product, id);
    await expectSettled(product);
    expect(await allCaptures(product)).toBe(1);
    const attempts = await product.rows<{ state: string }>(
      `select state from attempt where kind = 'charge' order by id`,
    );
    // What never happened is given up or gone on with, by whoever is first: the look-up or the worker that takes the call over.
    const givenUp = attempts.length === 2 && !happened ? ['abandoned'] : [];
    expect(attempts.map(({ state }) => state)).toEqual([...givenUp, 'succeeded']);
  } finally {
    await product.close();
  }
}
