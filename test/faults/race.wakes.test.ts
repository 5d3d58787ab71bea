import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createEndpoint } from '../support/business.ts';
import { clockAt, subscriberOn, untilAdvanced } from '../support/clock.ts';
import { type Process, type Processes, processesOf, whileItsStepWaits } from '../support/processes.ts';
import { type Product, startProduct } from '../support/product.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { killRoles, startRole } from '../support/roles.ts';
import { expectOrder, repeatedEventIds } from '../support/soundness.ts';
import { seconds } from '../support/story.ts';
import { until } from '../support/wait.ts';
import { dueAgain } from './money/past.ts';
import { newPayer, token } from './money/payers.ts';
import { allCaptures, expectRecovered } from './money/recovery.ts';

/** Two workers, and every wake is sent ten times. */

let product: Product;
let processes: Processes;
let receiver: Receiver;
let pump: Process;

beforeAll(async () => {
  product = await startProduct();
  processes = processesOf(product);
  receiver = await startReceiver();
  product.endpoint = await createEndpoint(product, receiver.url);
  pump = { process: 'webhook', id: product.endpoint.id, shard: 0 };
  await product.rows(`update account set settings = settings || '{"webhook_shards": 1}'`);
  await startRole(product, 'worker');
  await product.call('POST', '/plans', { id: 'weekly', name: 'Weekly', amount: 10, interval: 'week' });
  await writeWakesTenfold();
});
afterAll(async () => {
  await killRoles();
  await processes.close();
  await product.close();
  await receiver.stop();
});

const SUBSCRIPTIONS = 3;

test('each period is billed, charged and receipted once', async () => {
  for (let count = 0; count < SUBSCRIPTIONS; count++) await subscribe();
  await untilPaid(SUBSCRIPTIONS);
  const subscriptions = await product.rows<{ id: number }>('select id from subscription order by id');
  await Promise.all(subscriptions.map(({ id }) => dueAgain(product, id, { weeks: 1 })));
  await untilPaid(2 * SUBSCRIPTIONS);
  await wakeAllTenTimes();
  await subscribe(); // the wakes before it are handled once it is billed
  await untilPaid(2 * SUBSCRIPTIONS + 1);
  await expectRecovered(product);

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
});

test('a pump woken during its deliveries sends each once, and in order', async () => {
  const answering = Promise.withResolvers<void>();
  const isSlow = ({ body }: { body: string }) => body.includes('slow');
  receiver.answerBy((request) => (isSlow(request) ? { status: 200, after: answering.promise } : { status: 200 }));
  for (const name of ['slow 1', 'slow 2']) {
    const { id } = await product.call('POST', '/customers', { name });
    await product.call('PATCH', `/customers/${id}`, { name: `${name}, renamed` });
  }
  await until(() => receiver.requests.filter(isSlow).length >= 2, { what: 'a delivery of each customer' });
  await processes.wakeTenTimes([pump]);
  await product.call('POST', '/customers', { name: 'free' });
  await receiver.waitFor(
    ({ body }) => body.includes('free'),
    'the later event, which the pump finds when it looks again',
  );
  answering.resolve();

  await expectRecovered(product);
  await processes.untilOver(pump);
  expect(repeatedEventIds(receiver.requests)).toEqual([]);
  expectOrder(receiver.requests);
});

test('an estimate woken while it expires expires once', async () => {
  const customer = await newPayer(product, { autopay: false });
  const items = [{ name: 'Work', quantity: 1, unit_cost: 25 }];
  const expiration_date = seconds('2100-01-01T12:00:00Z');
  const { id } = await product.call('POST', '/estimates', { customer, items, expiration_date });
  await whileItsStepWaits(product, customer, {
    begin: () =>
      product.rows(
        `with past as (update estimate set expires_at = now() - interval '2 days' where id = ${id}),
           due as (update wakeup set at = now() where process = 'estimate' and subject_id = ${id})
         insert into outbox (account_id, topic, subject_id, due_at) values (${product.accountId}, 'estimate', ${id}, now())`,
      ),
    meanwhile: () => processes.wakeTenTimes([{ process: 'estimate', id }]),
  });
  await product.row(`select 1 from estimate where closed and id = ${id}`);
  await expectRecovered(product);
  await processes.untilOver({ process: 'estimate', id });
  const told = await product.rows(`select type from event where subject_type = 'estimate' order by id`);
  expect(told).toEqual([{ type: 'estimate.created' }, { type: 'estimate.updated' }]);
  expectOrder(receiver.requests);
});

test('a clock woken while it advances, and after its arrival, takes each step once', async () => {
  const weeks = ['2027-01-01', '2027-01-08', '2027-01-15', '2027-01-22'].map((day) => seconds(`${day}T00:00:00Z`));
  const clock = await clockAt(product, '2027-01-01T00:00:00Z');
  const { id } = clock;
  const customer = await subscriberOn(product, clock, { token: token.pays, plan: 'weekly' });
  const target = { frozen_time: seconds('2027-01-25T00:00:00Z') };
  await whileItsStepWaits(product, customer.id, {
    begin: () => product.client.post('/test_clocks/{id}/advance', target, { id }),
    meanwhile: () => processes.wakeTenTimes([{ process: 'clock', id }]),
  });
  const there = await untilAdvanced(product, id);
  expect(there).toMatchObject({ status: 'ready', ...target });
  await expectRecovered(product);
  await processes.wakeTenTimes([{ process: 'clock', id }]);
  await processes.untilOver({ process: 'clock', id });
  expect(await product.client.get('/test_clocks/{id}', { id })).toEqual(there);

  const invoices = await product.client.get('/invoices', { filter: { customer: customer.id }, sort: 'id' });
  expect(invoices.map(({ date, status }) => [date, status])).toEqual(weeks.map((date) => [date, 'paid']));
  expect(there.happened.map(({ at }) => at)).toEqual(weeks.slice(1).flatMap((at) => [at, at, at]));
  expectOrder(receiver.requests);
});

async function subscribe(): Promise<void> {
  const customer = await newPayer(product, { autopay: true });
  await product.call('POST', '/subscriptions', { customer, plan: 'weekly' });
}

async function untilPaid(invoices: number): Promise<void> {
  await product.row('select count(*)::int as paid from invoice where paid', ({ paid }) => paid === invoices);
}

/** Makes the database write every wake in the outbox ten times. */
async function writeWakesTenfold(): Promise<void> {
  await product.rows(`
    create function tenfold() returns trigger language plpgsql as $$ begin
      insert into outbox (account_id, topic, subject_id, shard, due_at, start_at, clock_id)
      select new.account_id, new.topic, new.subject_id, new.shard, new.due_at, new.start_at, new.clock_id from generate_series(2, 10);
      return null;
    end $$;
    create trigger tenfold after insert on outbox for each row
    when (pg_trigger_depth() = 0 and new.topic <> 'event') execute function tenfold();
  `);
}

/** Wakes every process ten times, including ended ones. */
async function wakeAllTenTimes(): Promise<void> {
  const all = await product.rows<Process>(
    `select 'subscription' as process, id from subscription union all select 'invoice', id from invoice
     union all select 'charge', id from attempt`,
  );
  await processes.wakeTenTimes([...all, { process: 'mail', id: product.accountId, shard: 0 }, pump]);
}
