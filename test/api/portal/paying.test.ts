import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import type { Person, Screen } from '../../support/person.ts';
import { seen, signInToPortal } from '../../support/portal.ts';

let api: TestApi;
let accountId: number;
let count = 0;
beforeAll(async () => {
  api = await startApi();
  accountId = api.sandbox.account.id;
  await api.sandbox.patch('/account', { partial_payments: true });
});
afterAll(async () => {
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
  expect(api.faults).toEqual([]);
  await api.close();
});

interface Payer {
  person: Person;
  customer: number;
  invoices: { id: number; number: string; url: string }[];
}

/** A customer with a stored card and invoices, of which the first is due first, signed in. */
async function payer(costs: readonly number[], more: object = {}): Promise<Payer> {
  count += 1;
  const email = `payer${count}@example.com`;
  const customer = (await api.sandbox.make('/customers', { name: `Payer ${count}`, email, ...more })).id;
  await api.sandbox.make(`/customers/${customer}/payment_sources`, {
    method: 'credit_card',
    gateway_token: 'tok_4242424242424242',
  });
  const invoices = [];
  for (const [index, unit_cost] of costs.entries())
    invoices.push(
      await api.sandbox.make('/invoices', {
        customer,
        items: [{ name: 'Work', unit_cost }],
        due_date: 1_900_000_000 + index * 86_400,
      }),
    );
  const { person } = await signInToPortal(api, { accountId, email });
  return { person, customer, invoices };
}

const root = () => `/portal/${accountId}`;
const balanceOf = async (id: number) => (await api.sandbox.get(`/invoices/${id}`)).body.balance;
const balances = (invoices: Payer['invoices']) => Promise.all(invoices.map(({ id }) => balanceOf(id)));
const chargesOf = async (customer: number) =>
  (await api.em.fork().execute(`select 1 from attempt where customer_id = ? and kind = 'charge'`, [customer])).length;
const pay = (person: Person, screen: Screen, fields: Record<string, string> = {}) =>
  person.send(screen, '/pay/review', fields);
const sourceIn = (screen: Screen) => /name="source" value="(\d+)"/.exec(screen.text)?.[1] ?? '';

test('everything is paid by one charge of the stored card, which the page shows first', async () => {
  const { person, customer, invoices } = await payer([10, 20, 30]);
  const review = await person.open(`${root()}/pay/review?currency=usd`);
  expect(seen(review)).toMatch(/\$10\.00.*\$20\.00.*\$30\.00.*\$60\.00.*Visa ending in 4242.*Pay \$60\.00/);
  const outcome = await pay(person, review, { source: sourceIn(review) });
  expect(seen(outcome)).toMatch(/Thank you for your payment.*\$60\.00/);
  expect([await balances(invoices), await chargesOf(customer)]).toEqual([[0, 0, 0], 1]);
  const payments = (await api.sandbox.get(`/payments?filter[customer]=${customer}&include=applied_to`)).body;
  expect(payments).toMatchObject([{ amount: 60 }]);
  expect(payments[0].applied_to).toHaveLength(3);
  // The same form again, and a reload of the page, charge nothing more.
  const again = await pay(person, review, { source: sourceIn(review) });
  expect([again.url.pathname, await chargesOf(customer)]).toEqual([outcome.url.pathname, 1]);
  expect(seen(await person.open(root()))).toContain('Nothing is open');
});

test('some invoices, or an amount: the oldest due first, shown before it is charged', async () => {
  const { person, invoices } = await payer([10, 20, 30]);
  const [first, , third] = invoices;
  const choice = await person.open(`${root()}/pay`);
  const some = await person.send(choice, '/pay', {
    choice: 'some',
    [`invoice_${first?.id}`]: 'yes',
    [`invoice_${third?.id}`]: 'yes',
  });
  expect(seen(some)).toContain('Pay $40.00');
  await pay(person, some, { source: sourceIn(some) });
  expect(await balances(invoices)).toEqual([0, 20, 0]);

  const other = await payer([10, 20, 30]);
  const amount = await other.person.send(await other.person.open(`${root()}/pay`), '/pay', {
    choice: 'amount',
    amount: '25,50',
  });
  expect(seen(amount)).toMatch(/\$10\.00.*\$15\.50 of \$20\.00.*\$25\.50/);
  await pay(other.person, amount, { source: sourceIn(amount) });
  expect(await balances(other.invoices)).toEqual([0, 4.5, 30]);
});

test('an invoice that was just paid, a tampered amount and a foreign invoice are refused, and nothing is charged', async () => {
  const { person, customer, invoices } = await payer([10, 20]);
  const foreign = await payer([99]);
  const review = await person.open(`${root()}/pay/review?currency=usd`);
  await api.sandbox.make('/payments', {
    customer,
    amount: 10,
    applied_to: [{ type: 'invoice', invoice: invoices[0]?.id, amount: 10 }],
  });
  const changed = await pay(person, review, { source: sourceIn(review) });
  expect([
    changed.status,
    seen(changed).includes('Something has changed'),
    seen(changed).includes('Pay $20.00'),
  ]).toEqual([400, true, true]);
  const tampered = await person.open(`${root()}/pay/review?currency=usd&amount=1`);
  const sent = await pay(person, tampered, { source: sourceIn(tampered), seen: '0'.repeat(32) });
  expect(sent.status).toBe(400);
  for (const query of ['amount=21', 'amount=0', 'amount=-5', 'amount=1.234', `of=${foreign.invoices[0]?.id}`, 'of=x'])
    expect([query, (await person.open(`${root()}/pay/review?currency=usd&${query}`)).status]).toEqual([
      query,
      query === 'amount=21' || (query.startsWith('of=') && query !== 'of=x') ? 400 : 404,
    ]);
  const mine = await person.open(`${root()}/pay/review?currency=usd`);
  const stolen = sourceIn(await foreign.person.open(`${root()}/pay/review?currency=usd`));
  expect((await pay(person, mine, { source: stolen })).status).toBe(400);
  expect(await chargesOf(customer)).toBe(0);
});

