import { createServer, connect as open, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { headersOf } from '../insideApi.ts';
import { type Figure, fixed } from '../report.ts';
import { send } from '../send.ts';
import type { Stage } from '../stage.ts';

/** Milliseconds from a statement to its answer that a network between API and PostgreSQL would add. */
const ROUND_TRIP = 20;
/** Requests of each kind: the first ones open connections and plan statements. */
const WARM_UP = 8;
const MEASURED = 7;
const AMOUNT = 30;

/** The requests, and how many round trips to PostgreSQL each may wait for. */
const AIMS = { list: 3, invoice: 8, charge: 18 };
type Kind = keyof typeof AIMS;
type Measured = Record<Kind, { milliseconds: number; trips: number }>;

const WHAT = {
  list: 'GET a list of 100 invoices',
  invoice: 'POST /invoices, 3 lines',
  charge: 'POST /charges of an invoice',
};

/** Requests whose API reaches PostgreSQL through a proxy, which delays all and counts how often a statement follows an answer. */
export async function measureTrips(stage: Stage): Promise<Figure[]> {
  const direct = await measured(stage, () => 0);
  const url = new URL(stage.config.databaseUrl);
  const proxy = await delayingProxy(Number(url.port), ROUND_TRIP / 2);
  url.port = String(proxy.port);
  try {
    await stage.restart('api', { DATABASE_URL: url.href });
    return figures(direct, await measured(stage, proxy.trips));
  } finally {
    await stage.restart('api');
    proxy.close();
  }
}

function figures(direct: Measured, delayed: Measured): Figure[] {
  const kinds: Kind[] = ['list', 'invoice', 'charge'];
  return kinds.map((kind) => {
    const { trips, milliseconds } = delayed[kind];
    return {
      what: `${WHAT[kind]}, PostgreSQL ${ROUND_TRIP} ms away, one client`,
      figure: `${trips} round trips; ${fixed(milliseconds)} ms, without the delay ${fixed(direct[kind].milliseconds)} ms`,
      reference: '',
      ratio: '',
      aim: `at most ${AIMS[kind]}`,
      met: trips <= AIMS[kind] * 1.1,
    };
  });
}

/** Medians of each kind of request, by one client. `trips`: the round trips until now. */
async function measured(stage: Stage, trips: () => number): Promise<Measured> {
  const { id: customer } = await send(stage, 'POST /customers', { name: 'Far away' });
  const items = [1, 2, 3].map((n) => ({ name: `Line ${n}`, quantity: 1, unit_cost: AMOUNT / 3 }));
  const invoices: number[] = [];
  const list = await medians(async () => {
    const answer = await fetch(`${stage.origin}/sandbox/api/invoices?per_page=100`, { headers: headersOf(stage) });
    await answer.text();
  }, trips);
  const invoice = await medians(async () => {
    invoices.push((await send(stage, 'POST /invoices', { customer, items })).id);
  }, trips);
  const charge = await medians(async () => {
    const applied_to = [{ type: 'invoice', invoice: invoices.pop(), amount: AMOUNT }];
    const token = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };
    await send(stage, 'POST /charges', { customer, amount: AMOUNT, ...token, applied_to });
  }, trips);
  return { list, invoice, charge };
}

async function medians(request: () => Promise<void>, trips: () => number) {
  for (let n = 0; n < WARM_UP; n++) await request();
  const times: number[] = [];
  const counts: number[] = [];
  for (let n = 0; n < MEASURED; n++) {
    const before = trips();
    const startedAt = performance.now();
    await request();
    times.push(performance.now() - startedAt);
    counts.push(trips() - before);
    await sleep(3 * ROUND_TRIP); // what goes on after an answer is no part of the next request
  }
  return { milliseconds: middle(times), trips: middle(counts) };
}

const middle = (all: number[]): number => all.toSorted((one, other) => one - other)[Math.floor(MEASURED / 2)] ?? 0;

/**
 * A server that passes bytes on to a port, in both directions `milliseconds` after they came. `trips`: how often bytes went there after an
 * answer, without those of the test gateway, which keeps its charges in the same server.
 */
async function delayingProxy(port: number, milliseconds: number) {
  const sockets = new Set<Socket>();
  let trips = 0;
  const pass = (from: Socket, to: Socket, on: () => void) => {
    sockets.add(from);
    from.setNoDelay(true);
    from.on('data', (bytes) => {
      on();
      setTimeout(() => to.writable && to.write(bytes), milliseconds);
    });
    from.on('close', () => setTimeout(() => to.destroy(), milliseconds));
    from.on('error', () => to.destroy());
  };
  const server = createServer((near) => {
    const far = open(port, '127.0.0.1');
    let isAnswered = true;
    let counts = true;
    near.once('data', (bytes) => {
      counts = !bytes.includes('test_gateway'); // the first message has the name of the application
    });
    pass(near, far, () => {
      if (isAnswered && counts) trips += 1;
      isAnswered = false;
    });
    pass(far, near, () => {
      isAnswered = true;
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port: typeof address === 'object' && address ? address.port : 0, trips: () => trips, close };
}
