import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { Gateway, Mailer } from '../../../commands/ports/ports.ts';
import { createActivities } from '../../../workers/activities.ts';
import { createClockBells } from '../../../workers/clockBells.ts';
import { createLivePumps } from '../../../workers/livePumps.ts';
import { createStepShare } from '../../../workers/stepShare.ts';
import { createTurns } from '../../../workers/turns.ts';
import type { Activities } from '../../../workflows/process.ts';
import { type Client, startApi, type TestApi } from '../../support/api.ts';
import { onlyGateways } from '../../support/gateways.ts';
import { until } from '../../support/wait.ts';

/** Maximum number of simultaneous gateway calls of one account. */
const SHARE = 40;

let api: TestApi;
let activities: Activities;
/** Number of the sandbox account's calls that hang at the gateway. */
let hanging = 0;
const answered = Promise.withResolvers<void>();

beforeAll(async () => {
  const gateways = new Map<string, Gateway>();
  api = await startApi({ gateways: onlyGateways(gateways), gatewayDeadline: 120_000 });
  gateways.set('test', {
    ...api.gateway,
    prepare: async (operation, ...rest) => {
      if (operation.kind === 'charge' && operation.accountId === api.sandbox.account.id) {
        hanging += 1;
        await answered.promise;
        hanging -= 1;
      }
      return api.gateway.prepare(operation, ...rest);
    },
  });
  const nothing = async () => undefined;
  const { metrics: _, systemNow, ...shared } = api.deps;
  const mailer: Mailer = { send: () => Promise.reject(new Error('nothing is mailed here')) };
  const deps = {
    ...shared,
    systemNow,
    log: { ...shared.log, debug: () => undefined },
    mailers: { live: mailer, sandbox: mailer },
    mailFrom: 'billing@example.com',
    listCsv: () => Promise.reject(new Error('no job runs here')),
    clockPatience: 0,
    clocks: createClockBells(),
    pumps: createLivePumps(),
  };
  activities = createActivities(deps, createTurns({ systemNow, call: nothing, queue: nothing }), createStepShare());
});
afterAll(() => api.close());

/** Starts automatic charges of new invoices, as their processes do. Returns the invoices, and a function that runs the charges. */
async function charges({ account, post }: Client, count: number) {
  const { id: customer } = (await post('/customers', { name: 'Payer', autopay: true })).body;
  const source = { method: 'credit_card', gateway_token: 'tok_4242424242424242', make_default: true };
  await post(`/customers/${customer}/payment_sources`, source);
  const begun = [];
  for (let n = 0; n < count; n++) {
    const { id } = (await post('/invoices', { customer, items: [{ unit_cost: 5 }] })).body;
    const { call } = await activities.advanceInvoice({ accountId: account.id, id });
    const input = { accountId: account.id, id: call ?? 0, caller: { process: 'invoice' as const, id } };
    begun.push({ id, run: () => new MockActivityEnvironment().run(activities.runAttempt, input) });
  }
  return begun;
}

test("hanging charges occupy at most their account's share; other accounts are charged, and further charges are retried", async () => {
  const { sandbox: other } = await api.open('Other');
  const ours = await charges(api.sandbox, SHARE + 1);
  const late = ours.pop();
  const running = ours.map(({ run }) => run());
  await until(() => hanging === SHARE, { what: 'the account’s share of calls' });
  await expect(late?.run()).rejects.toMatchObject({ type: 'NoPlace', nonRetryable: false, nextRetryDelay: 250 });
  const [theirs] = await charges(other, 1);
  await theirs?.run();
  expect((await other.get(`/invoices/${theirs?.id}`)).body.paid).toBe(true);
  expect(hanging).toBe(SHARE);
  answered.resolve();
  await Promise.all(running);
  await late?.run();
  for (const { id } of [...ours, ...(late ? [late] : [])]) {
    expect((await api.sandbox.get(`/invoices/${id}`)).body.paid).toBe(true);
  }
});
