import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type Product, startProduct } from '../support/product.ts';
import { killRoles, startRole } from '../support/roles.ts';
import { send } from './money/client.ts';
import { letMinutePass } from './money/meanwhile.ts';
import { newInvoice, newPayer, token } from './money/payers.ts';
import { allCaptures, capturesOf, expectSettled } from './money/settled.ts';
import { together } from './money/together.ts';

let product: Product;

beforeAll(async () => {
  // Without a worker: whoever asks again has to find out what became of the first request.
  product = await startProduct({ worker: false });
}, 60_000);
afterEach(killRoles);
afterAll(() => product.close());

/** Where a request dies, and what its replay is told: up to the confirmation nothing happened, from there on everything did. */
const points = [
  { point: 'started', happened: false },
  { point: 'prepared', happened: false },
  { point: 'referenced', happened: false },
  { point: 'confirmed', happened: true },
  { point: 'answered', happened: true },
  { point: 'recorded', happened: true },
];

test.each(points)('an API killed when an attempt is $point: the replay has the one answer', async (at) => {
  await together({ charge: () => chargeCut(at), pay: () => payCut(at), source: () => sourceCut(at) });
});

test('after all of it the books are clean', async () => {
  expect(await allCaptures(product)).toBe(2 * points.filter(({ happened }) => happened).length);
  await product.startWorker();
  await expectSettled(product);
});

type Point = (typeof points)[number];

async function chargeCut({ point, happened }: Point): Promise<void> {
  const customer = await newPayer(product, { autopay: false });
  const invoice = await newInvoice(product, customer);
  const body = {
    ...{ customer, method: 'credit_card', amount: 25, gateway_token: token.pays },
    applied_to: [{ type: 'invoice', invoice: invoice.id, amount: 25 }],
  };
  const replay = await cutThenReplay(`charge.${point}`, { path: '/charges', body });
  if (happened) expect(replay).toMatchObject({ status: 201, body: { amount: 25, charge: { status: 'succeeded' } } });
  else expect(replay).toMatchObject({ status: 400, body: { type: 'api' } });
  expect(await capturesOf(product, invoice.id)).toBe(happened ? 1 : 0);
  const shown = await product.call('GET', `/invoices/${invoice.id}`);
  expect(shown).toMatchObject({ paid: happened, balance: happened ? 0 : 25, attempt_count: happened ? 1 : 0 });
}

async function payCut({ point, happened }: Point): Promise<void> {
  const customer = await newPayer(product, { autopay: true, autopayDelayDays: 1 });
  const invoice = await newInvoice(product, customer);
  const replay = await cutThenReplay(`charge.${point}`, { path: `/invoices/${invoice.id}/pay`, body: {} });
  if (happened) expect(replay).toMatchObject({ status: 200, body: { id: invoice.id, paid: true, attempt_count: 1 } });
  else expect(replay).toMatchObject({ status: 400, body: { type: 'api' } });
  expect(await capturesOf(product, invoice.id)).toBe(happened ? 1 : 0);
}

async function sourceCut({ point, happened }: Point): Promise<void> {
  const customer = await product.call('POST', '/customers', { name: 'Payer' });
  const path = `/customers/${customer.id}/payment_sources`;
  const body = { method: 'credit_card', gateway_token: token.pays };
  const replay = await cutThenReplay(`vault.${point}`, { path, body });
  const stored = await product.call('GET', path);
  if (happened) expect([replay.body]).toEqual(stored);
  else expect([replay.status, stored]).toEqual([400, []]);
}

let keys = 0;

/** Sends a request to an API that dies at a point, then the same with the same key to one that lives, twice: both answers are one. */
async function cutThenReplay(point: string, request: { path: string; body: unknown }) {
  keys += 1;
  const keyed = { ...request, method: 'POST', key: product.key, idempotencyKey: `key ${keys}` };
  const api = await startRole(product, 'api', { PERENNIAL_FAILPOINTS: `${point}=kill` });
  await expect(send({ ...keyed, url: api.url })).rejects.toThrow();
  await api.untilKilledAt(point);
  await letMinutePass(product);
  const replay = await send({ ...keyed, url: product.url });
  const again = await send({ ...keyed, url: product.url });
  expect(again).toEqual(replay);
  expect(replay.replayed).toBe(true);
  return replay;
}
