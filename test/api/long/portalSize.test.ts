import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, type TestApi } from '../../support/api.ts';
import { seen, signInToPortal } from '../../support/portal.ts';

/** The portal of a customer with ten thousand invoices, and two hundred of them in one payment. */

let api: TestApi;
let accountId: number;
beforeAll(async () => {
  api = await startApi();
  accountId = api.sandbox.account.id;
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

async function copies(customer: number, invoice: number, count: number): Promise<void> {
  const columns = await api.em.fork().execute<{ name: string }[]>(
    `select column_name as name from information_schema.columns where table_name = 'invoice'
     and column_name not in ('id', 'number', 'number_key', 'token', 'balance', 'total', 'subtotal')`,
  );
  const names = columns.map(({ name }) => name).join();
  await api.em.fork().execute(
    `insert into invoice (${names}, id, number, number_key, token, balance, total, subtotal)
     select ${names}, nextval('invoice_id_seq'), 'C-' || n, 'c-' || n, replace(gen_random_uuid()::text, '-', ''), balance, total, subtotal
     from invoice, generate_series(1, ?::int) n where invoice.id = ? and customer_id = ?`,
    [count, invoice, customer],
  );
  await api.em.fork().execute('analyze invoice');
}

test('the overview and the lists of a customer with 10,000 invoices read a bounded number of rows and stay small', async () => {
  const { id: customer } = await api.sandbox.make('/customers', { name: 'Large', email: 'large@example.com' });
  const { id: invoice } = await api.sandbox.make('/invoices', { customer, autopay: false, items: [{ unit_cost: 1 }] });
  await copies(customer, invoice, 9_999);
  const { person, screen } = await signInToPortal(api, { accountId, email: 'large@example.com' });
  expect(seen(screen)).toContain('$10,000.00');
  for (const path of ['', '/documents', '/pay', '/pay/review?currency=usd', '/payments']) {
    const page = await person.open(`/portal/${accountId}${path}`);
    expect([path, page.status, page.text.length < 200_000]).toEqual([path, 200, true]);
  }
});

test('two hundred invoices are paid by one charge', async () => {
  const { id: customer } = await api.sandbox.make('/customers', { name: 'Many', email: 'many@example.com' });
  await api.sandbox.make(`/customers/${customer}/payment_sources`, {
    method: 'credit_card',
    gateway_token: 'tok_4242424242424242',
  });
  const invoices: { id: number }[] = [];
  for (let count = 0; count < 201; count += 1)
    invoices.push(await api.sandbox.make('/invoices', { customer, autopay: false, items: [{ unit_cost: 2 }] }));
  const { person } = await signInToPortal(api, { accountId, email: 'many@example.com' });
  const stale = await person.open(`/portal/${accountId}/pay/review?currency=usd`);
  expect(seen(stale)).toContain('Pay $400.00');
  const applied_to = [{ type: 'invoice', invoice: invoices[100]?.id, amount: 2 }];
  await api.sandbox.make('/payments', { customer, amount: 2, applied_to });
  const source = /name="source" value="(\d+)"/.exec(stale.text)?.[1] ?? '';
  const refused = await person.send(stale, '/pay/review', { source });
  expect([refused.status, seen(refused).includes('Something has changed')]).toEqual([400, true]);
  const outcome = await person.send(refused, '/pay/review', { source });
  expect(seen(outcome)).toContain('Thank you for your payment');
  const [sums] = await api.em.fork().execute<{ paid: number; attempts: number }[]>(
    `select (select count(*)::int from invoice where customer_id = ? and paid) as paid,
       (select count(*)::int from attempt where customer_id = ? and kind = 'charge') as attempts`,
    [customer, customer],
  );
  expect(sums).toEqual({ paid: 201, attempts: 1 });
});
