import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { settleAttempt } from '../../../commands/charges/attempts.ts';
import { reportProblem } from '../../../commands/kernel/problems.ts';
import type { Gateway } from '../../../commands/ports/ports.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { onlyGateways } from '../../support/gateways.ts';
import { until } from '../../support/wait.ts';

/** Timeout of a call to the gateway. The request waits 20 s longer for the outcome. */
const DEADLINE = 200;
const WAIT = DEADLINE + 20_000;

let api: TestApi;
/** Path of the customer's sources, and the state of the connection to the gateway. */
let path: string;
const line = { isCut: false, takes: true, asked: Promise.withResolvers<void>() };

beforeAll(async () => {
  const gateways = new Map<string, Gateway>();
  api = await startApi({ gateways: onlyGateways(gateways), gatewayDeadline: DEADLINE });
  gateways.set('test', overLine(api.gateway));
});
afterAll(() => api.close());
beforeEach(async () => {
  path = `/customers/${(await api.sandbox.make('/customers', { name: 'Unheard' })).id}`;
  Object.assign(line, { isCut: false, takes: true, asked: Promise.withResolvers() });
});

/** A gateway behind a connection that can be cut. Requests may still arrive, but their answers are lost. */
function overLine(real: Gateway): Gateway {
  return {
    ...real,
    confirm: async (...asked) => {
      if (!line.isCut) return real.confirm(...asked);
      if (line.takes) await real.confirm(...asked);
      throw new Error('connection lost');
    },
    look: (...asked) => {
      if (!line.isCut) return real.look(...asked);
      line.asked.resolve();
      return Promise.reject(new Error('connection lost'));
    },
  };
}

const store = (key: string | null) =>
  api.sandbox.post(
    `${path}/payment_sources`,
    { method: 'credit_card', gateway_token: 'tok_4242424242424242' },
    key ? { 'Idempotency-Key': key } : {},
  );

/** Sends a request for a source whose outcome stays unknown. Lets the time to wait pass after the first look-up at the gateway. */
async function storeUnheard(key: string | null): Promise<void> {
  line.isCut = true;
  const real = performance.now;
  try {
    const answer = store(key);
    await line.asked.promise;
    performance.now = () => real.call(performance) + WAIT;
    const told = 'It is not recorded yet whether the card was saved; ';
    const keyed = 'send the same request with the same Idempotency-Key to learn the outcome';
    const message = told + (key ? keyed : 'look at what is stored before the request is sent again');
    expect(await answer).toMatchObject(refused({ type: 'invalid_request', message }, 429));
    expect((await answer).headers.get('Retry-After')).toBe(key ? '1' : null); // clients would send it again by themselves
  } finally {
    performance.now = real;
    line.isCut = false;
  }
}

const attempts = () =>
  api.em
    .fork()
    .execute<{ account_id: number; id: number; state: string; sealed: boolean }[]>(
      'select account_id, id, state, sealed_token is not null as sealed from attempt order by id desc limit 1',
    );

async function lastKey() {
  const [last] = await attempts();
  return { accountId: last?.account_id ?? 0, id: last?.id ?? 0 };
}

test.each([
  ['the look-up', async () => settleAttempt({ ...api.deps, em: api.em }, await lastKey())],
  ['the same request, sent again', async () => undefined],
])('storing a source without an answer of the gateway is 429, and %s finds the outcome', async (who, act) => {
  await storeUnheard(who);
  expect(await attempts()).toMatchObject([{ state: 'unknown', sealed: true }]);
  await act();
  const { status, body, headers } = await store(who);
  expect([status, headers.get('Idempotent-Replayed')]).toEqual([201, 'true']);
  expect((await store(who)).body).toEqual(body);
  expect((await api.sandbox.get(`${path}/payment_sources`)).body).toEqual([body]);
  expect((await api.sandbox.get(path)).body.payment_source).toEqual(body);
  expect(await attempts()).toMatchObject([{ state: 'succeeded', sealed: false }]);
});

test('a request without a key whose outcome is unknown is told to look first, and not when to try again', async () => {
  await storeUnheard(null);
});

