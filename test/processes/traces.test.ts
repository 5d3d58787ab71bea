import { env } from 'node:process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { workflowId } from '../../workflows/client.ts';
import { recordHistory } from '../replay/record.ts';
import { basic, send, successBody } from '../support/api.ts';
import { type CollectedSpan, type Collector, startCollector } from '../support/collector.ts';
import { readableHistory } from '../support/histories.ts';
import { type Product, startProduct } from '../support/product.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { killRoles, type Role, startRole } from '../support/roles.ts';
import { payingCustomer } from '../support/story.ts';
import { temporalAddress } from '../support/temporal.ts';
import { until } from '../support/wait.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';

let collector: Collector;
let receiver: Receiver;
let product: Product;
let api: Role;
let worker: Role;
let connection: Connection;
let temporal: Client;
let customer: { id: number };
let traced: Record<string, string>;

beforeAll(async () => {
  collector = await startCollector();
  receiver = await startReceiver();
  product = await startProduct({ worker: false });
  traced = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '100', LOG_LEVEL: 'info' };
  [api, worker] = await Promise.all([startRole(product, 'api', traced), startRole(product, 'worker', traced)]);
  connection = await Connection.connect({ address: temporalAddress() });
  temporal = new Client({ connection });
  await product.client.post('/webhooks', { url: receiver.url, events: ['invoice.created'] });
  customer = await payingCustomer(product, 'tok_script_soft.soft.soft', { name: 'Secretperson' });
});
afterAll(async () => {
  await connection.close();
  await killRoles();
  await product.close();
  await receiver.stop();
  await collector.close();
});

const processOf = (id: number) => workflowId(product.deps.deployment.id, { process: 'invoice', id });

/** Issues an invoice through the traced API. Its process charges it, is declined, and waits for the next attempt. */
async function invoice(headers: Record<string, string>): Promise<{ id: number }> {
  const body = { customer: customer.id, items: [{ quantity: 1, unit_cost: 25 }] };
  const asked = { method: 'POST', headers: { ...basic(product.key), ...headers }, body };
  return successBody(await send(`${api.url}/invoices`, asked));
}

const named = (trace: string, pattern: RegExp): CollectedSpan[] =>
  collector.spans.filter((span) => span.trace === trace && pattern.test(span.name));

/** Whether a span belongs to the caller's, directly or through others that are known. */
const isLinked = ({ parent }: CollectedSpan): boolean =>
  parent === CALLER || collector.spans.some((span) => span.id === parent && isLinked(span));

test('a request, its statements, its outbox row, the process, its activity and its webhook are one trace', async () => {
  const { id } = await invoice({ traceparent: `00-${TRACE}-${CALLER}-01`, 'X-Request-Id': 'order-7' });
  const wanted = [
    /^POST \/invoices$/,
    /^insert$/,
    /^commit$/,
    /^outbox invoice$/,
    /^SignalWithStartWorkflow:invoice$/,
    /^RunActivity:advanceInvoice$/,
    /^RunActivity:runAttempt$/,
    /^webhook invoice\.created$/,
  ];
  const missing = () => wanted.filter((pattern) => !named(TRACE, pattern).some(isLinked)).map(String);
  await until(() => (missing().length > 0 ? Promise.reject(new Error(missing().join())) : true), {
    what: 'the spans of the trace',
  });
  const [asked] = named(TRACE, /^POST/);
  expect(asked).toMatchObject({ parent: CALLER, attributes: { 'perennial.request_id': 'order-7' } });
  const [started] = named(TRACE, /^SignalWith/);
  expect(started?.attributes).toMatchObject({ temporalWorkflowId: processOf(id) });
  expect(named(TRACE, /^RunActivity/)[0]?.parent).toBe(started?.id);
  expect(JSON.stringify(named(TRACE, /./))).not.toContain('Secretperson');

  const [delivered] = receiver.requests;
  const [sent] = named(TRACE, /^webhook/);
  expect(delivered?.headers).toMatchObject({ 'x-request-id': 'order-7', traceparent: `00-${TRACE}-${sent?.id}-01` });
  const step = worker
    .output()
    .split('\n')
    .find((line) => line.includes('"msg":"step"') && line.includes(TRACE));
  expect(JSON.parse(step ?? '{}')).toMatchObject({ process: 'invoice', id, account: product.accountId });
});

test('a trace that its caller does not record is passed on, and not recorded', async () => {
  const other = TRACE.replace('4bf9', '5cf9');
  const { id } = await invoice({ traceparent: `00-${other}-${CALLER}-00` });
  const delivery = await receiver.waitFor(({ body }) => JSON.parse(body).data.object.id === id, 'the webhook');
  expect(delivery.headers.traceparent).toMatch(new RegExp(`^00-${other}-[0-9a-f]{16}-00$`));
  expect(named(other, /./)).toEqual([]);
});

test('a process goes on with tracing off, and on again', async () => {
  const { id } = await invoice({ traceparent: `00-${TRACE}-${CALLER}-01` });
  const history = () => readableHistory(temporal, processOf(id));
  const steps = async () => (await history()).split('EVENT_TYPE_MARKER_RECORDED').length - 1;
  const lookedAgain = async (times: number) => {
    await temporal.workflow.getHandle(processOf(id)).signal('lookAgain');
    await until(async () => (await steps()) >= times, { what: `step ${times} of invoice ${id}` });
  };
  await until(async () => (await steps()) >= 1, { what: `the first step of invoice ${id}` });
  expect(await history()).toContain('_tracer-data');
  if (env.PERENNIAL_RECORD_HISTORIES) await recordHistory(temporal, processOf(id), 'invoice.traced');
  await worker.stop();
  worker = await startRole(product, 'worker');
  await lookedAgain(2);
  await worker.stop();
  worker = await startRole(product, 'worker', traced);
  await lookedAgain(3);
  expect(await history()).not.toContain('WORKFLOW_TASK_FAILED');
});
