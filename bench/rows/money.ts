import { randomUUID } from 'node:crypto';
import { testEventSecret } from '../../adapters/databaseLogins.ts';
import { signed } from '../../adapters/gateways/test/events.ts';
import type { Sql } from '../../db/queries/kernel/sql.ts';
import { numberOf } from '../database.ts';
import { headersOf } from '../insideApi.ts';
import { type Load, type LoadOptions, load, loadWithCpu, paced } from '../load.ts';
import { cpuMilliseconds } from '../processes.ts';
import type { Replay } from '../reference/replay.ts';
import { captured, raiseSequences, withReplay } from '../replaying.ts';
import { addCustomers, type Range, sandboxAccount } from '../sampleData.ts';
import type { Stage } from '../stage.ts';
import { until, untilQuiet } from '../wait.ts';
import { rowsRemoved } from './removing.ts';
import { SLOW_CHARGE, withSlowGateway } from './slowGateway.ts';

const CLIENTS = 16;
const SECONDS = 6;
const CUSTOMERS = 1000;
const WAITING_CLIENTS = 64;
/** Replayed refunds need charges without refunds, of which there are as many as were replayed. */
const REFUND_SECONDS = 3;
const EVENT_CLIENTS = 4;

/** A load of the whole product, of an API without a worker, and of a bare server that sends the same statements. */
export interface Compared {
  product: { load: Load; cpu: number };
  alone: { load: Load; cpu: number };
  raw: { load: Load; cpu: number };
  statements: number;
}

export interface MoneyMeasured {
  clients: number;
  charges: Compared;
  refunds: Compared;
  /** Charges by a gateway whose requests for one charge take `gateway` milliseconds together; `requests`: their number, measured. */
  slow: { clients: number; load: Load; cpu: number; gateway: number; requests: number };
  /**
   * Events of a gateway. `load`: at saturation; `processed`: events per second, until each was looked at; `paced`: answers at half of that rate.
   */
  events: { clients: number; load: Load; cpu: number; processed: number; paced: Load };
}

type Requests = LoadOptions['request'];
type Answered = { load: Load; cpu: number };

/** Charges and refunds beside the same statements sent through raw `pg`; charges by a slow gateway; events of a gateway. */
export async function measureMoney(stage: Stage, sql: Sql): Promise<MoneyMeasured> {
  await raiseSequences(sql);
  // Each email would have another random token, which a replay cannot make.
  await sql.query(`update account set settings = settings || '{"email_open_tracking": false}'`);
  const customers = await addCustomers(sql, { count: CUSTOMERS, autopay: false });
  const charging = chargesOf(customers);
  const charged = await measureProduct(stage, charging, await capturedOf(stage, sql, charging));
  const refunding = await refundsOf(sql);
  const refunded = await measureProduct(stage, refunding, await capturedOf(stage, sql, refunding));
  const raw = await measureRaw(stage, sql, [
    { operation: charging, replay: charged.replay },
    { operation: refunding, replay: refunded.replay },
  ]);
  const events = await measureEvents(stage, sql);
  const slow = await measureSlow(stage, customers);
  const charges = { ...charged, raw: raw.charges, statements: charged.replay.statements.length };
  const refunds = { ...refunded, raw: raw.refunds, statements: refunded.replay.statements.length };
  return { clients: CLIENTS, charges, refunds, slow, events };
}

interface Operation {
  /** The request about an object. */
  of(subject: number): { path: string; body: string };
  /** Ids of the objects that the requests are about. */
  subjects: number[];
}

function chargesOf({ first, count }: Range): Operation {
  return {
    subjects: Array.from({ length: count }, (_, n) => first + n),
    of: (customer) => ({ path: '/charges', body: chargeBody(customer, 'tok_4242424242424242') }),
  };
}

function chargeBody(customer: number, token: string): string {
  return JSON.stringify({ customer, method: 'credit_card', gateway_token: token, amount: 1000, applied_to: [] });
}

/** Refunds of a thousandth of a charge, each of another one. */
async function refundsOf(sql: Sql): Promise<Operation> {
  const path = (charge: number) => `/charges/${charge}/refunds`;
  const of = (charge: number) => ({ path: path(charge), body: '{"amount":1}' });
  return { subjects: await chargesAfter(sql, 0), of };
}

/** Ids of the charges that succeeded, with larger ids than this one. */
async function chargesAfter(sql: Sql, last: number): Promise<number[]> {
  const text = `select id from charge where status = 'succeeded' and id > $1 order by id`;
  return (await sql.query<{ id: number }>(text, [last])).map(({ id }) => id);
}

/** The statements of the first operation of an object. */
async function capturedOf(stage: Stage, sql: Sql, { of, subjects }: Operation): Promise<Replay> {
  const [before = 0, subject = 0] = subjects;
  const requests = [before, subject].map((id) => ({ method: 'POST' as const, ...of(id) }));
  return captured(stage, { requests, subject, account: await sandboxAccount(sql) });
}

type Product = Omit<Compared, 'raw' | 'statements'> & { replay: Replay };

