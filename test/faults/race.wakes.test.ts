import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createWaker } from '../../bin/deps.ts';
import type { ProcessName } from '../../workflows/client.ts';
import { type Product, startProduct } from '../support/product.ts';
import { killRoles, startRole } from '../support/roles.ts';
import { dueAgain } from './money/past.ts';
import { newPayer } from './money/payers.ts';
import { allCaptures, expectSettled } from './money/settled.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct({ endpoint: true });
  await startRole(product, 'worker');
  await product.call('POST', '/plans', { id: 'weekly', name: 'Weekly', amount: 10, interval: 'week' });
  await writeWakesTenfold();
}, 60_000);
afterAll(async () => {
  await killRoles();
  await product.close();
});

const SUBSCRIPTIONS = 3;

test('two workers, and everything said ten times: each period is billed, charged and receipted once', async () => {
  for (let count = 0; count < SUBSCRIPTIONS; count++) await subscribe();
  await untilPaid(SUBSCRIPTIONS);
  const subscriptions = await product.rows<{ id: number }>('select id from subscription order by id');
  await Promise.all(subscriptions.map(({ id }) => dueAgain(product, id, { weeks: 1 })));
  await untilPaid(2 * SUBSCRIPTIONS);
  await wakeAllTenTimes();
  await subscribe(); // when this one has been served, so have the wakes before it
  await untilPaid(2 * SUBSCRIPTIONS + 1);
  await expectSettled(product);

  const billed = await product.rows(
    'select array_agg(period order by id) as periods from invoice group by subscription_id',
  );
  expect(billed).toEqual([...subscriptions.map(() => ({ periods: [0, 1] })), { periods: [0] }]);
  const bills = 2 * SUBSCRIPTIONS + 1;
  expect(await allCaptures(product)).toBe(bills);
  const [attempts] = await product.rows(`select count(*)::int as made from attempt where kind = 'charge'`);
  expect(attempts).toEqual({ made: bills });
  const receipts = product.mailbox.messages().filter(({ subject }) => subject.startsWith('Receipt'));
  expect(new Set(receipts.map(({ subject }) => subject)).size).toBe(bills);
  expect(receipts).toHaveLength(bills);
}, 60_000);

async function subscribe(): Promise<void> {
  const customer = await newPayer(product, { autopay: true });
  await product.call('POST', '/subscriptions', { customer, plan: 'weekly' });
}

async function untilPaid(invoices: number): Promise<void> {
  await product.row('select count(*)::int as paid from invoice where paid', ({ paid }) => paid === invoices);
}

/** From now on every row that asks for a process to be woken is written ten times. */
async function writeWakesTenfold(): Promise<void> {
  const owner = new pg.Client({ connectionString: product.config.databaseUrl });
  await owner.connect();
  await owner.query(`
    create function tenfold() returns trigger language plpgsql as $$ begin
      insert into outbox (account_id, topic, subject_id, shard, due_at, start_at, clock_id)
      select new.account_id, new.topic, new.subject_id, new.shard, new.due_at, new.start_at, new.clock_id from generate_series(2, 10);
      return null;
    end $$;
    create trigger tenfold after insert on outbox for each row
    when (pg_trigger_depth() = 0 and new.topic <> 'event') execute function tenfold();
  `);
  await owner.end();
}

/** Signals every process there has been, the ended ones too. */
async function wakeAllTenTimes(): Promise<void> {
  const processes = await product.rows<{ process: ProcessName; id: number }>(
    `select 'subscription' as process, id from subscription union all select 'invoice', id from invoice
     union all select 'charge', id from attempt union all select 'mail', ${product.accountId}`,
  );
  const waker = createWaker(product.deps);
  const { accountId } = product;
  for (let time = 0; time < 10; time++) {
    await Promise.all(
      processes.map(({ process, id }) => {
        const shard = process === 'mail' ? { shard: 0 } : {};
        return waker.wake({ process, environment: 'sandbox', accountId, id, startAt: null, ...shard });
      }),
    );
  }
  await waker.close();
}
