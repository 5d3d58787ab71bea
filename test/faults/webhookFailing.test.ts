import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Product, startProduct } from '../support/product.ts';
import {
  type Received,
  type Receiver,
  type ScriptedAnswer,
  startReceiver,
  verifiedPayload,
} from '../support/receiver.ts';
import { eventsOf, expectOrder, expectSound } from '../support/soundness.ts';

let product: Product;
let receiver: Receiver;
let webhook: { id: number; secret: string };
/** Scripted answers to deliveries about a customer, by its id. All other deliveries get 200. */
const answers = new Map<number, ScriptedAnswer[]>();

beforeAll(async () => {
  const env = { WEBHOOK_TIMEOUT: '3000', SWEEP_INTERVAL: '100', SWEEP_AGE: '100', LOG_LEVEL: 'silent' };
  product = await startProduct({ env });
  receiver = await startReceiver();
  receiver.answerBy((request) => answers.get(objectOf(request))?.shift() ?? { status: 200 });
  webhook = await product.call('POST', '/webhooks', { url: receiver.url, events: '*' });
});

afterAll(async () => {
  await expectSound(product);
  expectOrder(receiver.requests);
  await product.close();
  await receiver.stop();
});

const objectOf = (request: Received): number => JSON.parse(request.body).data.object.id;

const about = (customer: number) => receiver.requests.filter((request) => objectOf(request) === customer);

const newCustomer = async (name: string, ...to: ScriptedAnswer[]): Promise<number> => {
  // The id must be known before the first event is sent.
  const [{ next } = { next: 0 }] = await product.rows<{ next: number }>(
    `select (case when is_called then last_value + 1 else last_value end)::int as next from customer_id_seq`,
  );
  answers.set(next, to);
  const customer = await product.call('POST', '/customers', { name });
  expect(customer.id).toBe(next);
  return next;
};

interface AttemptRow {
  attempt: number;
  status_code: number | null;
  error: string | null;
  answer: string;
  latency_milliseconds: number;
  wait: number | null;
}

/** The delivery attempts for events of a customer. `wait`: seconds until the next attempt. */
const attemptsSql = (customer: number) =>
  `select a.attempt, a.status_code, a.error, a.answer, a.latency_milliseconds,
          extract(epoch from a.next_attempt_at - a.created_at)::float8 as wait
   from webhook_attempt a join event e on e.account_id = a.account_id and e.id = a.event_id
   where e.subject_type = 'customer' and e.subject_id = '${customer}' order by a.id`;

const attemptsOf = (customer: number) => product.rows<AttemptRow>(attemptsSql(customer));

/** Waits for the attempt with this number of a customer's delivery. Returns the attempt. */
const attempted = (customer: number, count: number) =>
  product.row<AttemptRow>(attemptsSql(customer), ({ attempt }) => attempt === count);

/** Makes the next attempt due. */
const timePasses = (customer: number) =>
  product.rows(
    `update webhook_lane set due_at = now() - interval '1 s' where subject_type = 'customer' and subject_id = '${customer}'`,
  );

/** Seconds between attempts: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h. */
const schedule = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];

test('an endpoint that fails is tried ten times on schedule, then the next event of the object is delivered', async () => {
  const failing: ScriptedAnswer[] = [
    { status: 500, body: `it hurts${'.'.repeat(8192)}` },
    'hang',
    'cut',
    ...Array.from({ length: 7 }, () => ({ status: 503 })),
  ];
  const customer = await newCustomer('failing', ...failing);
  await product.call('PATCH', `/customers/${customer}`, { name: 'renamed' });
  for (const [index, seconds] of schedule.entries()) {
    const { wait } = await attempted(customer, index + 1);
    expect(wait).toBeGreaterThanOrEqual(seconds * 0.9);
    expect(wait).toBeLessThanOrEqual(seconds * 1.1);
    expect(new Set(about(customer).map(({ headers }) => headers['webhook-id'])).size).toBe(1); // the second event waits
    await timePasses(customer);
  }
  expect(await attempted(customer, 10)).toMatchObject({ status_code: 503, wait: null });
  const [first, second, third] = await attemptsOf(customer);
  expect(first).toMatchObject({ status_code: 500, error: null, answer: expect.stringMatching(/^it hurts/) });
  expect(first?.answer).toHaveLength(4096);
  expect(second).toMatchObject({ status_code: null, error: 'No complete answer within 3 s', answer: '' });
  expect(second?.latency_milliseconds).toBeGreaterThanOrEqual(2990);
  expect(third).toMatchObject({ status_code: null, error: expect.stringMatching(/closed|reset|hang up/i) });

  const next = await receiver.waitFor(
    (request) => JSON.parse(request.body).type === 'customer.updated',
    'the second event',
  );
  expect(JSON.parse(next.body)).toMatchObject({ sequence: 2, previous_sequence: 1 });
  const states = `select state from webhook_delivery where subject_type = 'customer' and subject_id = '${customer}' order by sequence`;
  await product.row<{ state: string }>(states, ({ state }) => state === 'delivered');
  expect(await product.rows(states)).toEqual([{ state: 'failed' }, { state: 'delivered' }]);
});

