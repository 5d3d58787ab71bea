import { setTimeout as pause } from 'node:timers/promises';
import { PROBE, type Sample } from './samples.ts';
import { basic, createSender, type Sender } from './sender.ts';
import { messageOf, type RequestResult } from './tally.ts';

export interface VictimOptions {
  origin: string;
  sandboxKey: string;
  liveKey: string;
  /** Origin of its webhook endpoint. */
  receivers: string;
}

/** A business at its usual work. It starts journeys at a fixed rate and does not wait for the previous one. */
export interface Victim {
  samples: readonly Sample[];
  /** Failed requests and missing arrivals, one line each. */
  failures: readonly string[];
  /** Reports that a mail or a webhook has arrived. `at` is in epoch milliseconds. */
  arrived(what: { mail?: string | undefined; webhook?: string | undefined; at: number }): void;
  stop(): Promise<void>;
}

const JOURNEY_MILLISECONDS = 1500;
const PROBE_MILLISECONDS = 250;
/** A mail or webhook that has not arrived after this time is a failure, and a sample of this duration. */
const LONGEST_WAIT_MILLISECONDS = 120_000;
/** The victim sends from 127.0.0.200. */
const FROM = 200;
const CARD = 'tok_4242424242424242';

interface State extends VictimOptions {
  sender: Sender;
  samples: Sample[];
  failures: string[];
  /** Pending arrivals, by mail address or by the object of the webhook. */
  waiting: Map<string, { kind: string; since: number; resolve: () => void }>;
  customers: { sandbox: number; charged: number; live: number };
}

const now = () => performance.timeOrigin + performance.now();

/** Creates the customers of the business and starts its work. */
export async function startVictim(options: VictimOptions): Promise<Victim> {
  const sender = createSender(64);
  const customers = { sandbox: 0, charged: 0, live: 0 };
  const state: State = { ...options, sender, samples: [], failures: [], waiting: new Map(), customers };
  await setUp(state);
  const stopping = new AbortController();
  const journeys: Promise<unknown>[] = [];
  const running = run(state, { journeys, signal: stopping.signal });
  const probing = probe(state, stopping.signal);
  return {
    samples: state.samples,
    failures: state.failures,
    arrived: ({ mail, webhook, at }) => {
      if (mail) arrive(state, mail, at);
      if (webhook) arrive(state, nameOfWebhook(webhook), at);
    },
    async stop() {
      stopping.abort();
      await Promise.all([running, probing, ...journeys]);
      await sender.close();
    },
  };
}

async function setUp(state: State): Promise<void> {
  const make = async (path: string, body: object) => {
    const answer = await request(state, { method: 'POST', path: `/sandbox/api${path}`, body });
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.json.id;
  };
  const { customers } = state;
  customers.sandbox = await make('/customers', { name: 'Ann', email: 'ann@victim.example' });
  customers.charged = await make('/customers', { name: 'Bob', autopay: true });
  const source = { method: 'credit_card', gateway_token: CARD, make_default: true };
  await make(`/customers/${customers.charged}/payment_sources`, source);
  await make('/webhooks', { url: `${state.receivers}/victim`, events: ['invoice.created'] });
  const live = await request(state, { method: 'POST', path: '/api/customers', body: { name: 'Cem' } });
  customers.live = live.json.id;
}

async function run(state: State, { journeys, signal }: { journeys: Promise<unknown>[]; signal: AbortSignal }) {
  for (let n = 0; !signal.aborted; n++) {
    const journey =
      n % 3 === 2 ? liveJourney(state, n) : n % 3 === 1 ? autopayJourney(state) : sandboxJourney(state, n);
    journeys.push(journey.catch((error: unknown) => state.failures.push(String(error))));
    await pause(JOURNEY_MILLISECONDS, null, { signal }).catch(() => null);
  }
}

/** Requests /health at a fixed rate. */
async function probe(state: State, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    void measureRequest(state, PROBE, { method: 'GET', path: '/health' });
    await pause(PROBE_MILLISECONDS, null, { signal }).catch(() => null);
  }
}

const items = ['Design', 'Build', 'Run'].map((name) => ({ name, quantity: 2, unit_cost: 50 }));

/** Issues, reads, prints, mails and charges an invoice in the sandbox. */
async function sandboxJourney(state: State, n: number): Promise<void> {
  const base = '/sandbox/api';
  const since = now();
  const invoice = await requestJson(state, 'issue', {
    method: 'POST',
    path: `${base}/invoices`,
    body: { customer: state.customers.sandbox, items },
  });
  const told = waitFor(state, { kind: 'webhook arrives', name: `invoice ${invoice.id}`, since });
  await requestJson(state, 'read', { method: 'GET', path: `${base}/invoices/${invoice.id}` });
  await requestJson(state, 'page', { method: 'GET', path: new URL(invoice.url).pathname, open: true });
  await requestJson(state, 'pdf', { method: 'GET', path: new URL(invoice.pdf_url).pathname, open: true });
  const mailed = mail(state, {
    base,
    path: `/invoices/${invoice.id}/emails`,
    to: `s${n}@victim.example`,
    kind: 'mail',
  });
  const charge = {
    customer: state.customers.sandbox,
    method: 'credit_card',
    amount: invoice.balance,
    gateway_token: CARD,
  };
  const applied_to = [{ type: 'invoice', invoice: invoice.id, amount: invoice.balance }];
  const paid = await requestJson(state, 'charge', {
    method: 'POST',
    path: `${base}/charges`,
    body: { ...charge, applied_to },
  });
  if (paid.charge?.status !== 'succeeded')
    throw new Error(`the charge of invoice ${invoice.id}: ${paid.charge?.status}`);
  await requestJson(state, 'list', { method: 'GET', path: `${base}/invoices?per_page=20&sort=date desc` });
  await Promise.all([told, mailed]);
}

