import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { lockRow } from '../../db/lock.ts';
import { Customer } from '../../db/schema/customer.ts';
import { inTransaction } from '../../db/transaction.ts';
import { fileOfJob, jobAtEnd, limitedMember } from '../support/jobs.ts';
import { type Product, startProduct } from '../support/product.ts';

/** Jobs that act on many objects, on real Temporal. */

let product: Product;
const NOW = '2028-02-29T18:00:00Z';
beforeAll(async () => {
  product = await startProduct({ systemNow: () => new Date(NOW) });
});
afterAll(() => product.close());

const ended = (id: number) => jobAtEnd(product, id);
const linesOf = async (id: number, key = product.key) =>
  (await (await fileOfJob({ url: product.url, key }, id)).text()).split('\r\n').slice(0, -1);

async function customerOf(
  name: string,
  more: { owner?: number; currency?: string; metadata?: Record<string, string> } = {},
) {
  return (await product.client.post('/customers', { name, email: `${name}@example.com`, ...more })).id;
}

async function invoiceOf(customer: number, more: { draft?: boolean } = {}) {
  return (await product.client.post('/invoices', { customer, items: [{ unit_cost: 10 }], ...more })).id;
}

const statusOf = async (id: number) => (await product.client.get('/invoices/{id}', { id })).status;

test('invoices are sent once each, and refused ones are told with their reasons', async () => {
  const { client } = product;
  const customer = await customerOf('ada');
  const sent = [await invoiceOf(customer), await invoiceOf(customer)];
  const draft = await invoiceOf(customer, { draft: true });
  const unknown = 999_999;
  const ids = [sent[0] ?? 0, draft, unknown, sent[1] ?? 0];
  const parameters = { subject: 'Please read' };
  const { id } = await client.post('/jobs', { type: 'bulk', action: 'send', list: 'invoices', ids, parameters });
  const job = await ended(id);
  const refused = [
    { row: 2, id: draft, code: 'state_conflict', reason: expect.stringContaining('draft') },
    { row: 3, id: unknown, code: 'resource_missing', reason: `Invoice was not found: ${unknown}` },
  ];
  expect(job).toMatchObject({ status: 'done', done: 4, total: 4, refused_count: 2, refused, parameters });
  expect(job.file?.name).toBe('send_invoices.csv');
  const lines = await linesOf(id);
  expect(lines.slice(0, 2)).toEqual(['row,id,outcome,code,reason', `1,${sent[0]},done,,`]);
  expect(lines[2]).toMatch(`2,${draft},refused,state_conflict,`);
  const mails = await product.rows('select id from email where subject = ?', ['Please read']);
  expect(mails).toHaveLength(2);
  for (const one of sent) expect(await statusOf(one)).toBe('sent');
  const acts = await product.rows(
    `select object_id, actor from audit_log where operation = 'sendInvoice' and object_type = 'invoice' order by id`,
  );
  expect(acts).toEqual(sent.map((one) => ({ object_id: String(one), actor: 'api_key' })));
  expect(await product.rows('select * from job_row')).toEqual([]);
});

test('a filter: invoices are reminded of, written off with a reason, and voided', async () => {
  const { client } = product;
  const customer = await customerOf('grace');
  const whole = await invoiceOf(customer);
  const part = await invoiceOf(customer);
  await client.post('/payments', {
    customer,
    amount: 4,
    applied_to: [{ type: 'invoice', invoice: part, amount: 4 }],
  });
  const query = { 'filter[customer]': String(customer), sort: 'id asc' };
  const run = async (action: 'remind' | 'write_off' | 'void', parameters = {}) =>
    ended((await client.post('/jobs', { type: 'bulk', action, list: 'invoices', query, parameters })).id);
  expect(await run('remind')).toMatchObject({ done: 2, refused_count: 0 });
  const kinds = await product.rows('select template from email where customer_id = ? and template like ?', [
    customer,
    'unpaid%',
  ]);
  expect(kinds).toHaveLength(2);
  expect(await run('write_off', { reason: 'Insolvent' })).toMatchObject({ done: 2, refused_count: 0 });
  const written = await client.get('/write_offs');
  expect(written).toMatchObject([
    { invoice: whole, amount: 10, reason: 'Insolvent' },
    { invoice: part, amount: 6, reason: 'Insolvent' },
  ]);
  const nothing = {
    code: 'state_conflict',
    reason: 'Nobody owes this invoice any more: there is nothing to remind of',
  };
  expect(await run('remind')).toMatchObject({
    refused: [
      { id: whole, ...nothing },
      { id: part, ...nothing },
    ],
  });
  expect(await run('write_off', { reason: 'Again' })).toMatchObject({
    refused: [
      { id: whole, code: 'state_conflict' },
      { id: part, code: 'state_conflict' },
    ],
  });
  expect(await run('void')).toMatchObject({ refused: [{ row: 2, id: part }] }); // something was paid on it
  expect(await statusOf(whole)).toBe('voided');
});