test('every attempt has its own valid signature, and the id of the event', async () => {
  const customer = await newCustomer('signed', { status: 500 });
  await attempted(customer, 1);
  await timePasses(customer);
  await attempted(customer, 2);
  const requests = about(customer);
  expect(requests).toHaveLength(2);
  for (const request of requests) {
    expect(verifiedPayload(request, webhook.secret)).toEqual(JSON.parse(request.body));
    expect(request.headers['webhook-id']).toBe(`evt_${JSON.parse(request.body).id}`);
    expect(() =>
      verifiedPayload({ ...request, body: request.body.replace('signed', 'forged') }, webhook.secret),
    ).toThrow();
  }
});

test('Retry-After is honoured if it is later than the schedule', async () => {
  const customer = await newCustomer(
    'patient',
    { status: 503, headers: { 'retry-after': '120' } },
    { status: 429, headers: { 'retry-after': '1' } },
  );
  const { wait: later } = await attempted(customer, 1);
  expect(later).toBeCloseTo(120, 0);
  await timePasses(customer);
  const { wait: sooner } = await attempted(customer, 2);
  expect(sooner).toBeGreaterThanOrEqual(270);
  await timePasses(customer);
  await attempted(customer, 3);
});

test('a redirect counts as a failed answer and is never followed', async () => {
  const target = await startReceiver();
  const redirect = (location: string): ScriptedAnswer => ({ status: 307, headers: { location } });
  const customer = await newCustomer('redirected', redirect(target.url), redirect('http://10.0.0.1/'));
  expect(await attempted(customer, 1)).toMatchObject({ status_code: 307, error: null });
  await timePasses(customer);
  expect(await attempted(customer, 2)).toMatchObject({ status_code: 307, error: null });
  await timePasses(customer);
  expect(await attempted(customer, 3)).toMatchObject({ status_code: 200 });
  expect(target.requests).toEqual([]);
  await target.stop();
});

test('a receiver that hangs for one object does not delay other objects', async () => {
  const slow = await startProduct({ env: { WEBHOOK_TIMEOUT: '90000', LOG_LEVEL: 'silent' } });
  try {
    const hanging = await startReceiver();
    hanging.answerBy((request) => (objectOf(request) === 1 ? 'hang' : { status: 200 }));
    await slow.call('POST', '/webhooks', { url: hanging.url, events: '*' });
    await slow.call('POST', '/customers', { name: 'stuck' });
    await hanging.waitFor((request) => objectOf(request) === 1, 'the delivery that hangs');
    const others = Array.from({ length: 12 }, (_, index) => slow.call('POST', '/customers', { name: `free${index}` }));
    await Promise.all(others);
    for (let id = 2; id <= 13; id++) await hanging.waitFor((request) => objectOf(request) === id, `customer ${id}`);
    // The first delivery still hangs, so the others did not wait for it.
    expect(await slow.rows('select 1 from webhook_delivery where attempts > 0 and subject_id = ?', ['1'])).toEqual([]);
    expect(eventsOf(hanging.requests)).toHaveLength(13);
    await hanging.stop(); // ends the hanging request
  } finally {
    await slow.close();
  }
});
