import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readTestGatewayRecord } from '../../../adapters/gateways/test/record.ts';
import { type Connection, connect } from '../../../workers/connection.ts';
import { createEndpoint, createPayer, createPlan } from '../../support/business.ts';
import { LEADER } from '../../support/eventLog.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { expectOrder, expectSound } from '../../support/soundness.ts';

/**
 * Sessions of the database are cut while the product works. No wake-up is lost. A process whose activity waits for its next try hears no
 * signal, so its wake-up stays due until that try, at most ten seconds later (`UNTIL_SERVED`). Without that limit the wait grew to a
 * minute, and the sweep sent the wake-ups again in vain.
 */

let product: Product;
let receiver: Receiver;
let webhook: { id: number };
let owner: Connection;

beforeAll(async () => {
  product = await startProduct({
    env: { CHARGE_LOOKUP_DELAY: '1000', SWEEP_INTERVAL: '500', SWEEP_AGE: '1000', LOG_LEVEL: 'silent' },
  });
  receiver = await startReceiver();
  webhook = await createEndpoint(product, receiver.url);
  await createPlan(product, 'gold');
  owner = await connect(product.config.databaseUrl);
});

afterAll(async () => {
  await owner.close();
  await product.close();
  await receiver.stop();
});

/** Terminates the other sessions of this database that match `where`. Returns their number. */
const cut = async (where: string): Promise<number> => {
  const ended = await owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and ${where}`,
  );
  return ended.length;
};

/** Subscribes a customer. Repeats the request with one idempotency key until it succeeds. Adds the status of each answer to `statuses`. */
async function subscribe(customer: number, statuses: Set<number>): Promise<void> {
  const key = randomUUID();
  const headers = {
    authorization: `Basic ${Buffer.from(`${product.key}:`).toString('base64')}`,
    'content-type': 'application/json',
    'idempotency-key': key,
  };
  for (;;) {
    const body = JSON.stringify({ customer, plan: 'gold' });
    const answer = await fetch(`${product.url}/subscriptions`, { method: 'POST', headers, body });
    statuses.add(answer.status);
    await answer.text();
    if (answer.status < 300) return;
    await pause(20); // as a client pauses before a retry
  }
}

/** Subscribes each customer, with eight requests at a time. */
async function subscribeAll(customers: readonly number[]): Promise<Set<number>> {
  const statuses = new Set<number>();
  const waiting = [...customers];
  const client = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await subscribe(next, statuses);
  };
  await Promise.all(Array.from({ length: 8 }, client));
  return statuses;
}

/** Limit for slow machines, on which no work would finish between two cuts. */
const MOST_CUTS = 150;

/** Cuts connections every `every` milliseconds while `work` runs, and six more times after it. */
async function cutDuring<T>(where: string, every: number, work: Promise<T>): Promise<{ result: T; ended: number }> {
  let over = false;
  let ended = 0;
  const cutting = (async () => {
    for (let after = 0, cuts = 0; after < 6 && cuts < MOST_CUTS; after += over ? 1 : 0, cuts += 1) {
      ended += await cut(where);
      await pause(every);
    }
  })();
  const result = await work.finally(() => {
    over = true;
  });
  await cutting;
  return { result, ended };
}

/** Finds subscriptions without exactly one invoice that is paid by one payment. */
const wrong = `
  select s.id from subscription s left join invoice i on i.account_id = s.account_id and i.subscription_id = s.id
  left join payment_application a on a.account_id = i.account_id and a.invoice_id = i.id
  group by s.account_id, s.id having count(distinct i.id) <> 1 or count(a.id) <> 1 or not bool_and(i.paid)`;

/** Makes unpaid invoices due now: a charge that failed to start twice in a row waits for a minute. Leaves those that a worker attempts meanwhile. */
const minutePasses = () =>
  product.rows(
    `with waiting as (
       select w.account_id, w.subject_id from wakeup w
       join invoice i on i.account_id = w.account_id and i.id = w.subject_id and not i.paid
       where w.process = 'invoice' and w.rule = 'attempt' for update skip locked
     ), due as (
       update wakeup w set at = now() - interval '2 s' from waiting where w.account_id = waiting.account_id and w.process = 'invoice' and w.subject_id = waiting.subject_id and w.rule = 'attempt'
     )
     update invoice i set next_payment_attempt_at = now() - interval '2 s' from waiting
     where i.account_id = waiting.account_id and i.id = waiting.subject_id`,
  );

async function expectAllPaid(payers: number): Promise<void> {
  await expectSound(product, [webhook]);
  await minutePasses();
  await expectSound(product, [webhook]);
  const [made] = await product.rows(
    `select (select count(*)::int from subscription) as subscriptions,
            (select count(*)::int from charge where status = 'succeeded') as charges,
            (select count(*)::int from email where state = 'sent' and template = 'payment_receipt_email') as receipts,
            (select count(*)::int from email where template = 'auto_payment_failed_email') as complaints`,
  );
  expect(made).toEqual({ subscriptions: payers, charges: payers, receipts: payers, complaints: 0 });
  expect(await product.rows(wrong)).toEqual([]);
  const record = await readTestGatewayRecord(product.config.databaseUrl);
  expect(record.filter(({ captured }) => captured === 1)).toHaveLength(payers);
  const mails = product.mailbox.messages().filter(({ subject }) => subject.startsWith('Receipt'));
  expect(new Set(mails.map(({ headers }) => headers['message-id'])).size).toBe(payers);
  expectOrder(receiver.requests);
}

const newPayers = (names: string, count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => createPayer(product, `${names}${index}`)));

test('work survives cutting every session of the database again and again', async () => {
  const payers = await newPayers('payer', 20);
  const { result: statuses, ended } = await cutDuring('true', 120, subscribeAll(payers));
  expect(ended).toBeGreaterThan(20);
  expect([...statuses].filter((status) => status !== 201 && status !== 503)).toEqual([]);
  await expectAllPaid(20);
});

test("another relay leads each time the leader's connection is cut", async () => {
  const payers = await newPayers('led', 10);
  const leader = `pid in (${LEADER})`;
  const { result: statuses, ended } = await cutDuring(leader, 250, subscribeAll(payers));
  expect(ended).toBeGreaterThan(1);
  expect([...statuses]).toEqual([201]);
  await expectAllPaid(30);
});
