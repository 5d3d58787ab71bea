import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { createWaker } from '../../../bin/deps.ts';
import { workflowId } from '../../../workflows/client.ts';
import { createPayer } from '../../support/business.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { type PrivateTemporal, startPrivateTemporal } from '../../support/temporal.ts';
import { until } from '../../support/wait.ts';
import { dueAgain } from '../money/past.ts';
import { allCaptures, expectRecovered } from '../money/recovery.ts';

let temporal: PrivateTemporal;
let product: Product;
let connection: Connection;
let waker: ReturnType<typeof createWaker>;

/** Number of events after which this server suggests to continue as new. */
const MOST_EVENTS = 60;

beforeAll(async () => {
  temporal = await startPrivateTemporal({
    settings: { 'limit.historyCount.suggestContinueAsNew': String(MOST_EVENTS) },
  });
  product = await startProduct({
    endpoint: true,
    env: { TEMPORAL_ADDRESS: temporal.address, SWEEP_INTERVAL: '600000' },
  });
  connection = await Connection.connect({ address: temporal.address });
  waker = createWaker(product.deps);
  await product.call('POST', '/plans', { id: 'weekly', name: 'Weekly', amount: 10, interval: 'week' });
});

afterAll(async () => {
  await waker.close();
  await connection.close();
  await product.close();
  await temporal.stop();
});

const RENEWALS = 4;

test('a process that continues as new again and again is one chain and loses no renewal', async () => {
  const customer = await createPayer(product, 'payer');
  const { id } = await product.call('POST', '/subscriptions', { customer, plan: 'weekly' });
  await untilBilled(1);
  const first = await runs(id);
  for (let renewal = 1; renewal <= RENEWALS; renewal++) {
    const before = (await runs(id)).length;
    // Signals arrive in every part of a run, including its end. One of them announces the renewal.
    const storm = Array.from({ length: 25 }, () => wake(id));
    await dueAgain(product, id, { weeks: 1 });
    await Promise.all(storm);
    await untilBilled(renewal + 1);
    await until(
      async () => {
        await wake(id);
        return (await runs(id)).length > before;
      },
      { what: 'another run' },
    );
  }
  const chain = await runs(id);
  expect(chain.length).toBeGreaterThan(RENEWALS);
  expect(chain[0]).toEqual(first[0]);
  const { workflow } = new Client({ connection });
  const last = await workflow.getHandle(processOf(id)).describe();
  const found = Object.fromEntries(last.typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]));
  expect(found).toMatchObject({ PerennialCustomer: String(customer), PerennialState: 'waiting' }); // the new run keeps the search attributes
  expect(await product.rows('select array_agg(period order by id) as periods from invoice')).toEqual([
    { periods: Array.from({ length: RENEWALS + 1 }, (_, period) => period) },
  ]);
  expect(await allCaptures(product)).toBe(RENEWALS + 1);
  await expectRecovered(product);
});

const processOf = (id: number) => workflowId(product.deps.deployment.id, { process: 'subscription', id });

const wake = (id: number) =>
  waker.wake({ process: 'subscription', environment: 'sandbox', accountId: product.accountId, id, startAt: null });

const untilBilled = (invoices: number) =>
  product.row('select count(*)::int as paid from invoice where paid', ({ paid }) => paid === invoices);

/** Ids of the runs of a subscription's process, oldest first. Expects that they form one chain of continue-as-new. */
async function runs(subscription: number): Promise<string[]> {
  const { workflow } = new Client({ connection });
  const workflowKey = processOf(subscription);
  const chain: string[] = [];
  let { runId } = await workflow.getHandle(workflowKey).describe();
  for (;;) {
    chain.unshift(runId);
    const { events } = await workflow.getHandle(workflowKey, runId).fetchHistory();
    const begun = events?.[0]?.workflowExecutionStartedEventAttributes;
    const next = events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? null;
    expect(next).toBe(chain[1] ?? null);
    if (!begun?.continuedExecutionRunId) {
      expect(begun?.firstExecutionRunId).toBe(runId);
      return chain;
    }
    runId = begun.continuedExecutionRunId;
  }
}
