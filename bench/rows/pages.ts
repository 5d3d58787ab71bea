import type { Sql } from '../../db/queries/kernel/sql.ts';
import { formOn, sendForm, visitPage } from '../../test/support/payPage.ts';
import { type Load, percentiles } from '../load.ts';
import { cpuMilliseconds } from '../processes.ts';
import { addCustomers } from '../sampleData.ts';
import { send } from '../send.ts';
import type { Stage } from '../stage.ts';
import { untilQuiet } from '../wait.ts';
import { SLOW_CHARGE, withSlowGateway } from './slowGateway.ts';

const CLIENTS = 16;
const WAITING_CLIENTS = 64;
/** Each form is one payment, so they are all opened before the first one is sent. */
const FORMS = 200;

interface Paid {
  clients: number;
  load: Load;
  cpu: number;
}

export interface PagesMeasured {
  quick: Paid;
  /** By a gateway whose requests for one charge take `gateway` milliseconds together. */
  slow: Paid & { gateway: number };
}

/** Payments by the form of the pay page: by the test gateway, and by a slow one. */
export async function measurePages(stage: Stage, sql: Sql): Promise<PagesMeasured> {
  const quick = await measured(stage, sql, { clients: CLIENTS, token: 'tok_4242424242424242' });
  const slow = await withSlowGateway(stage, () =>
    measured(stage, sql, { clients: WAITING_CLIENTS, token: 'pm_card_visa' }),
  );
  return { quick, slow: { ...slow, gateway: SLOW_CHARGE } };
}

interface Form {
  path: string;
  fields: Record<string, string>;
}

const site = ({ origin }: Stage) => ({ origin, deps: { publicUrl: origin } });

/** Sends all forms, each client one after another. Throws unless each of them is a payment. */
async function measured(stage: Stage, sql: Sql, how: { clients: number; token: string }): Promise<Paid> {
  const { clients, token } = how;
  const { first } = await addCustomers(sql, { count: FORMS, autopay: false });
  const forms: Form[] = [];
  await byClients(CLIENTS, FORMS, async (n) => void forms.push(await formOf(stage, first + n, token)));
  const pids = [stage.postgres.pid, stage.temporal.pid, stage.api.pid, stage.worker.pid];
  await untilQuiet(pids, 60);
  const latencies: number[] = [];
  const [cpu, begun] = [cpuMilliseconds(pids), performance.now()];
  await byClients(clients, FORMS, async (n) => {
    const sentAt = performance.now();
    await pay(stage, forms[n]);
    latencies.push(performance.now() - sentAt);
  });
  const seconds = (performance.now() - begun) / 1000;
  const cpuEach = (cpuMilliseconds(pids) - cpu) / FORMS;
  const load = { perSecond: FORMS / seconds, ...percentiles(latencies), requests: FORMS };
  return { clients, load, cpu: cpuEach };
}

async function byClients(clients: number, count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const run = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: clients }, run));
}

async function formOf(stage: Stage, customer: number, gateway_token: string): Promise<Form> {
  const items = [{ name: 'Support', quantity: 1, unit_cost: 100 }];
  const { payment_url } = await send(stage, 'POST /invoices', { customer, items });
  const path = new URL(payment_url).pathname;
  const fields = formOn(await visitPage(site(stage), path));
  const { id } = await send(stage, 'POST /service_tokens', { method: 'credit_card', gateway_token });
  return { path, fields: { ...fields, service_token: id } };
}

async function pay(stage: Stage, form: Form | undefined): Promise<void> {
  if (!form) throw new Error('every form is opened before the first one is sent');
  const { status, html } = await sendForm(site(stage), form.path, form.fields);
  if (status !== 303) throw new Error(`POST ${form.path}: ${status} ${html.slice(0, 300)}`);
}
