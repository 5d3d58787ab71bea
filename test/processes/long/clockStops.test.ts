import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { advanceTo, clockAt, subscriberOn, untilAdvanced } from '../../support/clock.ts';
import { whileItsStepWaits } from '../../support/processes.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { expectSound } from '../../support/soundness.ts';
import { seconds } from '../../support/story.ts';
import { until } from '../../support/wait.ts';

let product: Product;

beforeAll(async () => {
  const patience = { clockPatienceMilliseconds: 10_000, chargeLookupDelayMilliseconds: 6000 };
  product = await startProduct({ config: { ...patience, gatewayDeadlineMilliseconds: 4000 } });
  await product.client.post('/plans', { id: 'gold', name: 'Gold', amount: 10, interval: 'month' });
});
afterAll(() => product.close());

const CARD = 'tok_4242424242424242';
const START = '2027-01-01T00:00:00Z';
const END = '2027-04-15T00:00:00Z';

test('a problem stops the clock with its cause, and the clock continues once it is solved', async () => {
  const clock = await clockAt(product, START);
  const customer = await subscriberOn(product, clock, { token: CARD, plan: 'gold' });
  expect(await advanceTo(product, clock, '2027-01-20T00:00:00Z')).toMatchObject({ status: 'ready' });
  await product.rows(`update plan set amount = 9999999999999`); // above the maximum of an invoice

  const stopped = await advanceTo(product, clock, END);
  const [subscription] = await product.client.get('/subscriptions', { filter: { customer: customer.id } });
  expect(stopped).toMatchObject({
    status: 'stopped',
    frozen_time: seconds('2027-02-01T00:00:00Z'),
    target_time: null,
    stop_reason: `subscription ${subscription?.id}: Amounts must be below 1000000000000: 9999999999999.00`,
  });
  const [problem] = await product.client.get('/problems');
  expect(problem).toMatchObject({ subject: { object: 'subscription', id: subscription?.id }, step: 'subscription' });
  // While it is stopped, its customers can be changed. Advancing again stops with the same reason.
  await product.client.patch('/customers/{id}', { name: 'Bea' }, { id: customer.id });
  expect(await advanceTo(product, clock, END)).toMatchObject({
    ...stopped,
    happened: [],
    updated_at: expect.any(Number),
  });

  await product.rows(`update plan set amount = 10`);
  await product.client.post('/problems/{id}/retries', null, { id: problem?.id ?? 0 });
  await product.row('select 1 from problem where closed_at is not null');
  expect(await advanceTo(product, clock, END)).toMatchObject({ status: 'ready', frozen_time: seconds(END) });
  const invoices = await product.client.get('/invoices', { filter: { customer: customer.id } });
  expect(invoices.map(({ status }) => status)).toEqual(['paid', 'paid', 'paid', 'paid']);
  await expectSound(product);
});

/** The gateway does not answer this source in February. */
const SILENT = 'tok_script_succeed@2027-02-01.timeout_untaken@2027-03-01.succeed';

test('a charge without an answer is looked up, and the clock continues by itself', async () => {
  const clock = await clockAt(product, START);
  const customer = await subscriberOn(product, clock, { token: SILENT, plan: 'gold' });
  expect(await advanceTo(product, clock, '2027-02-01T00:00:00Z')).toMatchObject({ status: 'ready' });
  // One charge in January; in February an abandoned one and its immediate replacement.
  const charges = `select state from attempt where customer_id = ${customer.id} and kind = 'charge' order by id`;
  const states = (await product.rows<{ state: string }>(charges)).map(({ state }) => state);
  expect(states).toEqual(['succeeded', 'abandoned', 'abandoned']);
});

test('a clock without progress stops and names what it waited for', async () => {
  const clock = await clockAt(product, START);
  const customer = await subscriberOn(product, clock, { token: SILENT, plan: 'gold' });
  const stopping = advanceTo(product, clock, END);
  await product.row(
    `select 1 from attempt where customer_id = ${customer.id} and state = 'open' and reference is not null`,
  );
  await product.rows('alter table test_gateway.operation rename to out_of_reach'); // the look-up fails as well
  expect(await stopping).toMatchObject({
    status: 'stopped',
    frozen_time: seconds('2027-02-01T00:00:00Z'),
    stop_reason: '1 charge without an answer of the gateway for 16 s', // 10 s, and 6 s until it is looked up
  });
  const { id } = clock;
  await expect(product.client.delete('/test_clocks/{id}', { id })).rejects.toThrow('A charge of one of its customers');
  await product.rows('alter table test_gateway.out_of_reach rename to operation');
  await product.row(`select 1 from attempt where customer_id = ${customer.id} and state = 'abandoned'`);
});

test('a step that waits for somebody else stops the clock, and is billed once afterwards', async () => {
  const clock = await clockAt(product, START);
  const { id } = clock;
  const customer = await subscriberOn(product, clock, { token: CARD, plan: 'gold' });
  const read = () => product.client.get('/test_clocks/{id}', { id });
  await whileItsStepWaits(product, customer.id, {
    begin: () => product.client.post('/test_clocks/{id}/advance', { frozen_time: seconds(END) }, { id }),
    // After 5 s the clock enqueues the step again, which does not count as progress. Between tries of 3 s the step also locks the clock's row.
    meanwhile: () => until(async () => (await read()).status === 'stopped', { what: 'the clock to stop' }),
  });
  expect(await read()).toMatchObject({
    frozen_time: seconds('2027-02-01T00:00:00Z'),
    target_time: null,
    stop_reason: '1 step not done for 10 s',
  });
  expect(await advanceTo(product, clock, END)).toMatchObject({ status: 'ready', frozen_time: seconds(END) });
  const invoices = await product.client.get('/invoices', { filter: { customer: customer.id }, sort: 'id' });
  const months = ['2027-01-01', '2027-02-01', '2027-03-01', '2027-04-01'];
  expect(invoices.map(({ date, status }) => [date, status])).toEqual(months.map((day) => [seconds(day), 'paid']));
  await expectSound(product);
});

test('mail that is not taken stops the clock, which continues once it is taken', async () => {
  const clock = await clockAt(product, START);
  await subscriberOn(product, clock, { token: CARD, plan: 'gold' });
  await advanceTo(product, clock, '2027-01-20T00:00:00Z');
  await product.mailbox.stop();
  const stopped = await advanceTo(product, clock, '2027-02-15T00:00:00Z');
  expect(stopped).toMatchObject({ status: 'stopped', stop_reason: '1 email not sent for 10 s' });
  await product.mailbox.start();
  await product.rows(`update email set next_attempt_at = now() where state = 'queued'`);
  await product.rows(
    `insert into outbox (account_id, topic, subject_id, due_at) values (${product.accountId}, 'mail', ${product.accountId}, now())`,
  );
  await product.client.post('/test_clocks/{id}/advance', { frozen_time: seconds(END) }, { id: clock.id });
  expect(await untilAdvanced(product, clock.id)).toMatchObject({ status: 'ready', frozen_time: seconds(END) });
});
