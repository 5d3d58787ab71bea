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
  { point: 'invoice.committed', states: ['abandoned', 'succeeded'] },
  { point: 'charge.started', states: ['abandoned', 'succeeded'] },
  { point: 'charge.prepared', states: ['abandoned', 'succeeded'] },
  { point: 'charge.referenced', states: ['abandoned', 'succeeded'] },
  { point: 'charge.confirmed', states: ['succeeded'] },
  { point: 'charge.answered', states: ['succeeded'] },
  { point: 'charge.recorded', states: ['succeeded'] },
];

test('a worker killed at any point of a charge: another one finishes it, with one capture', async () => {
  await together(Object.fromEntries(points.map((at) => [at.point, () => killAt(at)])));
}, 120_000);

/** Each on a product of its own: no other worker may take up what the killed one left before it is its turn. */
async function killAt({ point, states }: (typeof points)[number]): Promise<void> {
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
    expect(attempts.map(({ state }) => state)).toEqual(states);
  } finally {
    await product.close();
  }
}