test('nobody is reminded of an invoice that chasing holds', async () => {
  const { client } = product;
  await client.patch('/account', { portal_disputes: true, dispute_hold_days: 5 });
  const customer = await customerOf('held');
  const [promised, planned, disputed, open] = [
    await invoiceOf(customer),
    await invoiceOf(customer),
    await invoiceOf(customer),
    await invoiceOf(customer),
  ];
  const at = (day: string) => Date.parse(`${day}T12:00Z`) / 1000;
  const expected_payment_date = { date: at('2028-03-04') };
  await client.patch('/invoices/{id}', { expected_payment_date }, { id: promised });
  const installments = [
    { date: at('2028-03-10'), amount: 4 },
    { date: at('2028-04-10'), amount: 6 },
  ];
  await client.put('/invoices/{id}/payment_plan', { installments }, { id: planned });
  const { items } = await client.get('/invoices/{id}', { id: disputed });
  await client.post('/invoices/{id}/dispute', { line_item: items[0]?.id ?? 0, reason: 'Broken' }, { id: disputed });
  const numbers = await product.rows<{ number: string }>(
    'select number from invoice where customer_id = ? order by id',
    [customer],
  );
  const [ofPromised, ofPlanned, ofDisputed] = numbers.map(({ number }) => number);
  const ids = [promised, planned, disputed, open];
  const { id } = await client.post('/jobs', { type: 'bulk', action: 'remind', list: 'invoices', ids });
  const code = 'state_conflict';
  expect(await ended(id)).toMatchObject({
    done: 4,
    refused: [
      { id: promised, code, reason: `${ofPromised} is promised for 4 March 2028` },
      { id: planned, code, reason: `No installment of the payment plan of ${ofPlanned} is missed` },
      { id: disputed, code, reason: `A line of ${ofDisputed} is disputed: nobody asks for it before 6 March 2028` },
    ],
  });
  const mails = await product.rows('select id from email where customer_id = ? and template like ?', [
    customer,
    'unpaid%',
  ]);
  expect(mails).toHaveLength(1);
});

test('a CSV has what the list would write, in its order', async () => {
  const { client } = product;
  const query = { search: 'example', sort: 'name desc' };
  const parameters = { columns: 'id,name,metadata.region' };
  await customerOf('zoe', { metadata: { region: 'north' } });
  const { id } = await client.post('/jobs', { type: 'bulk', action: 'csv', list: 'customers', query, parameters });
  expect(await ended(id)).toMatchObject({ status: 'done', refused: [], file: { name: 'customers.csv' } });
  const asked = new URLSearchParams({ ...query, ...parameters, format: 'csv' });
  const authorization = `Basic ${Buffer.from(`${product.key}:`).toString('base64')}`;
  const listed = await fetch(`${product.url}/customers?${asked}`, { headers: { authorization } });
  const lines = await linesOf(id);
  expect(lines).toEqual((await listed.text()).split('\r\n').slice(0, -1));
  expect(lines[1]).toMatch(/,zoe,north$/);
});

test('a CSV of chosen customers has a column of balances for each currency in which something is owed', async () => {
  const { client } = product;
  const [yen, none] = [await customerOf('yen', { currency: 'jpy' }), await customerOf('none')];
  await client.post('/invoices', { customer: yen, items: [{ name: 'Hour', unit_cost: 700 }] });
  const parameters = { columns: 'id,balances.*.balance', include: 'balances' };
  const ids = [yen, none];
  const job = await client.post('/jobs', { type: 'bulk', action: 'csv', list: 'customers', ids, parameters });
  expect(await ended(job.id)).toMatchObject({ status: 'done' });
  const [heading = '', first = '', second = ''] = await linesOf(job.id);
  const place = heading.split(',').indexOf('balances.jpy.balance');
  expect([first, second].map((line) => line.split(',')[place])).toEqual(['700', '']);
});

test('a member that sees only its own customers acts only on these', async () => {
  const { memberId, key, client: limited } = await limitedMember(product, new Date(NOW));
  const own = await invoiceOf(await customerOf('own', { owner: memberId }));
  const other = await invoiceOf(await customerOf('other'));
  const { id } = await limited.post('/jobs', { type: 'bulk', action: 'void', list: 'invoices', ids: [own, other] });
  expect(await ended(id)).toMatchObject({ refused: [{ id: other, code: 'resource_missing' }] });
  expect(await linesOf(id, key)).toHaveLength(3);
  expect(await statusOf(other)).not.toBe('voided');
  const { total } = await limited.post('/jobs', { type: 'bulk', action: 'csv', list: 'invoices', query: {} });
  expect(total).toBe(1);
});

test('a canceled job acts on nothing more, and tells what it did', async () => {
  const { client, deps } = product;
  const { memberId } = await limitedMember(product, new Date(NOW));
  const ids = [await customerOf('first'), await customerOf('second'), await customerOf('third')];
  const busy = ids[1] ?? 0;
  const id = await inTransaction(deps.em, async (em) => {
    await lockRow(em, Customer, { accountId: product.accountId, id: busy });
    const parameters = { owner: memberId };
    const job = await client.post('/jobs', { type: 'bulk', action: 'assign', list: 'customers', ids, parameters });
    await product.row(`select done from job where id = ${job.id} and done = 1`);
    expect(await client.post('/jobs/{id}/cancel', null, { id: job.id })).toMatchObject({ status: 'canceled' });
    return job.id;
  });
  await product.row(
    `select 1 from job where id = ${id} and not exists (select 1 from wakeup where subject_id = ${id} and process = 'job')`,
  );
  const job = await client.get('/jobs/{id}', { id });
  expect(job).toMatchObject({ status: 'canceled', total: 3, file: null });
  const owners = await product.rows<{ owner_id: number | null }>(
    'select owner_id from customer where id = any(?) order by id',
    [`{${ids.join()}}`],
  );
  expect(owners[2]).toEqual({ owner_id: null });
  expect(owners.filter(({ owner_id }) => owner_id === memberId)).toHaveLength(job.done);
});
