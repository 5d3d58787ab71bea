import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { createWaker } from '../../../bin/deps.ts';
import { workflowId } from '../../../workflows/client.ts';
import { createPayer, createPlan, subscribe } from '../../support/business.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { type PrivateTemporal, startPrivateTemporal } from '../../support/temporal.ts';
import { until } from '../../support/wait.ts';
import { dueAgain } from '../money/past.ts';
import { expectRecovered } from '../money/recovery.ts';

let temporal: PrivateTemporal;
let product: Product;
let connection: Connection;
let waker: ReturnType<typeof createWaker>;

beforeAll(async () => {
  temporal = await startPrivateTemporal({ settings: { 'limit.historyCount.suggestContinueAsNew': '40000' } });
  product = await startProduct({
    endpoint: true,
    env: { TEMPORAL_ADDRESS: temporal.address, SWEEP_INTERVAL: '600000' },
  });
  await createPlan(product, 'gold');
  connection = await Connection.connect({ address: temporal.address });
  waker = createWaker(product.deps);
});

afterAll(async () => {
  await waker.close();
  await connection.close();
  await product.close();
  await temporal.stop();
});

test('a process begins a new run after 500 iterations, even if the server does not suggest it, and continues', async () => {
  const id = await subscribe(product, await createPayer(product, 'payer'), { code: 'gold' });
  await product.row('select 1 from invoice where paid');
  const { workflow } = new Client({ connection });
  const process = workflowId(product.deps.deployment.id, { process: 'subscription', id });
  const first = await workflow.getHandle(process).describe();
  const { accountId } = product;
  const about = { process: 'subscription' as const, environment: 'sandbox' as const, accountId, id, startAt: null };
  await until(
    async () => {
      for (let times = 0; times < 20; times++) {
        await waker.wake(about);
        await workflow.getHandle(process).query('__stack_trace'); // waits for the end of the iteration, because a run accepts at most 10,000 signals
      }
      return (await workflow.getHandle(process).describe()).runId !== first.runId;
    },
    { what: 'a new run' },
  );
  const { events } = await workflow.getHandle(process, first.runId).fetchHistory();
  const steps = events?.filter((event) => event.markerRecordedEventAttributes).length;
  expect(steps).toBe(500); // one per iteration
  const [began] = (await workflow.getHandle(process).fetchHistory()).events ?? [];
  expect(began?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId).toBe(first.runId);

  await dueAgain(product, id, { weeks: 5 });
  await product.row('select count(*)::int as paid from invoice where paid', ({ paid }) => paid === 2);
  await expectRecovered(product);
});
