import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { basic, refused, startApi, type TestApi } from '../../support/api.ts';
import { colleague } from '../../support/people.ts';
import { readPdf } from '../../support/readPdf.ts';

/** Account statements: what they list, and what they refuse. */

const at = (day: string): number => Date.parse(`${day}T12:00:00Z`) / 1000;

const APRIL_20 = '2027-04-20T15:00:00Z';
let now = APRIL_20;
let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now) });
  const { make } = api.sandbox;
  await api.sandbox.patch('/account', { apply_credits_at_issue: false });
  customer = (await make('/customers', { name: 'Ada', email: 'ada@example.com' })).id;
  const invoice = (day: string, due: string, unit_cost: number) =>
    make('/invoices', { customer, date: at(day), due_date: at(due), items: [{ name: 'x', unit_cost }] });
  const january = await invoice('2027-01-10', '2027-02-09', 100);
  await invoice('2027-03-05', '2027-04-04', 240);
  const applied_to = [{ type: 'invoice', invoice: january.id, amount: 100 }];
  await make('/payments', { customer, date: at('2027-03-20'), amount: 100, applied_to });
  await make('/payments', { customer, date: at('2027-03-25'), amount: 50, reference: '1054' });
  await make('/credit_notes', { customer, date: at('2027-04-02'), items: [{ name: 'x', unit_cost: 30 }] });
});
afterAll(() => api.close());

const path = (query = '') => `/customers/${customer}/statement${query}`;
const read = async (query = '') => (await api.sandbox.get(path(query))).body;
const march = `start=${at('2027-03-01')}&end=${at('2027-03-31')}`;

interface Line {
  type: string;
  number: string | null;
  amount: number;
  balance: number;
}
const shown = ({ lines }: { lines: Line[] }) =>
  lines.map(({ type, number, amount, balance }) => [type, number, amount, balance]);

test('a balance forward statement has the balance before its range, each movement with the balance after it, and the balance at its end', async () => {
  const statement = await read(`?${march}`);
  // 100 before March; 100 + 240 - 100 - 50 = 190
  expect(statement).toMatchObject({
    customer,
    type: 'balance_forward',
    items: null,
    currency: 'usd',
    start: Date.parse('2027-03-01T00:00:00Z') / 1000,
    end: Date.parse('2027-03-31T23:59:59Z') / 1000,
    opening_balance: 100,
    closing_balance: 190,
    total_outstanding: 240,
    unapplied_payments: 50,
    available_credits: 0,
    // the invoice of 5 March is due on 4 April
    aging: { current: 240, days_1_30: 0 },
  });
  expect(shown(statement)).toEqual([
    ['invoice', 'INV-00002', 240, 340],
    ['payment', 'REC-00001', -100, 240],
    ['payment', 'REC-00002', -50, 190],
  ]);
});

test('by default it covers the current month to now, and its balance is what the customer owes less what it has', async () => {
  const statement = await read();
  const balance = (await api.sandbox.get(`/customers/${customer}/balance`)).body;
  expect(statement).toMatchObject({
    opening_balance: 190,
    closing_balance: 160,
    aging: { current: 0, days_1_30: 240 },
  });
  expect(shown(statement)).toEqual([['credit_note', 'CN-00001', -30, 160]]);
  expect(statement.total_outstanding).toBe(balance.total_outstanding);
  expect(statement.available_credits).toBe(balance.available_credits);
});

test('an open item statement lists what is open at its end, with days past due', async () => {
  const now = await read('?type=open_item');
  expect(shown(now)).toEqual([
    ['invoice', 'INV-00002', 240, 240],
    ['payment', 'REC-00002', -50, 190],
    ['credit_note', 'CN-00001', -30, 160],
  ]);
  expect(now.lines[0]).toMatchObject({ days_past_due: 16, due_date: expect.any(Number) });
  const before = await read(`?type=open_item&end=${at('2027-02-28')}`);
  // due on 9 February
  expect(before).toMatchObject({ closing_balance: 100, aging: { current: 0, days_1_30: 100 } });
  expect(shown(before)).toEqual([['invoice', 'INV-00001', 100, 100]]);
  const late = await read('?type=open_item&items=past_due');
  expect(shown(late)).toEqual([['invoice', 'INV-00002', 240, 240]]);
  const later = await read(`?type=open_item&start=${at('2027-03-10')}`);
  expect(later).toMatchObject({ opening_balance: 240, closing_balance: 160 });
  expect(shown(later).map(([type]) => type)).toEqual(['payment', 'credit_note']);
});

