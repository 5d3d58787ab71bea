import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refused } from '../support/api.ts';
import { type Product, startProduct } from '../support/product.ts';
import { killRoles, startRole } from '../support/roles.ts';
import { invoiceFor } from '../support/story.ts';
import { send } from './money/client.ts';
import { letMinutePass } from './money/meanwhile.ts';
import { newPayer, token } from './money/payers.ts';
import { allCaptures, capturesOf, expectRecovered } from './money/recovery.ts';
import { together } from './money/together.ts';

let product: Product;

beforeAll(async () => {
  // There is no worker, so the replay of a request has to look up the outcome of the first one.
  product = await startProduct({ endpoint: true, worker: false });
  await together({
    charge: () => cut('charge'),
    pay: () => cut('pay'),
    source: () => cut('source'),
    refund: () => cut('refund'),
  });
  await letMinutePass(product);
});
afterAll(async () => {
  await killRoles();
  await product.close();
});

/** Points at which the API is killed. From `confirmed` on, the gateway has done the operation. */
const points = [
  { point: 'started', happened: false },
  { point: 'prepared', happened: false },
  { point: 'referenced', happened: false },
  { point: 'confirmed', happened: true },
  { point: 'answered', happened: true },
  { point: 'recorded', happened: true },
];

test.each(points)('after an API is killed when an attempt is $point, every replay gets the same answer', async (at) => {
  await together({
    charge: () => chargeAgain(at),
    pay: () => payAgain(at),
    source: () => sourceAgain(at),
    refund: () => refundAgain(at),
  });
});

test('the books are clean after all crashes', async () => {
  // Each refunded charge is a capture, too.
  expect(await allCaptures(product)).toBe(2 * points.filter(({ happened }) => happened).length + points.length);
  await product.startWorker();
  await expectRecovered(product);
});

type Point = (typeof points)[number];

interface Asked {
  customer: number;
  /** The invoice to pay, or 0. */
  invoice: number;
  path: string;
  body: unknown;
}

const requests = {
  charge: async (): Promise<Asked> => {
    const customer = await newPayer(product, { autopay: false });
    const { id: invoice } = await invoiceFor(product, customer, 25);
    const applied_to = [{ type: 'invoice', invoice, amount: 25 }];
    const body = { customer, method: 'credit_card', amount: 25, gateway_token: token.pays, applied_to };
    return { customer, invoice, path: '/charges', body };
  },
  pay: async (): Promise<Asked> => {
    const customer = await newPayer(product, { autopay: true, autopayDelayDays: 1 });
    const { id: invoice } = await invoiceFor(product, customer, 25);
    return { customer, invoice, path: `/invoices/${invoice}/pay`, body: {} };
  },
  source: async (): Promise<Asked> => {
    const customer = (await product.call('POST', '/customers', { name: 'Payer' })).id;
    const body = { method: 'credit_card', gateway_token: token.pays };
    return { customer, invoice: 0, path: `/customers/${customer}/payment_sources`, body };
  },
  refund: async (): Promise<Asked> => {
    const paid = await requests.charge();
    const { charge } = await product.call('POST', paid.path, paid.body);
    return { ...paid, path: `/charges/${charge.id}/refunds`, body: { amount: 10 } };
  },
};

type Kind = keyof typeof requests;

/** The requests to the killed APIs, by name. */
const cutOff = new Map<string, Asked>();

/** Starts an API, lets one request hang at each point, and kills the API. A point stops only the first request that reaches it. */
async function cut(kind: Kind): Promise<void> {
  const step = { charge: 'charge', pay: 'charge', source: 'vault', refund: 'refund' }[kind];
  const hanging = points.map(({ point }) => `${step}.${point}`);
  const api = await startRole(product, 'api', { PERENNIAL_FAILPOINTS: hanging.map((point) => `${point}=hang`).join() });
  const answers: Promise<unknown>[] = [];
  for (const { point } of points) {
    const name = `${kind} ${point}`;
    const asked = await requests[kind]();
    cutOff.set(name, asked);
    answers.push(send({ ...keyed(name, asked), url: api.url }));
    await Promise.race([api.untilHit(`${step}.${point}`), Promise.all(answers)]);
    expect(hanging.filter(api.hasHit)).toEqual(hanging.slice(0, answers.length));
  }
  const heard = Promise.allSettled(answers);
  await api.kill();
  expect((await heard).map(({ status }) => status)).toEqual(points.map(() => 'rejected'));
}

const keyed = (name: string, { path, body }: Asked) => ({
  path,
  body,
  method: 'POST',
  key: product.key,
  idempotencyKey: name,
});

async function chargeAgain({ point, happened }: Point): Promise<void> {
  const { asked, replay } = await askedAgain(`charge ${point}`);
  if (happened) expect(replay).toMatchObject({ status: 201, body: { amount: 25, charge: { status: 'succeeded' } } });
  else expect(replay).toMatchObject(refused({ type: 'api' }));
  expect(await capturesOf(product, asked.invoice)).toBe(happened ? 1 : 0);
  const shown = await product.call('GET', `/invoices/${asked.invoice}`);
  expect(shown).toMatchObject({ paid: happened, balance: happened ? 0 : 25, attempt_count: happened ? 1 : 0 });
}

async function payAgain({ point, happened }: Point): Promise<void> {
  const { asked, replay } = await askedAgain(`pay ${point}`);
  const paid = { id: asked.invoice, paid: true, attempt_count: 1 };
  if (happened) expect(replay).toMatchObject({ status: 200, body: paid });
  else expect(replay).toMatchObject(refused({ type: 'api' }));
  expect(await capturesOf(product, asked.invoice)).toBe(happened ? 1 : 0);
}

async function sourceAgain({ point, happened }: Point): Promise<void> {
  const { asked, replay } = await askedAgain(`source ${point}`);
  const stored = await product.call('GET', asked.path);
  if (happened) expect([replay.body]).toEqual(stored);
  else expect([replay.status, stored]).toEqual([400, []]);
}

async function refundAgain({ point, happened }: Point): Promise<void> {
  const { asked, replay } = await askedAgain(`refund ${point}`);
  if (happened) expect(replay).toMatchObject({ status: 201, body: { amount: 10, status: 'succeeded' } });
  else expect(replay).toMatchObject(refused({ type: 'api' }));
  const charge = await product.call('GET', asked.path.replace('/refunds', ''));
  expect(charge).toMatchObject({ amount_refunded: happened ? 10 : 0 });
  expect(charge.refunds).toHaveLength(happened ? 1 : 0);
}

/** Sends the request of a killed API twice to a running one, with the same key. Both answers are the same. */
async function askedAgain(name: string) {
  const asked = cutOff.get(name);
  if (!asked) throw new Error(`no request ${name}`);
  const replay = await send({ ...keyed(name, asked), url: product.url });
  const again = await send({ ...keyed(name, asked), url: product.url });
  expect(again).toEqual(replay);
  expect(replay.replayed).toBe(true);
  return { asked, replay };
}
