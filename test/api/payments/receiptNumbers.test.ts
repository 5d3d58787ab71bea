import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { runAttempt } from '../../../commands/charges/attempts.ts';
import { type Client, startApi, successBody, type TestApi } from '../../support/api.ts';
import { readPdf } from '../../support/readPdf.ts';

const NOW = Date.parse('2027-03-01T09:00:00Z');
const DAY = 86_400_000;
let now = NOW;
let api: TestApi;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now) });
});
afterAll(() => api.close());

async function openShop(name: string): Promise<{ client: Client; customer: number }> {
  const { sandbox: client } = await api.open(name);
  return { client, customer: (await client.make('/customers', { name: 'Ada', email: 'ada@example.com' })).id };
}

const numbersOf = async (client: Client) => {
  const { body } = await client.get('/payments?sort=id');
  return body.map((payment: { receipt_number: string | null }) => payment.receipt_number);
};

async function seriesOf(client: Client, prefix = 'REC-') {
  const { body } = await client.get('/numbering/audit');
  return body.series.find((one: { series: string; prefix: string }) => {
    return one.series === 'receipt' && one.prefix === prefix;
  });
}

/** Lets days pass and looks up the last debit at the gateway. */
async function look(client: Client): Promise<void> {
  const [row] = await api.em.fork().execute<{ id: number }[]>('select max(id) as id from attempt');
  now += 5 * DAY;
  await runAttempt({ ...api.deps, em: api.em }, { accountId: client.account.id, id: row?.id ?? 0 });
  now = NOW;
}

