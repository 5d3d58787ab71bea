import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refused } from '../support/api.ts';
import { type Product, startProduct } from '../support/product.ts';
import { killRoles, startRole } from '../support/roles.ts';
import { send } from './money/client.ts';
import { letMinutePass } from './money/meanwhile.ts';
import { allCaptures, capturesOf, expectRecovered } from './money/recovery.ts';
import { type Asked, operations, type RequestKind, requests } from './money/requests.ts';
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
    verification: () => cut('verification'),
    deletion: () => cut('deletion'),
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
    verification: () => verificationAgain(at),
    deletion: () => deletionAgain(at),
  });
});

test('the books are clean after all crashes', async () => {
  // Each refunded charge is a capture, too.
  expect(await allCaptures(product)).toBe(2 * points.filter(({ happened }) => happened).length + points.length);
  await product.startWorker();
  await expectRecovered(product);
  // A deletion was answered before the gateway was asked, so it is made even if the API was killed before.
  const deletions = await product.rows(
    `select a.state, g.deleted from attempt a join payment_source s on s.account_id = a.account_id and s.id = a.source_id
     join test_gateway.source g on g.reference = s.gateway_id where a.kind = 'delete_source'`,
  );
  expect(deletions).toEqual(points.map(() => ({ state: 'succeeded', deleted: true })));
});

type Point = (typeof points)[number];

/** The requests to the killed APIs, by name. */
const cutOff = new Map<string, Asked>();

/** Starts an API, lets one request hang at each point, and kills the API. A point stops only the first request that reaches it. */
async function cut(kind: RequestKind): Promise<void> {
  const step = operations[kind];
  const hanging = points.map(({ point }) => `${step}.${point}`);
  const api = await startRole(product, 'api', { PERENNIAL_FAILPOINTS: hanging.map((point) => `${point}=hang`).join() });
  const answers: Promise<unknown>[] = [];
  for (const { point } of points) {
    const name = `${kind} ${point}`;
    const asked = await requests[kind](product);
    cutOff.set(name, asked);
    answers.push(send({ ...keyed(name, asked), url: api.url }));
    await Promise.race([api.untilHit(`${step}.${point}`), Promise.all(answers)]);
    expect(hanging.filter(api.hasHit)).toEqual(hanging.slice(0, answers.length));
  }
  const heard = Promise.allSettled(answers);
  await api.kill();
  expect((await heard).map(({ status }) => status)).toEqual(points.map(() => 'rejected'));
}

const keyed = (name: string, { method = 'POST', path, body }: Asked) => ({
  path,
  body,
  method,
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

async function verificationAgain({ point, happened }: Point): Promise<void> {
  const { asked, replay } = await askedAgain(`verification ${point}`);
  if (happened) expect(replay).toMatchObject({ status: 200, body: { verified: true } });
  else expect(replay).toMatchObject(refused({ type: 'api' }));
  const stored = await product.call('GET', `/customers/${asked.customer}/payment_sources`);
  expect(stored).toMatchObject([{ verified: happened }]);
}

async function deletionAgain({ point }: Point): Promise<void> {
  const { asked, replay } = await askedAgain(`deletion ${point}`);
  expect(replay).toMatchObject({ status: 204 });
  expect(await product.call('GET', `/customers/${asked.customer}/payment_sources`)).toEqual([]);
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
