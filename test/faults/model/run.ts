import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { findDriftsSince } from '../../../bin/audit.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { until } from '../../support/wait.ts';
import { newPayer } from '../money/payers.ts';
import { expectRecovered } from '../money/recovery.ts';
import { newActor } from './actor.ts';
import { act } from './operations.ts';
import { newShop, type Shop } from './shop.ts';

const CUSTOMERS = 12;
/** Frequent requests: some of each succeed in each run. */
const MONEY = [
  'POST /payments',
  'PATCH /payments/:id',
  'POST /charges',
  'POST /charges/:id/refunds',
  'POST /customers/:id/payment_sources',
];
const EVENTS_MILLISECONDS = 200;
const AUDIT_BOUND = 60_000;

/** Starts a product whose gateway loses nothing yet, with customers of whom half are on AutoPay. */
export async function openShop(): Promise<Shop> {
  const env = { CHARGE_LOOKUP_DELAY: '1000', GATEWAY_DEADLINE: '4000' };
  const product = await startProduct({ endpoint: true, env });
  const customers: number[] = [];
  for (let n = 0; n < CUSTOMERS; n++) customers.push(await newPayer(product, { autopay: n % 2 === 0 }));
  return newShop(product, customers);
}

export interface Work {
  seed: number;
  operations: number;
  clients: number;
}

/**
 * Lets clients do random operations at once, while the gateway loses 5 % of its answers, and repeats and reorders its events. Then expects
 * that the books are right, that they agree with the gateway and with what the clients were told, and that all events are delivered.
 */
export async function work(shop: Shop, { seed, operations, clients }: Work): Promise<void> {
  const { product } = shop;
  const gateway = product.deps.testGateway;
  gateway.misbehave({ seed, lostAnswers: 0.05, repeatedEvents: 0.2, lateEvents: 0.3 });
  const sender = startSender(product);
  try {
    const failures: unknown[] = [];
    let left = operations;
    const client = async (_: unknown, n: number) => {
      const actor = newActor(shop, seed * 1000 + n, `${seed} ${n}`);
      while (left-- > 0 && failures.length === 0) await act(actor).catch((error: unknown) => failures.push(error));
    };
    await Promise.all(Array.from({ length: clients }, client));
    expect(failures).toEqual([]);
    await untilTold(product);
    await expectRecovered(product);
    await expectCleanSince(product);
  } finally {
    await sender.stop();
    gateway.misbehave(null);
  }
  await expectAsTold(shop);
}

/** Expects clean books from audits of the customers that changed in the last seconds, from some of them to all. */
async function expectCleanSince({ config, deps }: Product): Promise<void> {
  for (const seconds of [1, 2, 4, 8, 16]) {
    const since = new Date(deps.systemNow().getTime() - seconds * 1000);
    expect(await findDriftsSince(config.databaseUrl, since, AUDIT_BOUND)).toEqual({ drifts: [], unchecked: [] });
  }
}

/** Sends the events of the gateway as they become due. An event waits for its next delivery for less than four seconds. */
function startSender({ deps, url, rows }: Product): { stop(): Promise<void> } {
  let isOver = false;
  const run = async () => {
    while (!isOver) {
      await rows(
        `update test_gateway.event set due_at = now() where tries > 0 and delivered_at is null and due_at > now() + interval '4 s'`,
      );
      await deps.testGateway.sendEvents(new URL(url).origin);
      await pause(EVENTS_MILLISECONDS);
    }
  };
  const running = run();
  return {
    stop: async () => {
      isOver = true;
      await running;
    },
  };
}

const untold = `
  select (select count(*)::int from test_gateway.event where delivered_at is null) as unsent,
    (select count(*)::int from test_gateway.operation where status = 'pending' and settles_at <= now()) as unended,
    (select count(*)::int from test_gateway.dispute where status = 'open' and evidence_due_at <= now()) as undecided,
    (select count(*)::int from gateway_event where state in ('received', 'unmatched')) as unprocessed`;

/** Waits until the gateway has told everything, and we have looked at it. */
async function untilTold(product: Product): Promise<void> {
  const left = async () => {
    const [counts = {}] = await product.rows<Record<string, number>>(untold);
    if (Object.values(counts).some((count) => count > 0)) throw new Error(JSON.stringify(counts));
    return true;
  };
  await until(left, { what: 'the gateway to have told everything' });
}

/** Expects that the database has what clients were told, and nothing else. */
async function expectAsTold({ product, payments, charges, refunds, succeeded }: Shop): Promise<void> {
  expect(MONEY.filter((request) => !succeeded.has(request))).toEqual([]);
  // A payment of credit alone is voided with amount 0 when all of its credit is taken back. No client asks for that.
  const stored = await product.rows<{ id: number; amount: number | null }>(
    `select id, case when voided and amount > 0 then null else (amount - credit)::float8 end as amount from payment
     where charge_id is null and method <> 'other' order by id`, // other: credit that paid an invoice as it was issued
  );
  const told = [...payments].map(([id, amount]) => ({ id, amount })).toSorted((one, other) => one.id - other.id);
  expect(stored).toEqual(told);
  const made = (sql: string, ids: ReadonlySet<number>) => product.rows(`${sql} and id = any(?)`, [`{${[...ids]}}`]);
  expect(await made(`select id from charge where status <> 'succeeded' and returned_at is null`, charges)).toEqual([]);
  expect(await made(`select id from refund where status <> 'succeeded'`, refunds)).toEqual([]);
}