async function measureProduct(stage: Stage, operation: Operation, replay: Replay): Promise<Product> {
  const headers = headersOf(stage);
  const request: Requests = (n) => {
    const { path, body } = operation.of(nth(operation.subjects, n));
    return { method: 'POST', path: `/sandbox/api${path}`, headers, body };
  };
  const everything = [stage.postgres.pid, stage.temporal.pid, stage.api.pid, stage.worker.pid];
  const product = await answered({ origin: stage.origin, request, seconds: SECONDS }, everything);
  await untilQuiet(everything, 60);
  await stage.worker.stop();
  try {
    const asked = { origin: stage.origin, request, seconds: SECONDS };
    return { replay, product, alone: await answered(asked, [stage.postgres.pid, stage.api.pid]) };
  } finally {
    await stage.restart('worker');
  }
}

const nth = (subjects: readonly number[], n: number) => subjects[n % subjects.length] ?? 0;

interface Replayed {
  operation: Operation;
  replay: Replay;
}

/** Sends the statements of charges, and then those of the first refund of each of these charges. */
async function measureRaw(stage: Stage, sql: Sql, [charging, refunding]: readonly [Replayed, Replayed]) {
  const everything = [stage.postgres.pid, stage.temporal.pid, stage.api.pid, stage.worker.pid];
  await untilQuiet(everything, 60);
  await stage.worker.stop();
  const sent = ({ operation, replay }: Replayed, of: { subjects: readonly number[]; seconds: number }) =>
    withReplay(stage, replay, ({ origin, pid }) => {
      const request: Requests = (n) => {
        const subject = nth(of.subjects, n);
        const { body } = operation.of(subject);
        return { method: 'POST', path: `/${subject}`, headers: headersOf(stage), body };
      };
      return answered({ origin, request, seconds: of.seconds }, [stage.postgres.pid, pid]);
    });
  try {
    const last = await numberOf(sql, 'select max(id) from charge');
    return await rowsRemoved(sql, async () => ({
      charges: await sent(charging, { subjects: charging.operation.subjects, seconds: SECONDS }),
      refunds: await sent(refunding, { subjects: await chargesAfter(sql, last), seconds: REFUND_SECONDS }),
    }));
  } finally {
    await stage.restart('worker');
  }
}

async function answered(
  asked: Pick<LoadOptions, 'origin' | 'request' | 'seconds'>,
  pids: readonly number[],
): Promise<Answered> {
  const { load, cpuEach } = await loadWithCpu({ ...asked, clients: CLIENTS, warmUpSeconds: 1 }, pids);
  return { load, cpu: cpuEach };
}
/** Charges through a server that stands for Stripe and takes long. */
function measureSlow(stage: Stage, { first, count }: Range): Promise<MoneyMeasured['slow']> {
  return withSlowGateway(stage, async (stripe) => {
    const headers = headersOf(stage);
    const request: Requests = (n) => {
      const body = chargeBody(first + (n % count), 'pm_card_visa');
      return { method: 'POST', path: '/sandbox/api/charges', headers, body };
    };
    const options = { origin: stage.origin, clients: WAITING_CLIENTS, warmUpSeconds: 4, seconds: SECONDS, request };
    const before = stripe.asked.length;
    const { load, cpuEach } = await loadWithCpu(options, [stage.postgres.pid, stage.api.pid]);
    const asked = stripe.asked.slice(before);
    const charged = asked.filter(({ path }) => path.endsWith('/confirm')).length;
    return { clients: WAITING_CLIENTS, load, cpu: cpuEach, gateway: SLOW_CHARGE, requests: asked.length / charged };
  });
}

/** Sends signed events about charges that succeeded, each once, and waits until all were looked at. */
async function measureEvents(stage: Stage, sql: Sql): Promise<MoneyMeasured['events']> {
  const account = await sandboxAccount(sql);
  const charges = await sql.query<{ reference: string }>(
    `select gateway_id as reference from charge where gateway = 'test' and status = 'succeeded'`,
  );
  const secret = testEventSecret(stage.config.encryptionKey, account);
  const path = `/gateway_events/test_${account}`;
  const request: Requests = (n) => {
    const data = { reference: charges[n % charges.length]?.reference };
    const body = JSON.stringify({ id: `evt_${randomUUID().replaceAll('-', '')}`, type: 'operation.ended', data });
    return { method: 'POST', path, headers: { 'content-type': 'application/json', ...signed(body, secret) }, body };
  };
  const pids = [stage.postgres.pid, stage.temporal.pid, stage.api.pid, stage.worker.pid];
  const started = performance.now();
  const cpu = cpuMilliseconds(pids);
  const { origin } = stage;
  const found = await load({ origin, clients: EVENT_CLIENTS, warmUpSeconds: 1, seconds: SECONDS, request });
  const left = () => numberOf(sql, `select count(*) from gateway_event where state = 'received'`);
  await until(async () => (await left()) === 0, { what: 'all events are looked at', withinSeconds: 300 });
  const count = await numberOf(sql, 'select count(*) from gateway_event');
  const processed = count / ((performance.now() - started) / 1000);
  const cpuEach = (cpuMilliseconds(pids) - cpu) / count;
  const answers = await paced({ origin, request }, { perSecond: Math.round(processed / 2), seconds: SECONDS });
  return { clients: EVENT_CLIENTS, load: found, cpu: cpuEach, processed, paced: answers };
}