test.each([
  [
    `start=${at('2027-03-02')}&end=${at('2027-03-01')}`,
    'end',
    'The range ends on 2027-03-01, before it begins on 2027-03-02',
  ],
  [`start=${at('2027-05-01')}`, 'start', 'The range ends on 2027-04-20, before it begins on 2027-05-01'],
  [
    `start=${at('2027-05-01')}&end=${at('2027-06-01')}`,
    'start',
    'The range begins on 2027-05-01, which has not come yet: today is 2027-04-20',
  ],
  ['currency=chf', 'currency', 'Customer has no entries in this currency: chf'],
  ['currency=xxx', 'currency', 'currency must be an ISO 4217 currency code: xxx'],
  ['items=open', 'items', 'Only statements of type open_item have items: leave it out'],
  ['type=all', 'type', 'type must be one of balance_forward, open_item: all'],
  ['start=yesterday', 'start', expect.stringContaining('start must be a UNIX time')],
  ['type=open_item&type=open_item', 'type', 'type must not be repeated'],
])('a statement with %s is refused', async (query, param, message) => {
  expect(await api.sandbox.get(path(`?${query}`))).toMatchObject(refused({ param, message }));
});

test('a range before the first entry, and a customer without entries, have an empty statement', async () => {
  const early = await read(`?start=${at('2020-01-01')}&end=${at('2020-12-31')}`);
  expect(early).toMatchObject({ opening_balance: 0, closing_balance: 0, lines: [] });
  const { id } = await api.sandbox.make('/customers', { name: 'New', currency: 'chf' });
  expect((await api.sandbox.get(`/customers/${id}/statement`)).body).toMatchObject({ currency: 'chf', lines: [] });
});

test('with Accept: application/pdf it is a PDF, and so is its public address until it is revoked', async () => {
  const pdf = await fetch(api.sandbox.url + path(`?${march}`), {
    headers: { ...basic(api.sandbox.key), Accept: 'application/pdf' },
  });
  expect(pdf.headers.get('Content-Disposition')).toBe('inline; filename="Statement of account CUST-00001.pdf"');
  await expectPdf(pdf);
  const open: string = (await api.sandbox.get(`/customers/${customer}`)).body.statement_pdf_url;
  const visit = (address: string) => fetch(address.replace('https://billing.example', api.origin));
  const latest = await visit(open);
  expect(latest.headers.get('X-Robots-Tag')).toBe('noindex, nofollow');
  expect(latest.headers.get('Cache-Control')).toBe('private, no-store');
  await expectPdf(latest);
  expect((await visit(open.replace(/.{4}\/pdf$/, '0000/pdf'))).status).toBe(404);
  expect((await visit(open.replace('/pdf', ''))).status).toBe(404);
  const { statement_pdf_url: renewed } = (await api.sandbox.post(`/customers/${customer}/revoke_links`)).body;
  expect((await visit(open)).status).toBe(404);
  await expectPdf(await visit(renewed));
});

