import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Product, startProduct } from '../support/product.ts';
import { killRoles, startRole } from '../support/roles.ts';
import { invoiceFor } from '../support/story.ts';
import { letMinutePass } from './money/meanwhile.ts';
import { newPayer } from './money/payers.ts';
import { allCaptures, capturesOf, expectRecovered, untilPaid } from './money/recovery.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct({ endpoint: true, worker: false });
});
afterAll(async () => {
  await killRoles();
  await product.close();
});

/** All points of an automatic charge, in order. From `charge.confirmed` on, the gateway has captured the money. */
const points = [
  { point: 'charge.started', happened: false },
  { point: 'charge.prepared', happened: false },
  { point: 'charge.referenced', happened: false },
  { point: 'charge.confirmed', happened: true },
  { point: 'charge.answered', happened: true },
  { point: 'charge.recorded', happened: true },
];
/** A point before all of them: the attempt is committed, and its process has not been woken. */
const committed = { point: 'invoice.committed', happened: false };

test('another worker finishes a charge whose worker was killed at any point, with one capture', async () => {
  // Each point stops the first charge that reaches it and lets later ones pass. The commit of the last attempt kills the worker.
  const armed = [...points.map(({ point }) => `${point}=hang`), `${committed.point}=kill:${points.length + 1}`].join();
  const worker = await startRole(product, 'worker', { PERENNIAL_FAILPOINTS: armed });
  const charges: ((typeof points)[number] & { customer: number; invoice: number })[] = [];
  for (const at of [...points, committed]) {
    const customer = await newPayer(product, { autopay: true });
    const { id: invoice } = await invoiceFor(product, customer, 25);
    charges.push({ ...at, customer, invoice });
    await worker.untilHit(at.point);
    expect(points.filter(({ point }) => worker.hasHit(point))).toEqual(points.slice(0, charges.length));
  }
  await worker.untilKilledAt(committed.point);

  await letMinutePass(product);
  await product.startWorker();
  for (const { invoice } of charges) await untilPaid(product, invoice);
  await expectRecovered(product);
  expect(await allCaptures(product)).toBe(charges.length);
  for (const { point, happened, customer, invoice } of charges) {
    expect({ point, captures: await capturesOf(product, invoice) }).toEqual({ point, captures: 1 });
    const attempts = await product.rows<{ state: string }>(
      `select state from attempt where kind = 'charge' and customer_id = ${customer} order by id`,
    );
    // An unconfirmed attempt is either abandoned by the look-up or continued by the worker that takes over the call.
    const givenUp = attempts.length === 2 && !happened ? ['abandoned'] : [];
    const states = attempts.map(({ state }) => state);
    expect({ point, states }).toEqual({ point, states: [...givenUp, 'succeeded'] });
  }
});
