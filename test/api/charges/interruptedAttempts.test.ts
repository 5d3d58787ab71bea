import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { runAttempt, settleAttempt } from '../../../commands/charges/attempts.ts';
import type { Gateway } from '../../../commands/ports/ports.ts';
import { armFailpoints } from '../../../db/failpoint.ts';
import { withAccount } from '../../../db/tenant.ts';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { onlyGateways } from '../../support/gateways.ts';
import { until } from '../../support/wait.ts';

let api: TestApi;
let customer: number;
/** The gateway's behavior: it answers, is unreachable, loses confirmations, or hangs. */
let does: 'answers' | 'unreachable' | 'loses' | 'hangs' = 'answers';
let hanging = Promise.withResolvers<never>();

beforeAll(async () => {
  const gateways = new Map<string, Gateway>();
  api = await startApi({ gateways: onlyGateways(gateways), gatewayDeadline: 200 });
  gateways.set('test', faulty(api.gateway));
});
afterAll(() => api.close());
afterEach(() => hanging.reject(new Error('connection refused')));
beforeEach(async () => {
  does = 'answers';
  hanging = Promise.withResolvers();
  hanging.promise.catch(() => undefined);
  customer = (await api.sandbox.make('/customers', { name: 'Payer', autopay: true })).id;
});

test('a worker whose preparation fails once another one has confirmed the charge does not end it', async () => {
  armFailpoints('charge.started=throw');
  const charge = { customer, method: 'credit_card', gateway_token: GOOD, amount: 4, applied_to: [] };
  await api.sandbox.post('/charges', charge);
  armFailpoints('');
  const attempt = async () => {
    const [row] = await api.em
      .fork()
      .execute<{ id: number; accountId: number; state: string }[]>(
        'select id, account_id as "accountId", state from attempt order by id desc limit 1',
      );
    if (!row) throw new Error('there is no attempt');
    return row;
  };
  const key = await attempt();
  does = 'loses';
  const slow = new Map<string, Gateway>();
  slow.set('test', {
    ...api.gateway,
    prepare: async () => {
      await runAttempt(api.deps, key); // the other worker
      throw new Error('timeout');
    },
  });
  await withAccount(key.accountId, () => runAttempt({ ...api.deps, gateways: onlyGateways(slow) }, key));
  expect(await attempt()).toMatchObject({ state: 'unknown' });
});

function faulty(real: Gateway): Gateway {
  return {
    ...real,
    prepare: (...asked) => {
      if (does === 'unreachable') return Promise.reject(new Error('connection refused'));
      if (does === 'hangs') return hanging.promise;
      return real.prepare(...asked);
    },
    confirm: (...asked) => (does === 'loses' ? Promise.reject(new Error('lost')) : real.confirm(...asked)),
  };
}

const GOOD = 'tok_4242424242424242';

/** All requests that call a gateway, with or without an idempotency key. */
const requests = {
  card: (headers = {}) => store('credit_card', GOOD, headers),
  'bank account': (headers = {}) => store('ach', 'tok_110000000_123456789', headers),
  charge: (headers = {}) => {
    const charge = { customer, method: 'credit_card', gateway_token: GOOD, amount: 4, applied_to: [] };
    return api.sandbox.post('/charges', charge, headers);
  },
  pay: async (headers = {}) => {
    const [invoice] = (await api.sandbox.get(`/invoices?filter[customer]=${customer}`)).body;
    return api.sandbox.post(`/invoices/${invoice.id}/pay`, {}, headers);
  },
};
type Request = keyof typeof requests;

function store(method: string, gateway_token: string, headers: Record<string, string> = {}) {
  return api.sandbox.post(`/customers/${customer}/payment_sources`, { method, gateway_token }, headers);
}

/** Creates a card and an invoice for `pay`. */
async function oweByCard(): Promise<void> {
  await requests.card();
  await api.sandbox.post('/invoices', { customer, items: [{ unit_cost: 9 }], autopay: true });
}

/** The parts of each request's error message: what failed, and what remains. */
const said: Record<Request, { was: string; left: string }> = {
  card: { was: 'The card was not saved: ', left: '; nothing was stored. ' },
  'bank account': { was: 'The bank account was not saved: ', left: '; nothing was stored. ' },
  charge: { was: 'The payment was not made: ', left: '; nothing was charged. ' },
  pay: { was: 'The payment was not made: ', left: '; nothing was charged. ' },
};

const failures = [
  ['unreachable', 'the payment gateway could not be reached'],
  ['loses', 'the payment gateway was asked and did not do it'],
] as const;
/** All combinations, without the lost confirmation of a charge: such a charge is pending, not failed. */
const combined = (['card', 'bank account', 'charge', 'pay'] as const)
  .flatMap((request) => failures.map(([how, why]) => ({ request, how, why })))
  .filter(({ request, how }) => how === 'unreachable' || request === 'card' || request === 'bank account');

test.each(combined)(
  '$request, gateway $how: the answer says what it was, and that a new key tries again',
  async ({ request, how, why }) => {
    if (request === 'pay') await oweByCard();
    does = how;
    const ask = requests[request];
    const keyed = { 'Idempotency-Key': `${request} ${how}` };
    const first = await ask(keyed);
    const message =
      `${said[request].was}${why}${said[request].left}` +
      'To try again, send the request with a new Idempotency-Key: the old one returns this answer again';
    expect(first).toMatchObject(refused({ type: 'api', message }));
    const unkeyed = await ask();
    expect(unkeyed.body.message).toBe(message.replace(/send the request .*/, 'send the request again'));

    does = 'answers';
    const again = await ask(keyed);
    expect(again).toMatchObject(refused(first.body));
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    expect((await ask({ 'Idempotency-Key': `${request} ${how}, anew` })).status).toBeLessThan(300); // as the message says
  },
);

test.each(['card', 'charge'] as const)(
  'the replay of a %s request that was cut off before it reached the gateway says so',
  async (request) => {
    does = 'hangs';
    const keyed = { 'Idempotency-Key': `${request} cut off` };
    const cut = requests[request](keyed);
    const begun = `select account_id, id from attempt where customer_id = ${customer}`;
    const attempt = await until(async () => (await api.em.fork().execute(begun))[0], { what: 'the attempt' });
    await settleAttempt({ ...api.deps, em: api.em }, { accountId: attempt.account_id, id: attempt.id });
    const { was, left } = said[request];
    const message = `${was}it was interrupted before the payment gateway was told to confirm it${left}`;
    const replay = await requests[request](keyed);
    expect(replay).toMatchObject(refused({ message: expect.stringContaining(message) }));
    hanging.reject(new Error('connection refused'));
    expect((await cut).body).toEqual(replay.body);
  },
);

test('the error of a declined source names what failed and why', async () => {
  const declined = await store('credit_card', 'tok_4000000000000127');
  expect(declined.body.message).toMatch(/^The card was not saved: .+/);
});