async function expectPdf(answer: Response): Promise<void> {
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'application/pdf']);
  expect(
    Buffer.from(await answer.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
}

test('a mail has the figures of the statement, and carries it as it was when the mail was written', async () => {
  const send = (body: object) => api.sandbox.post(`/customers/${customer}/emails`, body);
  const [start, end] = [at('2027-03-01'), at('2027-03-31')];
  const sent = await send({ start, end, subject: 'Your March', bcc: 'books@example.com' });
  expect([sent.status, sent.body]).toMatchObject([
    200,
    [{ email: 'ada@example.com', template: 'statement_email', state: 'queued', subject: 'Your March' }],
  ]);
  expect(sent.body[0].message).toMatch(
    /^Hello Ada, your statement of account for Mar 1\W+31, 2027 is attached\. You owe this balance\.$/,
  );
  const [row] = await api.em.fork().execute('select text, bcc, document from email where id = ?', [sent.body[0].id]);
  // 240 owed less 50 that is not applied is 190
  for (const line of [
    /Opening balance +\$100\.00/,
    /Open invoices +\$240\.00/,
    /Payments not applied yet +−\$50\.00/,
    /Balance +\$190\.00/,
  ])
    expect(row?.text).toMatch(line);
  expect(row).toMatchObject({
    bcc: ['books@example.com'],
    document: { type: 'statement', id: customer, kind: 'balance_forward' },
  });
  const open = await send({ to: [{ name: 'Bob', email: 'bob@example.com' }], type: 'open_item', items: 'past_due' });
  expect(open.body).toMatchObject([
    { email: 'bob@example.com', message: expect.stringContaining('You owe this balance.') },
  ]);
  const own = { template: 'statement_email', message: 'As you asked.', start: at('2027-03-21'), end };
  const late = (await send(own)).body;
  expect(late).toMatchObject([{ template: 'statement_email', message: 'As you asked.' }]);
  const [since] = await api.em.fork().execute('select text from email where id = ?', [late[0].id]);
  expect(since?.text).toMatch(/Opening balance +\$240\.00/); // 100 + 240 - 100
  const message = 'Template must be one of statement_email: credit_note_email';
  expect(await send({ template: 'credit_note_email' })).toMatchObject(refused({ param: 'template', message }));
});

test.each([
  [
    { start: at('2027-03-02'), end: at('2027-03-01') },
    'end',
    'The range ends on 2027-03-01, before it begins on 2027-03-02',
  ],
  [{ currency: 'chf' }, 'currency', 'Customer has no entries in this currency: chf'],
  [{ items: 'open' }, 'items', 'Only statements of type open_item have items: leave it out'],
  [{ to: [] }, 'to', 'There are no recipients: to is empty'],
  [{ type: 'all' }, 'type', 'Type must be one of balance_forward, open_item: all'],
])('sending a statement with %j is refused', async (body, param, message) => {
  expect(await api.sandbox.post(`/customers/${customer}/emails`, body)).toMatchObject(refused({ param, message }));
});

test('of an invoice on a payment plan, the missed installments are past due, each by its own date, and the others are not', async () => {
  const { make } = api.sandbox;
  now = '2027-03-01T15:00:00Z';
  const { id } = await make('/customers', { name: 'Planned' });
  const invoice = await make('/invoices', { customer: id, items: [{ name: 'x', unit_cost: 1200 }] });
  const days = ['2027-03-05', '2027-04-10', '2027-05-10', '2027-06-10'];
  const installments = days.map((day) => ({ date: at(day), amount: 300 }));
  const planned = await api.sandbox.request('PUT', `/invoices/${invoice.id}/payment_plan`, { installments });
  expect(planned).toMatchObject({ status: 200 });
  now = APRIL_20;
  const pay = (amount: number) =>
    make('/payments', { customer: id, amount, applied_to: [{ type: 'invoice', invoice: invoice.id, amount }] });
  await pay(200);
  const of = async (query = '') => (await api.sandbox.get(`/customers/${id}/statement${query}`)).body;
  expect(await of()).toMatchObject({
    total_outstanding: 1000,
    aging: { current: 600, days_1_30: 300, days_31_60: 100, days_61_90: 0 },
  });
  expect(shown(await of('?type=open_item'))).toEqual([['invoice', invoice.number, 1000, 1000]]);
  expect(shown(await of('?type=open_item&items=past_due'))).toEqual([['invoice', invoice.number, 400, 400]]);
  const pdf = await fetch(`${api.sandbox.url}/customers/${id}/statement`, {
    headers: { ...basic(api.sandbox.key), Accept: 'application/pdf' },
  });
  const { text } = await readPdf(new Uint8Array(await pdf.arrayBuffer()));
  expect(text.replaceAll(/\s+/g, ' ')).toMatch(/Past due \$400\.00|\$400\.00/);
});

test('the mail with a statement is previewed as it would be sent, by whom may send it, and nothing is stored', async () => {
  await api.live.make('/roles', { id: 'sender', name: 'Sender', permissions: ['customers.read', 'customers.write'] });
  const sender = await colleague(api, api.sandbox, { role: 'sender' });
  const to = [{ name: 'Bea', email: 'bea@example.com' }];
  const asked = { to, type: 'open_item', subject: 'What is open', message: 'Please pay by Friday.' };
  const preview = `/customers/${customer}/emails/preview`;
  const before = (await api.sandbox.get('/emails')).body;
  const { status, body } = await sender.client.post(preview, asked);
  expect({ status, body }).toMatchObject({ status: 200, body: { to, subject: 'What is open' } });
  expect(body.text).toContain('Please pay by Friday.');
  expect(body.html).toContain('Please pay by Friday.');
  const usual = await api.sandbox.post(preview, {});
  expect(usual.body).toMatchObject({ to: [{ name: 'Ada', email: 'ada@example.com' }] });
  expect((await api.sandbox.get('/emails')).body).toEqual(before);
  const sent = await api.sandbox.post(`/customers/${customer}/emails`, asked);
  expect(sent.body).toMatchObject([{ email: 'bea@example.com', subject: body.subject }]);
  expect(await api.sandbox.post(preview, { to: [] })).toMatchObject(refused({ param: 'to' }));
  expect((await api.sandbox.post('/customers/999999/emails/preview', {})).status).toBe(404);
});
