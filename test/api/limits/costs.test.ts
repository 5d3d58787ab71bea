import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runAttempt } from '../../../commands/charges/attempts.ts';
import { advanceInvoice } from '../../../commands/collection/invoiceSteps.ts';
import { advanceSubscription } from '../../../commands/subscriptions/steps/steps.ts';
import { lockCustomerRow } from '../../../db/lock.ts';
import { withAccount } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Answer, basic, refused, send, startApi, type TestApi } from '../../support/api.ts';
import { LOCK_WAITS, until } from '../../support/wait.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** 900 names of 24 characters, about the maximum of one object. */
const NAMES = Array.from({ length: 900 }, (_, index) => `no_such_field_${String(index).padStart(10, '0')}`);
const many = Object.fromEntries(NAMES.map((name) => [name, 'x']));

async function costOf(body: object): Promise<{ answer: Answer; milliseconds: number }> {
  const before = process.cpuUsage();
  const answer = await api.sandbox.post('/customers', body);
  const { user, system } = process.cpuUsage(before);
  return { answer, milliseconds: (user + system) / 1000 };
}

/** The cheapest of five requests: garbage collection makes some of them more expensive. */
async function cheapestOf(body: object): ReturnType<typeof costOf> {
  let cheapest = await costOf(body);
  for (let n = 1; n < 5; n++) {
    const next = await costOf(body);
    if (next.milliseconds < cheapest.milliseconds) cheapest = next;
  }
  return cheapest;
}

test('unknown fields cost only their reading: the first is refused with a suggestion', async () => {
  const read = await cheapestOf({ name: 'A', metadata: many });
  const refusal = await cheapestOf({ nmae: 'x', ...many });
  expect(read.answer).toMatchObject(refused({ param: 'metadata' }));
  expect(refusal.answer).toMatchObject(refused({ param: 'nmae', message: 'Unknown field nmae; did you mean name?' }));
  // Comparing 900 names with forty others takes tens of milliseconds.
  expect(refusal.milliseconds).toBeLessThan(25 + 3 * read.milliseconds);
});

const long = 'x'.repeat(1000);

test.each([
  ['a field', () => api.sandbox.post('/customers', { name: 'A', [long]: 1 })],
  ['a field within another', () => api.sandbox.post('/invoices', { customer: 1, items: [{ [long]: 1 }] })],
  ['a key of metadata', () => api.sandbox.post('/customers', { name: 'A', metadata: { [long]: 'x' } })],
  ['a field of a form', () => form(`name=A&${long}=%FF`)],
  ['a parameter', () => api.sandbox.get(`/customers?${long}=1`)],
  ['a repeated parameter', () => api.sandbox.get(`/customers?${long}=1&${long}=1`)],
  ['a filter', () => api.sandbox.get(`/customers?filter[${long}]=1`)],
  ['a column', () => api.sandbox.get(`/customers?sort=${long}`)],
  ['the number of a page', () => api.sandbox.get(`/customers?page=${long}`)],
  ['a malformed field of a form', () => form(`name=A&${long}]=1`)],
  ['a parameter of an object', () => api.sandbox.get(`/account?${long}=1`)],
])('an error repeats at most a hundred characters of a name: %s', async (_, ask) => {
  const { status, body } = await ask();
  expect(status).toBe(400);
  expect(body.message.match(/x{2,}/g)).toEqual(['x'.repeat(100)]);
  expect(body.param.length).toBeLessThanOrEqual(100);
});

function form(body: string): Promise<Answer> {
  const headers = { ...basic(api.sandbox.key), 'Content-Type': 'application/x-www-form-urlencoded' };
  return send(`${api.sandbox.url}/customers`, { method: 'POST', body, headers });
}

const CARD = { method: 'credit_card', gateway_token: 'tok_4242424242424242', make_default: true };

async function payer(): Promise<number> {
  const { id } = await api.sandbox.make('/customers', { name: 'Ada', email: 'ada@example.com', autopay: true });
  await api.sandbox.post(`/customers/${id}/payment_sources`, CARD);
  return id;
}