test('a payment gets the next number of the receipt series when its money arrives', async () => {
  const { client, customer } = await openShop('Shop');
  await client.patch('/account', { apply_credits_at_issue: false });
  const { id: invoice } = await client.make('/invoices', { customer, items: [{ unit_cost: 30 }] });
  await client.make('/credit_balance_adjustments', { customer, amount: 20 });
  const spent = { type: 'applied_credit', invoice, amount: 20 };
  const credit = await client.make('/payments', { customer, amount: 20, applied_to: [spent] });
  expect(credit.receipt_number).toBeNull();
  const check = await client.make('/payments', { customer, amount: 5, receipt_number: 'MINE' });
  expect(check.receipt_number).toBe('REC-00001');
  const card = await client.make('/charges', {
    customer,
    method: 'credit_card',
    gateway_token: 'tok_4242424242424242',
    amount: 7,
    applied_to: [],
  });
  expect((await client.get(`/payments/${card.id}`)).body.receipt_number).toBe('REC-00002');
  const debit = { customer, method: 'ach', amount: 40, applied_to: [] };
  const pending = await client.make('/charges', { ...debit, gateway_token: 'tok_123123123_123123893' });
  const failing = await client.make('/charges', { ...debit, gateway_token: 'tok_123123123_000222222227' });
  expect([pending.receipt_number, failing.receipt_number]).toEqual([null, null]);
  await look(client); // the last debit fails
  const after = { amount: 25, applied_to: [spent, { type: 'invoice', invoice, amount: 5 }] };
  const paid = successBody(await client.patch(`/payments/${credit.id}`, after));
  expect(paid.receipt_number).toBe('REC-00003');
  successBody(await client.patch(`/payments/${credit.id}`, { amount: 26 }));
  successBody(await client.delete(`/payments/${check.id}`));
  expect(await numbersOf(client)).toEqual(['REC-00003', 'REC-00001', 'REC-00002', null, null]);
  expect(await seriesOf(client)).toMatchObject({ first: 'REC-00001', last: 'REC-00003', missing: [] });
  const { body: found } = await client.get('/payments?filter[receipt_number]=rec-00001');
  expect(found.map(({ id }: { id: number }) => id)).toEqual([check.id]);
  const { body: events } = await client.get(`/events?related_to=payment,${check.id}`);
  expect(
    events.map((event: { data: { object: { receipt_number: string } } }) => event.data.object.receipt_number),
  ).toEqual(['REC-00001', 'REC-00001']);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

/** Numbers of the receipt series, in order. */
const inOrder = (count: number) => Array.from({ length: count }, (_, n) => `REC-${String(n + 1).padStart(5, '0')}`);

test('imported payments and others at the same time get numbers without a gap, and in the order of the rows', async () => {
  const { client, customer } = await openShop('Busy');
  const lines = Array.from({ length: 40 }, (_, n) => `2027-02-01,${n + 1}.00,R${n}`);
  const csv = ['Date,Amount,Text', ...lines].join('\n');
  const mapping = { date: 'Date', amount: 'Amount', reference: 'Text' };
  const imported = client.post('/payments/import', { csv, mapping });
  const keyed = Array.from({ length: 20 }, (_, n) => {
    // Every fourth one is refused after its rows are written.
    const applied_to = n % 4 === 0 ? [{ type: 'invoice', invoice: 4711, amount: 5 }] : [];
    return client.post('/payments', { customer, amount: 5, applied_to });
  });
  const answers = await Promise.all([imported, ...keyed]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(15).fill(201), ...Array(5).fill(400)]);
  expect((await numbersOf(client)).toSorted()).toEqual(inOrder(55));
  const { body: received } = await client.get('/payments?sort=id&filter[source]=bank_feed');
  const inRows = received.map((payment: { receipt_number: string }) => payment.receipt_number);
  expect(inRows).toEqual(inRows.toSorted());
  expect((await client.post('/payments/import', { csv, mapping, dry_run: true })).status).toBe(200);
  expect(await seriesOf(client)).toMatchObject({ first: 'REC-00001', last: 'REC-00055', missing: [] });
});

test('the series of receipts has its own prefix and next number, and skips what another prefix has given', async () => {
  const { client, customer } = await openShop('Series');
  const pay = async () => (await client.make('/payments', { customer, amount: 5 })).receipt_number;
  const set = async (receipt: object) => successBody(await client.patch('/account', { numbering: { receipt } }));
  expect((await client.get('/account')).body.numbering.receipt).toEqual({ prefix: 'REC-', next: 1 });
  await set({ prefix: 'Q', next: 100_001 });
  expect([await pay(), await pay()]).toEqual(['Q100001', 'Q100002']);
  await set({ prefix: 'Q1' });
  const lines = ['2027-02-01,1.00,a', '2027-02-01,2.00,b'];
  const csv = ['Date,Amount,Text', ...lines].join('\n');
  await client.post('/payments/import', { csv, mapping: { date: 'Date', amount: 'Amount', reference: 'Text' } });
  expect(await pay()).toBe('Q100005'); // Q100001 and Q100002 are taken
  expect((await numbersOf(client)).toSorted()).toEqual(['Q100001', 'Q100002', 'Q100003', 'Q100004', 'Q100005']);
  await set({ next: 9 });
  expect(await pay()).toBe('Q100009');
  expect((await seriesOf(client, 'Q1')).missing.at(-1)).toMatchObject({
    first: 'Q100006',
    last: 'Q100008',
    reason: 'skipped',
  });
});

test('receipts that are deleted with a test clock are explained by the audit of numbers', async () => {
  const { client, customer } = await openShop('Clock');
  const frozen_time = NOW / 1000;
  const { id: clock } = await client.make('/test_clocks', { name: 'c', frozen_time });
  const { id: test_customer } = await client.make('/customers', { name: 'Test', test_clock: clock });
  await client.make('/payments', { customer, amount: 1 });
  const { id } = await client.make('/payments', { customer: test_customer, amount: 2 });
  expect((await client.delete(`/test_clocks/${clock}`)).status).toBe(204);
  await client.make('/payments', { customer, amount: 3 });
  expect(await seriesOf(client)).toMatchObject({
    last: 'REC-00003',
    missing: [{ first: 'REC-00002', last: 'REC-00002', count: 1, reason: 'clock_deleted', document: id }],
  });
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('an account that a version without the series opened gets it', async () => {
  const { client, customer } = await openShop('Earlier');
  const forget = () =>
    api.em.fork().execute(`delete from numbering where series = 'receipt' and account_id = ?`, [client.account.id]);
  await forget();
  expect((await client.get('/account')).body.numbering.receipt).toEqual({ prefix: 'REC-', next: 1 });
  expect((await client.make('/payments', { customer, amount: 1 })).receipt_number).toBe('REC-00001');
  await forget();
  await client.patch('/account', { numbering: { receipt: { prefix: 'R/' } } });
  expect((await client.make('/payments', { customer, amount: 1 })).receipt_number).toBe('R/00001');
});

test('receipt, page, mail, file and statement show the number; an earlier receipt keeps its own', async () => {
  const { client, customer } = await openShop('Shown');
  const { id, pdf_url } = await client.make('/payments', { customer, amount: 5, method: 'check', reference: '1054' });
  const address = `${api.origin}${new URL(pdf_url).pathname}`;
  const pdf = async () => {
    const answer = await fetch(address);
    const { text } = await readPdf(new Uint8Array(await answer.clone().arrayBuffer()));
    return { name: answer.headers.get('Content-Disposition'), text, bytes: await answer.bytes() };
  };
  const numbered = await pdf();
  expect([numbered.name, numbered.text]).toEqual([
    expect.stringContaining('Receipt REC-00001.pdf'),
    expect.stringContaining('REC-00001'),
  ]);
  expect(await (await fetch(address.replace(/\/pdf$/, ''))).text()).toContain('REC-00001');
  successBody(await client.post(`/payments/${id}/emails`, {}));
  const [mail] = await api.em.fork().execute<{ text: string }[]>('select text from email order by id desc limit 1');
  expect(mail?.text).toMatch(/^Receipt +REC-00001$/m);
  const { body: statement } = await client.get(`/customers/${customer}/statement`);
  expect(statement.lines.at(-1)).toMatchObject({ type: 'payment', number: 'REC-00001' });
  // A receipt from before the series.
  const before = 'update payment set receipt_number = null, receipt_number_key = null where account_id = ? and id = ?';
  await api.em.fork().execute(before, [client.account.id, id]);
  const earlier = await pdf();
  expect(earlier.name).toContain(`Receipt ${id}.pdf`);
  successBody(await client.patch(`/payments/${id}`, { notes: 'kept' }));
  expect((await client.get(`/payments/${id}`)).body.receipt_number).toBeNull();
  expect(Buffer.compare((await pdf()).bytes, earlier.bytes)).toBe(0);
});