test('two tabs and a double click charge each invoice once', async () => {
  const { person, customer, invoices } = await payer([10, 20]);
  const one = await person.open(`${root()}/pay/review?currency=usd`);
  const other = await person.open(`${root()}/pay/review?currency=usd`);
  const source = sourceIn(one);
  const answers = await Promise.all([
    pay(person, one, { source }),
    pay(person, one, { source }),
    pay(person, other, { source }),
  ]);
  expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
  expect(await balances(invoices)).toEqual([0, 0]);
  const charged = await api.em
    .fork()
    .execute(`select amount from attempt where customer_id = ? and kind = 'charge' and state = 'succeeded'`, [
      customer,
    ]);
  expect(charged).toHaveLength(1);
});

test('a declined card stays open, and ten of them end the tries', async () => {
  const { person, customer, invoices } = await payer([10]);
  await api.sandbox.make(`/customers/${customer}/payment_sources`, {
    method: 'credit_card',
    gateway_token: 'tok_4000000000000341',
  });
  const review = await person.open(`${root()}/pay/review?currency=usd`);
  const sources = [...review.text.matchAll(/name="source" value="(\d+)"/g)].map(([, id = '']) => id);
  const declined = await pay(person, review, { source: sources.at(-1) ?? '' });
  expect([seen(declined).includes('was declined'), await balances(invoices)]).toEqual([true, [10]]);
  for (let tries = 1; tries < 10; tries += 1)
    await pay(person, await person.open(`${root()}/pay/review?currency=usd`), { source: sources.at(-1) ?? '' });
  const last = await pay(person, await person.open(`${root()}/pay/review?currency=usd`), { source: sources[0] ?? '' });
  expect([last.status, seen(last).includes('Too many')]).toEqual([400, true]);
});

test('the convenience fee is shown and confirmed before it is charged', async () => {
  await api.sandbox.patch('/account', { convenience_fee_percent: 3, convenience_fee_places: ['US-TX'] });
  const { person, invoices } = await payer([100, 100], { country: 'US', state: 'TX' });
  const review = await person.open(`${root()}/pay/review?currency=usd`);
  const fee = await pay(person, review, { source: sourceIn(review) });
  expect([seen(fee).includes('$6.00'), seen(fee).includes('Pay $206.00'), await balances(invoices)]).toEqual([
    true,
    true,
    [100, 100],
  ]);
  const forged = await pay(person, fee, { fee: '0.01' });
  expect(seen(forged)).toContain('Pay $206.00');
  expect(seen(await pay(person, fee))).toContain('$206.00');
  expect(await balances(invoices)).toEqual([0, 0]);
  await api.sandbox.patch('/account', { convenience_fee_percent: 0 });
});

test('without partial payments only whole invoices are paid, and without portal_pay nothing', async () => {
  const { person } = await payer([10, 20]);
  await api.sandbox.patch('/account', { partial_payments: false });
  expect(seen(await person.open(`${root()}/pay`))).not.toContain('An amount');
  expect((await person.open(`${root()}/pay/review?currency=usd&amount=15`)).status).toBe(400);
  expect((await person.open(`${root()}/pay/review?currency=usd&amount=10`)).status).toBe(200);
  await api.sandbox.patch('/account', { partial_payments: true, portal_pay: false });
  expect((await person.open(`${root()}/pay`)).status).toBe(404);
  expect(seen(await person.open(root()))).not.toContain('Pay now');
  await api.sandbox.patch('/account', { portal_pay: true });
});

test('a contact that views is refused, and one that pays has no stored source of others', async () => {
  const { customer, invoices } = await payer([10]);
  for (const role of ['view', 'pay'])
    await api.sandbox.make(`/customers/${customer}/contacts`, {
      name: role,
      email: `${role}${customer}@example.com`,
      portal_role: role,
    });
  const viewer = (await signInToPortal(api, { accountId, email: `view${customer}@example.com` })).person;
  expect((await viewer.open(`${root()}/pay`)).status).toBe(404);
  const token = /name="form_token" value="([^"]+)"/.exec((await viewer.open(root())).text)?.[1] ?? '';
  const refused = await viewer.post(`${root()}/pay/review?currency=usd`, { form_token: token, form: 'a'.repeat(32) });
  expect(refused.status).toBe(403);
  const contact = (await signInToPortal(api, { accountId, email: `pay${customer}@example.com` })).person;
  const review = await contact.open(`${root()}/pay/review?currency=usd`);
  expect([review.status, seen(review).includes('4242'), seen(review).includes('Pay $10.00')]).toEqual([
    200,
    false,
    true,
  ]);
  expect(await balances(invoices)).toEqual([10]);
});