/** Issues an invoice in the sandbox and waits until AutoPay has charged it. */
async function autopayJourney(state: State): Promise<void> {
  const since = now();
  const body = { customer: state.customers.charged, items };
  const invoice = await requestJson(state, 'issue', { method: 'POST', path: '/sandbox/api/invoices', body });
  for (;;) {
    const { json } = await request(state, { method: 'GET', path: `/sandbox/api/invoices/${invoice.id}` });
    const isLate = now() - since > LONGEST_WAIT_MILLISECONDS;
    if (isLate) state.failures.push(`invoice ${invoice.id} was not charged in time`);
    if (json?.paid || isLate) break;
    await pause(50);
  }
  state.samples.push({ kind: 'AutoPay charge', beganAt: since, milliseconds: now() - since });
}

/** Issues, prints and mails an invoice in the live account, and records a payment. */
async function liveJourney(state: State, n: number): Promise<void> {
  const base = '/api';
  const customer = state.customers.live;
  const invoice = await requestJson(state, 'live issue', {
    method: 'POST',
    path: `${base}/invoices`,
    body: { customer, items },
  });
  await requestJson(state, 'live pdf', { method: 'GET', path: new URL(invoice.pdf_url).pathname, open: true });
  const mailed = mail(state, {
    base,
    path: `/invoices/${invoice.id}/emails`,
    to: `l${n}@victim.example`,
    kind: 'live mail',
  });
  const applied_to = [{ type: 'invoice', invoice: invoice.id, amount: invoice.balance }];
  const body = { customer, amount: invoice.balance, applied_to };
  await requestJson(state, 'live payment', { method: 'POST', path: `${base}/payments`, body });
  await mailed;
}

async function mail(state: State, { base, path, to, kind }: { base: string; path: string; to: string; kind: string }) {
  const arrives = waitFor(state, { kind: `${kind} arrives`, name: to, since: now() });
  await requestJson(state, `${kind} queued`, {
    method: 'POST',
    path: `${base}${path}`,
    body: { to: [{ name: 'Ann', email: to }] },
  });
  await arrives;
}

interface Asked {
  method: string;
  path: string;
  body?: unknown;
  /** Sent without a key. */
  open?: boolean;
}

function request(
  { origin, sandboxKey, liveKey, sender }: State,
  { method, path, body, open }: Asked,
): Promise<RequestResult> {
  const key = path.startsWith('/sandbox/') ? sandboxKey : liveKey;
  const headers = { ...(open ? {} : basic(key)), ...(body ? { 'content-type': 'application/json' } : {}) };
  return sender.send({
    method,
    url: `${origin}${path}`,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
    from: FROM,
  });
}

async function measureRequest(state: State, kind: string, asked: Asked): Promise<RequestResult> {
  const beganAt = now();
  const answer = await request(state, asked);
  state.samples.push({ kind, beganAt, milliseconds: answer.milliseconds });
  const isFine = typeof answer.status === 'number' && answer.status < 300;
  if (!isFine) state.failures.push(`${kind}: ${asked.method} ${asked.path}: ${answer.status} ${messageOf(answer)}`);
  return answer;
}

async function requestJson(state: State, kind: string, asked: Asked) {
  const answer = await measureRequest(state, kind, asked);
  if (typeof answer.status !== 'number' || answer.status >= 300) throw new Error(`${kind} failed`);
  return answer.json;
}

/** Resolves when the mail or webhook with this name has arrived, or after LONGEST_WAIT_MILLISECONDS. */
function waitFor(state: State, { kind, name, since }: { kind: string; name: string; since: number }): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      state.failures.push(`${kind}: ${name} did not arrive in ${LONGEST_WAIT_MILLISECONDS / 1000} s`);
      arrive(state, name, now());
    }, LONGEST_WAIT_MILLISECONDS);
    state.waiting.set(name, { kind, since, resolve: () => [clearTimeout(timer), resolve()] });
  });
}

function arrive(state: State, name: string, at: number): void {
  const waited = state.waiting.get(name);
  if (!waited) return;
  state.waiting.delete(name);
  state.samples.push({ kind: waited.kind, beganAt: waited.since, milliseconds: at - waited.since });
  waited.resolve();
}

function nameOfWebhook(body: string): string {
  const event: { data?: { object?: { id?: number } } } = JSON.parse(body);
  return `invoice ${event.data?.object?.id}`;
}
