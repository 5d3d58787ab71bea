import { env } from 'node:process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { workflowId } from '../../workflows/client.ts';
import { recordHistory } from '../replay/record.ts';
import { advanceTo, clockAt, story } from '../support/clock.ts';
import { type Product, startProduct } from '../support/product.ts';
import { expectSound } from '../support/soundness.ts';
import { fastSweepConfig, steppedTime } from '../support/steppedTime.ts';
import { seconds } from '../support/story.ts';
import { temporalAddress } from '../support/temporal.ts';
import { until } from '../support/wait.ts';

/** Estimates that expire. Each one has its own process. */

const time = steppedTime('2027-01-31T10:00:00Z');
let product: Product;

beforeAll(async () => {
  product = await startProduct({ systemNow: time.systemNow, config: fastSweepConfig });
  await product.client.patch('/account', { time_zone: 'America/New_York' });
});
afterAll(() => product.close());

const items = [{ name: 'Consulting', unit_cost: 100 }];
const read = (id: number) => product.client.get('/estimates/{id}', { id });
const isClosed = ({ closed }: { closed: boolean }) => closed;

test('on a test clock an estimate expires at the end of its local day, unless it is approved or partly paid', async () => {
  const { client } = product;
  const clock = await clockAt(product, '2027-03-01T10:00:00Z');
  const customer = (await client.post('/customers', { name: 'Asker', test_clock: clock.id })).id;
  const made = { customer, items, expiration_date: seconds('2027-03-13T12:00:00Z') };
  const expiring = await client.post('/estimates', { ...made, sent: true });
  const deposited = await client.post('/estimates', { ...made, deposit: 50 });
  const applied_to = [{ type: 'estimate' as const, estimate: deposited.id, amount: 50 }];
  await client.post('/payments', { customer, amount: 50, applied_to });
  const later = await client.post('/estimates', made);
  await client.patch('/estimates/{id}', { expiration_date: seconds('2027-03-14T12:00:00Z') }, { id: later.id });
  const draft = await client.post('/estimates', { ...made, draft: true });

  const there = await advanceTo(product, clock, '2027-03-16T00:00:00Z');
  // Midnight in New York is 05:00 UTC in winter and 04:00 UTC after the clocks go forward on the 14th.
  expect(story(there)).toEqual([
    `2027-03-14 05:00 estimate ${expiring.id}: expired`,
    `2027-03-15 04:00 estimate ${later.id}: expired`,
  ]);
  expect(await read(expiring.id)).toMatchObject({ status: 'declined', closed: true, approved: null });
  expect(await read(deposited.id)).toMatchObject({ status: 'not_sent', closed: false, deposit_paid: true });
  expect(await read(draft.id)).toMatchObject({ status: 'draft', closed: false });
  await expect(client.post('/estimates/{id}/invoice', null, { id: expiring.id })).rejects.toThrow(
    'has expired: give it a later expiration_date',
  );
  const [event] = await client.get('/events', { related_to: `estimate,${expiring.id}` });
  expect(event).toMatchObject({
    type: 'estimate.updated',
    timestamp: seconds('2027-03-14T05:00:00Z'),
    user: { id: -1 },
    data: { object: { status: 'declined' }, previous: { status: 'sent', closed: false } },
  });
  await expectSound(product);
});

test('in real time its process sleeps until then, wakes earlier when the date moves, and its history replays', async () => {
  const { client } = product;
  const customer = (await client.post('/customers', { name: 'Roberta Secretperson' })).id;
  const { id } = await client.post('/estimates', { customer, items, expiration_date: seconds('2027-02-20T12:00:00Z') });
  await client.patch('/estimates/{id}', { expiration_date: seconds('2027-02-02T12:00:00Z') }, { id });
  time.moveTo('2027-02-03T04:59:59Z');
  expect(await read(id)).toMatchObject({ status: 'not_sent' });
  time.moveTo('2027-02-03T05:00:00Z');
  await product.row(`select closed from estimate where id = ${id}`, isClosed);
  await client.patch('/estimates/{id}', { expiration_date: seconds('2027-02-04T12:00:00Z') }, { id });
  expect(await read(id)).toMatchObject({ status: 'not_sent', closed: false });
  time.moveTo('2027-02-05T05:00:00Z');
  await product.row(`select closed from estimate where id = ${id}`, isClosed);
  await expectSound(product);

  const connection = await Connection.connect({ address: temporalAddress() });
  const temporal = new Client({ connection });
  const workflow = workflowId(product.deps.deployment.id, { process: 'estimate', id });
  // A run that is woken after the expiry does nothing. An earlier run has expired the estimate. Its step may have been retried, and then found
  // the estimate closed: the message of the retry is empty.
  const ended = async () => {
    let runs = 0;
    for await (const { runId } of temporal.workflow.list({ query: `WorkflowId = "${workflow}"` })) {
      runs += 1;
      const history = historyToJSON(await temporal.workflow.getHandle(workflow, runId).fetchHistory());
      const text = history.replace(/"data": "([A-Za-z0-9+/=]+)"/g, (_match, data: string) => atob(data));
      expect(text).not.toContain('Secretperson');
      if (!text.includes('workflowExecutionCompletedEventAttributes')) return false;
      if (text.includes('expired') && env.PERENNIAL_RECORD_HISTORIES)
        await recordHistory(temporal, workflow, 'estimate.expired');
    }
    return runs > 0;
  };
  await until(ended, { what: 'the end of its runs' });
  await connection.close();
});