test('a look-up by a waiting request ends when the request stops waiting', async () => {
  const gateways = new Map<string, Gateway>();
  let now = Date.now();
  const deadline = 10_000;
  const patient = await startApi({
    gateways: onlyGateways(gateways),
    gatewayDeadline: deadline,
    systemNow: () => new Date(now),
  });
  const real = performance.now;
  let asked = 0;
  gateways.set('test', {
    ...patient.gateway,
    confirm: () => {
      now += 2 * deadline;
      return Promise.reject(new Error('connection lost'));
    },
    look: (_reference, _at, signal) => {
      asked += 1;
      if (asked === 1) performance.now = () => real.call(performance) + deadline + 18_500; // 1.5 s are left
      if (asked === 1) return Promise.reject(new Error('connection lost'));
      const { promise, reject } = Promise.withResolvers<never>();
      const stop = () => reject(signal.reason);
      if (signal.aborted) stop(); // on a busy machine the time may be over before the look-up begins
      signal.addEventListener('abort', stop);
      return promise;
    },
  });
  try {
    const { id } = (await patient.sandbox.post('/customers', { name: 'Patient' })).body;
    const source = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };
    let status: number | null = null;
    void patient.sandbox.post(`/customers/${id}/payment_sources`, source).then((answer) => (status = answer.status));
    await until(() => status, { what: 'the answer' });
    expect(status).toBe(429);
    expect(asked).toBeGreaterThan(1);
  } finally {
    performance.now = real;
    await patient.close();
  }
});

test('a source that never reached the gateway is abandoned, and the request is told so', async () => {
  line.takes = false;
  await storeUnheard('lost');
  const { status, body } = await store('lost');
  expect({ status, body }).toMatchObject(refused({ type: 'api' }));
  expect(await store('lost')).toMatchObject({ status, body });
  expect((await api.sandbox.get(`${path}/payment_sources`)).body).toEqual([]);
  expect(await attempts()).toMatchObject([{ state: 'abandoned', sealed: false }]);
});

test('a charge that was captured without an answer keeps its source after the look-up, and its problem closes', async () => {
  const charge = { customer: Number(path.split('/').at(-1)), method: 'credit_card', amount: 12, applied_to: [] };
  const card = { gateway_token: 'tok_4000000000000119', vault_method: true, make_default: true };
  expect(await api.sandbox.post('/charges', { ...charge, ...card })).toMatchObject({
    status: 201,
    body: { charge: { status: 'pending' } },
  });
  expect((await api.sandbox.get(`${path}/payment_sources`)).body).toEqual([]);
  const key = await lastKey();
  const problem = { ...key, process: 'charge' as const, step: 'look_up', message: 'overdue' };
  await inTransaction(api.em, (em) => reportProblem(em, problem, new Date()));
  line.isCut = true;
  await settleAttempt({ ...api.deps, em: api.em }, key);
  const waits = () =>
    api.em.fork().execute(`select rule from wakeup where process = 'charge' and subject_id = ${key.id}`);
  expect([(await api.sandbox.get('/problems')).body, await waits()]).toMatchObject([
    [{ message: 'overdue' }],
    [{ rule: 'problem' }],
  ]);

  line.isCut = false;
  await settleAttempt({ ...api.deps, em: api.em }, key);
  const { body: sources } = await api.sandbox.get(`${path}/payment_sources`);
  expect(sources).toMatchObject([{ object: 'card', last4: '0119' }]);
  expect((await api.sandbox.get(path)).body.payment_source).toEqual(sources[0]);
  expect((await api.sandbox.get(`/charges?filter[customer]=${charge.customer}`)).body).toMatchObject([
    { status: 'succeeded', payment_source: { last4: '0119' } },
  ]);
  expect(await attempts()).toMatchObject([{ state: 'succeeded', sealed: false }]);
  expect([(await api.sandbox.get('/problems')).body, await waits()]).toEqual([[], []]);
});

test.each([
  ['charged', 201, 'tok_4242424242424242', 'succeeded'],
  ['declined', 400, 'tok_4000000000000002', 'failed'],
])('the token of a card that was %s without being stored is not kept', async (_what, status, gateway_token, state) => {
  const charge = { customer: Number(path.split('/').at(-1)), method: 'credit_card', amount: 3, applied_to: [] };
  expect(await api.sandbox.post('/charges', { ...charge, gateway_token })).toMatchObject({ status });
  expect(await attempts()).toMatchObject([{ state, sealed: false }]);
});

test('the token of a stored or refused source is not kept', async () => {
  await store('stored');
  expect(await attempts()).toMatchObject([{ state: 'succeeded', sealed: false }]);
  await api.sandbox.post(`${path}/payment_sources`, { method: 'credit_card', gateway_token: 'tok_4000000000000127' });
  expect(await attempts()).toMatchObject([{ state: 'failed', sealed: false }]);
});
