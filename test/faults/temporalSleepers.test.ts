import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { workflowId } from '../../workflows/client.ts';
import { createPayer, createPlan, subscribe } from '../support/business.ts';
import { type Product, startProduct } from '../support/product.ts';
import { temporalAddress } from '../support/temporal.ts';
import { until } from '../support/wait.ts';
import { dueAgain } from './money/past.ts';
import { expectRecovered } from './money/recovery.ts';

let product: Product;
let connection: Connection;

beforeAll(async () => {
  product = await startProduct({ endpoint: true, env: { SWEEP_INTERVAL: '600000' } }); // no sweep in this test
  await createPlan(product, 'gold');
  connection = await Connection.connect({ address: temporalAddress() });
});

afterAll(async () => {
  await connection.close();
  await product.close();
});

const SIX_DAYS_MILLISECONDS = 6 * 86_400_000;

test('a process that starts in six days costs nothing until then, and only signalWithStart wakes it earlier', async () => {
  const startAt = new Date(Date.now() + SIX_DAYS_MILLISECONDS);
  const subscription = await subscribe(product, await createPayer(product, 'later'), { code: 'gold', startAt });
  const id = workflowId(product.deps.deployment.id, { process: 'subscription', id: subscription });
  const handle = new Client({ connection }).workflow.getHandle(id);
  const history = async () => (await handle.fetchHistory()).events ?? [];
  /** Workflow tasks so far. */
  const tasks = async () => (await history()).filter((event) => event.workflowTaskScheduledEventAttributes).length;
  const signals = async () =>
    (await history()).filter((event) => event.workflowExecutionSignaledEventAttributes).length;

  const [first] = await until(history, { what: 'the process to be started' });
  const delay = Number(first?.workflowExecutionStartedEventAttributes?.firstWorkflowTaskBackoff?.seconds) * 1000;
  expect(delay).toBeGreaterThan(SIX_DAYS_MILLISECONDS - 60_000);
  expect(delay).toBeLessThanOrEqual(SIX_DAYS_MILLISECONDS);
  await handle.signal('lookAgain');
  expect({ signals: await signals(), tasks: await tasks() }).toEqual({ signals: 2, tasks: 0 }); // a plain signal does not wake it

  await dueAgain(product, subscription, { weeks: 1 });
  await product.row(`select 1 from invoice where paid and subscription_id = ${subscription}`);
  expect(await signals()).toBe(3); // the same run
  expect(await tasks()).toBeGreaterThan(0);
  await expectRecovered(product);
});