/** Number of a worker's statements for one renewal, by transaction, without begin and commit. */
async function renew(id: number, at: Date) {
  const { em } = api.deps;
  const accountId = api.sandbox.account.id;
  const sent = async (work: () => Promise<unknown>) =>
    (await api.statements(() => withAccount(accountId, work))).length;
  const bill = await sent(() => inTransaction(em, (inner) => advanceSubscription(inner, { accountId, id }, at)));
  const newest = 'select id from invoice where subscription_id = ? order by id desc limit 1';
  const [invoice] = await api.em.fork().execute<{ id: number }[]>(newest, [id]);
  let call = 0;
  const collect = async () => {
    const key = { accountId, id: invoice?.id ?? 0, lookUpDelay: 60_000 };
    call = (await inTransaction(em, (inner) => advanceInvoice(inner, key, at))).call ?? 0;
  };
  const attempt = await sent(collect);
  const charge = await sent(() => runAttempt({ ...api.deps, systemNow: () => at }, { accountId, id: call }));
  return { bill, attempt, charge, rest: await sent(collect) };
}

test('a charged renewal needs forty-one statements, thirteen of them for its bill', async () => {
  await api.sandbox.post('/items', { id: 'seat', name: 'Seat', unit_cost: 10 });
  await api.sandbox.post('/plans', { id: 'gold', name: 'Gold', catalog_item: 'seat', amount: 12.5, interval: 'week' });
  const asked = { customer: await payer(), plan: 'gold', quantity: 3 };
  const { id } = await api.sandbox.make('/subscriptions', asked);
  await renew(id, new Date());
  // The charge: one statement reads it, one stores the gateway's reference, and one transaction records its outcome.
  expect(await renew(id, new Date(Date.now() + 7 * 86_400_000))).toEqual({
    bill: 13,
    attempt: 9,
    charge: 18, // two of them for the number of the receipt
    rest: 1,
  });
  expect(await api.em.fork().execute('select paid from invoice where subscription_id = ?', [id])).toEqual([
    { paid: true },
    { paid: true },
  ]);
});

test('an invoice of many lines needs the statements of a short one, for writing, changing and removing', async () => {
  const { id: customer } = await api.sandbox.make('/customers', { name: 'Ada' });
  const items = (count: number, quantity: number) =>
    Array.from({ length: count }, (_, index) => ({ name: `Line ${index}`, quantity, unit_cost: index }));
  const sent = async (work: () => Promise<Answer>) => {
    const answers: Answer[] = [];
    const texts = await api.statements(async () => answers.push(await work()));
    return { body: answers[0]?.body, texts: texts.map((text) => text.replace(/ \[took .*$/, '')) };
  };
  const life = async (count: number) => {
    const made = await sent(() => api.sandbox.post('/invoices', { customer, items: items(count, 1) }));
    const { id, items: lines } = made.body;
    // Half of the lines get another quantity. The others are replaced by new ones.
    const kept = lines.slice(count / 2).map((line: { id: number }) => ({ id: line.id, quantity: 2 }));
    const change = { items: [...items(count / 2, 3), ...kept] };
    const changed = await sent(() => api.sandbox.patch(`/invoices/${id}`, change));
    const shown = (await api.sandbox.get(`/invoices/${id}`)).body;
    expect(shown.items).toHaveLength(count);
    expect(shown).toEqual(changed.body);
    return { made: made.texts, changed: changed.texts, total: shown.total };
  };
  await life(4);
  const [few, many] = [await life(4), await life(200)];
  expect(many.made).toEqual(few.made);
  expect(many.changed).toEqual(few.changed);
  // New lines 0 to n/2 - 1 three times, old ones n/2 to n - 1 twice: 3 x 1 + 2 x (2 + 3), and 3 x 4,950 + 2 x 14,950.
  expect([few.total, many.total]).toEqual([13, 44_750]);
});

test('a lock reads the default source that its previous holder wrote', async () => {
  const customerId = await payer();
  const accountId = api.sandbox.account.id;
  const { id: other } = await api.sandbox.make(`/customers/${customerId}/payment_sources`, {
    ...CARD,
    gateway_token: 'tok_5454545454545454',
    make_default: false,
  });
  const holder = api.em.fork();
  await holder.begin();
  await lockCustomerRow(holder, { accountId, customerId }, new Date());
  await holder.execute('update customer set default_source_id = ? where id = ?', [other, customerId]);
  const next = inTransaction(api.em, (em) => lockCustomerRow(em, { accountId, customerId }, new Date()));
  await until(async () => (await api.em.fork().execute(LOCK_WAITS)).length > 0, { what: 'the next one to wait' });
  await holder.commit();
  expect((await next)?.customer.defaultSource).toMatchObject({ id: other, last4: '5454', chargeable: true });
});
