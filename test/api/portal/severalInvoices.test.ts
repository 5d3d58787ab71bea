import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { advanceInvoice } from '../../../commands/collection/invoiceSteps.ts';
import { withAccount } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import type { Person, Screen } from '../../support/person.ts';
import { seen, signInToPortal } from '../../support/portal.ts';

/** What one payment of several invoices charges, beside credit, discounts and changes meanwhile. */

let api: TestApi;
let accountId: number;
let count = 0;
const time = { now: Date.parse('2027-03-01T12:00:00Z') };
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(time.now) });
  accountId = api.sandbox.account.id;
});
afterAll(async () => {
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
  expect(api.faults).toEqual([]);
  await api.close();
});

const review = (person: Person, query = 'currency=usd') => person.open(`/portal/${accountId}/pay/review?${query}`);
const sourceIn = (screen: Screen) => /name="source" value="(\d+)"/.exec(screen.text)?.[1] ?? '';
const pay = (person: Person, screen: Screen) => person.send(screen, '/pay/review', { source: sourceIn(screen) });
const read = async (path: string) => (await api.sandbox.get(path)).body;
const charged = (customer: number) =>
  api.em
    .fork()
    .execute<{ amount: string }[]>(
      `select trim_scale(amount)::text as amount from attempt where customer_id = ? and kind = 'charge'`,
      [customer],
    );

/** A customer with a card that is signed in. */
async function payer(more: object = {}): Promise<{ person: Person; customer: number }> {
  count += 1;
  const email = `several${count}@example.com`;
  const customer = (await api.sandbox.make('/customers', { name: `Several ${count}`, email, ...more })).id;
  const gateway_token = 'tok_4242424242424242';
  await api.sandbox.make(`/customers/${customer}/payment_sources`, { method: 'credit_card', gateway_token });
  return { customer, person: (await signInToPortal(api, { accountId, email })).person };
}
const bill = (customer: number, unit_cost: number, more: object = {}) =>
  api.sandbox.make('/invoices', { customer, items: [{ name: 'Work', unit_cost }], autopay: false, ...more });

test('an early-payment discount that lasts lowers its invoice alone, and none is given once it has ended', async () => {
  await api.sandbox.patch('/account', { late_fee_document: 'invoice' });
  const { person, customer } = await payer();
  const early = await bill(customer, 1000, { payment_terms: '2% 10 NET 30' });
  const plain = await bill(customer, 100);
  const page = await review(person);
  expect(seen(page)).toMatch(/\$980\.00.*\$1,080\.00.*Pay \$1,080\.00/);
  const late = await payer();
  await bill(late.customer, 1000, { payment_terms: '2% 10 NET 30' });
  await bill(late.customer, 100);
  const stale = await review(late.person);
  expect(seen(await pay(person, page))).toContain('$1,080.00');
  expect(await charged(customer)).toEqual([{ amount: '1080' }]);
  expect(await read(`/invoices/${plain.id}`)).toMatchObject({ paid: true });
  // Its process grants the discount.
  const key = { accountId, id: early.id, lookUpDelay: api.deps.lookUpDelay };
  await withAccount(accountId, () => inTransaction(api.em, (em) => advanceInvoice(em, key, new Date(time.now))));
  expect(await read(`/invoices/${early.id}`)).toMatchObject({ paid: true, balance: 0 });
  time.now += 11 * 86_400_000;
  const again = await pay(late.person, stale);
  expect([again.status, seen(again).includes('Something has changed'), seen(again).includes('Pay $1,100.00')]).toEqual([
    400,
    true,
    true,
  ]);
  expect(await charged(late.customer)).toEqual([]);
});

test('credit pays first, and the card only what is left after the page has shown it', async () => {
  const { person, customer } = await payer();
  const [first, second] = [await bill(customer, 60), await bill(customer, 60)];
  const stale = await review(person);
  await api.sandbox.make('/credit_balance_adjustments', { customer, amount: 100 });
  const page = await pay(person, stale);
  const left = (await read(`/invoices?filter[customer]=${customer}&sort=id asc`)).map(
    ({ balance }: { balance: number }) => balance,
  );
  expect(left).toEqual([0, 20]);
  expect([
    page.status,
    seen(page).includes('Pay $20.00'),
    seen(page).includes(`No longer open: ${first.number}`),
  ]).toEqual([400, true, true]);
  expect(await charged(customer)).toEqual([]);
  await pay(person, page);
  expect(await charged(customer)).toEqual([{ amount: '20' }]);
  expect(await read(`/invoices/${second.id}`)).toMatchObject({ paid: true });
});

test('200 invoices of which one was just paid: nothing is charged, and the page says which', async () => {
  const { person, customer } = await payer();
  const invoices: { id: number; number: string }[] = [];
  for (let index = 0; index < 200; index += 1) invoices.push(await bill(customer, 1));
  const all = await review(person);
  const some = await review(person, `currency=usd&of=${invoices.map(({ id }) => id).join('.')}`);
  expect([seen(all).includes('Pay $200.00'), seen(some).includes('Pay $200.00')]).toEqual([true, true]);
  const paid = invoices[117];
  const applied_to = [{ type: 'invoice', invoice: paid?.id, amount: 1 }];
  await api.sandbox.make('/payments', { customer, amount: 1, method: 'check', applied_to });
  for (const page of [all, some]) {
    const refused = await pay(person, page);
    expect([refused.status, seen(refused).includes(`No longer open: ${paid?.number}.`)]).toEqual([400, true]);
    expect(await charged(customer)).toEqual([]);
  }
  const again = await review(person);
  expect(seen(again)).toContain('Pay $199.00');
  expect(seen(await pay(person, again))).toContain('Thank you for your payment');
  expect(await charged(customer)).toEqual([{ amount: '199' }]);
  expect(await read(`/customers/${customer}/balance`)).toMatchObject({ total_outstanding: 0 });
});

test('what a form says it had shown names no invoice of others', async () => {
  const { person, customer } = await payer();
  const foreign = await bill((await api.sandbox.make('/customers', { name: 'Other' })).id, 77);
  await bill(customer, 10);
  const page = await review(person);
  const forged = { source: sourceIn(page), seen: '0'.repeat(32) };
  for (const shown of [String(foreign.id), '99999999999', 'x', '1.'.repeat(5000)]) {
    const answer = await person.send(page, '/pay/review', { ...forged, shown });
    expect([answer.status, seen(answer).includes('No longer open'), seen(answer).includes(foreign.number)]).toEqual([
      400,
      false,
      false,
    ]);
  }
});
