import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { type Answer, type Client, refused, startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
let client: Client;
let businesses = 0;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  businesses += 1;
  client = (await api.open(`Business ${businesses}`)).sandbox;
});

const mapping = { date: 'Date', amount: 'Amount', reference: 'Text', sender: 'Sender' };
const csvOf = (...rows: string[]) => ['Date,Amount,Text,Sender', ...rows].join('\n');

const send = (rows: string[], more: object = {}, headers: Record<string, string> = {}): Promise<Answer> =>
  client.post('/payments/import', { csv: csvOf(...rows), mapping, ...more }, headers);

async function imported(rows: string[], more: object = {}): Promise<Answer['body'][]> {
  const { status, body } = await send(rows, more);
  const reading = 'dry_run' in more ? { reading: expect.any(Object) } : {};
  expect([status, body]).toEqual([200, { rows: expect.any(Array), ...reading }]);
  return body.rows;
}

const missing = (column: string) => `The header has no column ${column}`;
const containing = (text: string): unknown => expect.stringContaining(text);
const many = Array.from({ length: 1001 }, () => '2027-03-01,1,x,');

const payments = async (): Promise<Answer['body'][]> => (await client.get('/payments?sort=id')).body;

test('a receipt becomes a payment, which is matched; debits, zeros and faults do not', async () => {
  await client.patch('/account', { time_zone: 'Europe/Berlin' });
  const customer = (await client.make('/customers', { name: 'Payer' })).id;
  const invoice = await client.make('/invoices', { customer, items: [{ unit_cost: 240 }] });
  const named = await client.make('/invoices', { customer, items: [{ unit_cost: 17 }] });
  const rows = await imported([
    '2027-03-01,240.00,March,DE02',
    `2027-03-02,5.50,"for ${named.number}, thanks",`,
    '2027-03-03,-9.00,Rent,',
    '2027-03-03,0.00,Nothing,',
    '2027-02-30,1.00,Never,',
    '2027-03-04,1.00,Other,',
  ]);
  const made = await payments();
  expect(rows).toEqual([
    { row: 2, status: 'created', payment: made[0].id },
    { row: 3, status: 'created', payment: made[1].id },
    { row: 4, status: 'ignored', reason: 'debit' },
    { row: 5, status: 'ignored', reason: 'zero' },
    {
      row: 6,
      status: 'refused',
      error: { code: 'parameter_invalid', param: 'date', message: expect.stringContaining('2027-02-30') },
    },
    { row: 7, status: 'created', payment: made[2].id },
  ]);
  const date = Date.parse('2027-03-01T00:00:00+01:00') / 1000;
  const about = { customer: null, currency: 'usd', source: 'bank_feed', method: 'eft', voided: false };
  expect(made).toMatchObject([
    {
      ...about,
      date,
      amount: 240,
      balance: 240,
      reference: 'March',
      ach_sender_id: 'DE02',
      notes: null,
      matched: true,
    },
    { ...about, amount: 5.5, reference: `for ${named.number}, thanks`, ach_sender_id: null, matched: true },
    { ...about, amount: 1, matched: false },
  ]);
  const [match] = (await client.get(`/payments/${made[0].id}/matches`)).body;
  expect(match).toMatchObject({ customer, applied_to: [{ invoice: invoice.id, amount: 240 }] });
  const events = (await client.get('/events')).body.filter(({ type }: { type: string }) => type === 'payment.created');
  expect(events.map(({ data }: Answer['body']) => data.object).toReversed()).toEqual(made);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('a row that was imported before is a duplicate, equal rows of one statement are not', async () => {
  const coffee = '2027-03-01,3.00,Coffee,A';
  const first = await imported([coffee, coffee, '2027-03-01,3.00,Coffee,B']);
  expect(first.map(({ status }) => status)).toEqual(['created', 'created', 'created']);
  const again = await imported(['2027-03-02,3.00,Coffee,A', coffee, coffee, coffee]);
  expect(again).toMatchObject([
    { row: 2, status: 'created' },
    { row: 3, status: 'duplicate', payment: first[0].payment },
    { row: 4, status: 'duplicate', payment: first[1].payment },
    { row: 5, status: 'created' },
  ]);
  await client.delete(`/payments/${first[0].payment}`);
  expect((await imported([coffee]))[0]).toMatchObject({ status: 'duplicate', payment: first[0].payment });
  expect(await payments()).toHaveLength(5);
  const other = (await api.open('Other')).sandbox;
  const theirs = await other.post('/payments/import', { csv: csvOf(coffee), mapping });
  expect(theirs.body).toMatchObject({ rows: [{ status: 'created' }] });
});

test('rows that differ only in their currency are different payments', async () => {
  const csv = 'Date,Amount,Text,Currency\n2027-03-01,3.00,Coffee,EUR\n';
  const columns = { date: 'Date', amount: 'Amount', reference: 'Text', currency: 'Currency' };
  const statement = (text: string) => client.post('/payments/import', { csv: text, mapping: columns });
  expect((await statement(csv)).body).toMatchObject({ rows: [{ status: 'created' }] });
  expect((await statement(csv.replace('EUR', 'USD'))).body).toMatchObject({ rows: [{ status: 'created' }] });
  expect((await statement(csv)).body).toMatchObject({ rows: [{ status: 'duplicate' }] });
});

test('imports of one statement at the same time create each payment once', async () => {
  const rows = Array.from({ length: 20 }, (_, index) => `2027-03-01,${index + 1}.00,Row,A`);
  const answers = await Promise.all([send(rows), send(rows), send(rows)]);
  const statuses = answers.flatMap(({ body }) => body.rows.map(({ status }: { status: string }) => status));
  expect(statuses.filter((status) => status === 'created')).toHaveLength(20);
  expect(statuses.filter((status) => status === 'duplicate')).toHaveLength(40);
  expect(await payments()).toHaveLength(20);
});

test('a dry run stores nothing and says what an import would do', async () => {
  const rows = ['2027-03-01,3.00,Coffee,A', '2027-03-01,x,Tea,A'];
  const dry = await imported(rows, { dry_run: true });
  expect(dry).toEqual([
    {
      row: 2,
      status: 'created',
      date: '2027-03-01',
      amount: 3,
      currency: 'usd',
      direction: 'credit',
      reference: 'Coffee',
      sender: 'A',
    },
    {
      row: 3,
      status: 'refused',
      error: { code: 'parameter_invalid', param: 'amount', message: expect.stringContaining('must be a number') },
    },
  ]);
  expect(await payments()).toEqual([]);
  const [created] = await imported(rows);
  expect(await imported(rows, { dry_run: true })).toMatchObject([
    { status: 'duplicate', payment: created.payment },
    { status: 'refused' },
  ]);
});

test('a statement may have its own formats, currency and debit column', async () => {
  const csv = 'Buchung;Soll;Haben;Währung\r\n1.3.2027;;1.234,50;EUR\r\n2.3.2027;7,00;;EUR\r\n3.3.2027;;500;JPY\r\n';
  const columns = { date: 'buchung', amount: 'haben', debit: 'soll', currency: 'währung' };
  const formats = { date_format: 'DD.MM.YYYY', decimal_separator: ',' };
  const answer = await client.post('/payments/import', { csv, mapping: columns, ...formats });
  expect(answer).toMatchObject({ status: 200, body: { rows: [{ row: 2 }, { reason: 'debit' }, { row: 4 }] } });
  expect(await payments()).toMatchObject([
    { amount: 1234.5, currency: 'eur', reference: null },
    { amount: 500, currency: 'jpy' },
  ]);
});

test('a long text is kept in the notes, a repeated request has the first answer', async () => {
  const text = 'x'.repeat(300);
  const headers = { 'Idempotency-Key': 'statement of March' };
  const first = await send([`2027-03-01,1.00,${text},`], {}, headers);
  const again = await send([`2027-03-01,1.00,${text},`], {}, headers);
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('Idempotent-Replayed')).toBe('true');
  expect(await payments()).toMatchObject([{ reference: 'x'.repeat(255), notes: text }]);
});

test.each<[what: string, param: string, body: object, message: unknown]>([
  ['no text', 'csv', { csv: undefined }, containing('Csv missing')],
  ['no mapping', 'mapping', { mapping: undefined }, containing('Mapping missing')],
  ['a mapping without amount', 'mapping[amount]', { mapping: { date: 'Date' } }, 'Amount missing'],
  ['a mapped column that is missing', 'mapping[sender]', { mapping: { ...mapping, sender: 'IBAN' } }, missing('IBAN')],
  ['an unknown field', 'mapping[text]', { mapping: { ...mapping, text: 'Text' } }, containing('Unknown field text')],
  ['more than a thousand rows', 'csv', { csv: csvOf(...many) }, 'A statement may have at most 1000 rows'],
  ['more than a mebibyte', 'csv', { csv: 'é'.repeat(600_000) }, 'Csv must have at most 1048576 bytes'],
  ['another format of dates', 'date_format', { date_format: 'D.M.Y' }, containing('must be one of YYYY-MM-DD')],
  ['another separator', 'decimal_separator', { decimal_separator: ';' }, containing('must be one of ., ,')],
])('%s is refused, naming %s', async (_what, param, body, message) => {
  const answer = await client.post('/payments/import', { csv: csvOf('2027-03-01,1.00,x,'), mapping, ...body });
  expect(answer).toMatchObject(refused({ param, message }));
  expect(await payments()).toEqual([]);
});

test('a thousand rows take hardly more statements than two', async () => {
  const rows = (count: number, text: string) =>
    Array.from({ length: count }, (_, n) => `2027-03-01,${n + 1}.00,${text} ${n},`);
  const few = await api.statements(() => imported(rows(2, 'first')));
  const all = await api.statements(() => imported(rows(1000, 'INV 7 of')));
  expect(all.length).toBeLessThanOrEqual(few.length + 10); // payments are written 250 at a time
  expect(await client.get('/payments')).toMatchObject({ status: 200 });
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('an amount with a word for money out is a debit, also beside a currency', async () => {
  const rows = await imported([
    '2027-03-01,£12.50 DR,x,',
    '2027-03-02,$45.00DR,x,',
    '2027-03-03,"EUR 100,00 S",x,',
    '2027-03-04,€ 50.00 D,x,',
    '2027-03-05,£12.50 CR,x,',
  ]);
  expect(rows.map(({ status }) => status)).toEqual(['ignored', 'ignored', 'ignored', 'ignored', 'created']);
  expect(await payments()).toMatchObject([{ amount: 12.5, currency: 'gbp' }]);
});

test('a row is known again when a later import also reads its payer', async () => {
  const csv = ['Date,Amount,Text,Sender,Payer', '2027-03-01,10,a,,Ann', '2027-03-01,10,a,,Ben', '2027-03-02,3,b,,Ann'];
  const first = csv.slice(0, 3).join('\n'); // without the last row
  const statuses = async (text: string, more: object) => {
    const { body } = await client.post('/payments/import', { csv: text, mapping: { ...mapping, ...more } });
    return body.rows.map(({ status }: { status: string }) => status);
  };
  expect(await statuses(first, {})).toEqual(['created', 'created']);
  expect(await statuses(csv.join('\n'), { payer: 'Payer' })).toEqual(['duplicate', 'duplicate', 'created']);
  expect(await statuses(csv.join('\n'), { payer: 'Payer' })).toEqual(['duplicate', 'duplicate', 'duplicate']);
  expect(await payments()).toHaveLength(3);
});
