import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { missingFields } from '../../support/apiFields.ts';

let api: TestApi;
/** Documents by name: of a customer with and without an email address, voided, paid. */
const invoices: Record<string, number> = {};
const payments: Record<string, number> = {};
let payer: number;
beforeAll(async () => {
  api = await startApi();
  const make = async (path: string, body: object) => (await api.sandbox.post(path, body)).body.id;
  const customer = await make('/customers', { name: 'Ada', email: 'ada@example.com' });
  payer = customer;
  const silent = await make('/customers', { name: 'Silent' });
  const items = [{ unit_cost: 40 }];
  for (const name of ['open', 'voided', 'paid']) invoices[name] = await make('/invoices', { customer, items });
  invoices.silent = await make('/invoices', { customer: silent, items });
  await api.sandbox.post(`/invoices/${invoices.voided}/void`);
  const applied_to = [{ type: 'invoice', invoice: invoices.paid, amount: 40 }];
  payments.check = await make('/payments', { customer, amount: 40, method: 'check', reference: '1054', applied_to });
  payments.unknown = await make('/payments', { amount: 1 });
  payments.voided = await make('/payments', { customer, amount: 1 });
  await api.sandbox.delete(`/payments/${payments.voided}`);
});
afterAll(() => api.close());

const people = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ name: `N${n}`, email: `n${n}@example.com` }));
const sendInvoice = (name: string, body: unknown = {}) => api.sandbox.post(`/invoices/${invoices[name]}/emails`, body);
const sendReceipt = (name: string, body: unknown = {}) => api.sandbox.post(`/payments/${payments[name]}/emails`, body);

test('a send answers an email for each of up to twenty recipients, with every field; emails can be read and listed', async () => {
  const answer = await sendInvoice('open', {
    to: people(20),
    bcc: 'a@example.com',
    message: 'x'.repeat(10_000),
    subject: 'x'.repeat(255),
  });
  expect(answer.status).toBe(200);
  expect(answer.body).toHaveLength(20);
  expect(answer.body.flatMap((email: object) => missingFields('email', email))).toEqual([]);
  const [first] = answer.body;
  expect(await api.sandbox.get(`/emails/${first.id}`)).toMatchObject({ status: 200, body: first });
  expect((await api.sandbox.get('/emails?filter[email]=n0@example.com')).body).toEqual([first]);
  expect((await api.sandbox.get('/emails?filter[state]=queued&per_page=5')).body).toHaveLength(5);
});

test.each([
  ['open', undefined, 'new_invoice_email', 'please pay this invoice'],
  ['open', 'unpaid_invoice_email', 'unpaid_invoice_email', 'please pay this invoice'],
  ['paid', undefined, 'paid_invoice_email', 'nothing is left for you to do.'],
  ['paid', 'new_invoice_email', 'new_invoice_email', 'this invoice is paid; nothing is left for you to do.'],
])('sending an invoice that is %s with template %s uses %s', async (name, wanted, template, sentence) => {
  const { status, body } = await sendInvoice(name, { template: wanted });
  expect([status, body]).toMatchObject([
    200,
    [{ template, message: expect.stringContaining(`Hello Ada, ${sentence}`) }],
  ]);
});

test('a receipt is sent to the customer, or to the recipients that the request names', async () => {
  const { status, body } = await sendReceipt('check');
  expect([status, body]).toMatchObject([200, [{ email: 'ada@example.com', template: 'payment_receipt_email' }]]);
  expect(body[0].subject).toMatch(/^Receipt for INV-\d{5} from Acme$/);
  const [row] = await api.em.fork().execute('select text from email where id = ?', [body[0].id]);
  for (const line of [/Paid with +Check/, /Reference +1054/, /Invoice INV-\d{5} +\$40\.00/, /Total paid +\$40\.00/])
    expect(row?.text).toMatch(line);
  expect(await sendReceipt('unknown')).toMatchObject(refused({ param: 'to' }));
  const to = [{ email: 'somebody@example.com' }];
  expect(await sendReceipt('unknown', { to })).toMatchObject({
    status: 200,
    body: [{ email: 'somebody@example.com' }],
  });
});

const name = 'Ada';
const email = 'ada@example.com';

test.each<[string, object, string | undefined, string]>([
  ['open', { to: [] }, 'to', 'There are no recipients: to is empty'],
  ['silent', {}, 'to', 'There are no recipients: the customer and its primary contacts have no email address'],
  ['open', { to: people(21) }, 'to', 'To may have at most 20 elements'],
  ['open', { to: email }, 'to', 'To must be a list'],
  ['open', { to: [{ name, email }, { name }] }, 'to[1][email]', 'Email missing'],
  ['open', { to: [{ name, email: 'ada' }] }, 'to[0][email]', 'Email must be an email address: ada'],
  ['open', { to: [{ name: 'x'.repeat(256), email }] }, 'to[0][name]', 'Name must have at most 255 characters'],
  [
    'open',
    { to: [{ title_of_person: '1', email }] },
    'to[0][title_of_person]',
    'Unknown field title_of_person; did you mean name?',
  ],
  ['open', { bcc: 'books@example.com, nobody' }, 'bcc', 'Bcc must be an email address: nobody'],
  [
    'open',
    {
      bcc: people(21)
        .map((one) => one.email)
        .join(),
    },
    'bcc',
    'Bcc may have at most 20 addresses',
  ],
  ['open', { bcc: [email] }, 'bcc', 'Bcc must be text'],
  ['open', { subject: 'x'.repeat(256) }, 'subject', 'Subject must have at most 255 characters'],
  ['open', { message: 'x'.repeat(10_001) }, 'message', 'Message must have at most 10000 characters'],
  ['open', { mesage: 'x' }, 'mesage', 'Unknown field mesage; did you mean message?'],
  [
    'open',
    { template: 'payment_receipt_email' },
    'template',
    'Template must be one of new_invoice_email, unpaid_invoice_email, paid_invoice_email: payment_receipt_email',
  ],
  [
    'open',
    { template: 'paid_invoice_email' },
    'template',
    'Invoice is not paid: use new_invoice_email or unpaid_invoice_email',
  ],
  [
    'paid',
    { template: 'unpaid_invoice_email' },
    'template',
    'Invoice is paid: use paid_invoice_email or new_invoice_email',
  ],
  ['voided', {}, undefined, 'Invoice is voided'],
])('sending an invoice that is %s with %.60j is refused', async (which, body, param, message) => {
  const before = (await api.sandbox.get('/emails')).headers.get('X-Total-Count');
  expect(await sendInvoice(which, body)).toMatchObject(
    refused({ type: 'invalid_request', message, ...(param ? { param } : {}) }),
  );
  expect((await api.sandbox.get('/emails')).headers.get('X-Total-Count')).toBe(before);
});

test("a receipt of a voided or pending payment is not sent, nor a receipt by an invoice's template", async () => {
  expect(await sendReceipt('voided')).toMatchObject(refused({ message: 'Payment is voided: it has no receipt' }));
  const pending = { method: 'ach', gateway_token: 'tok_123123123_123123893', customer: payer, amount: 40 };
  const { body: charged } = await api.sandbox.post('/charges', { ...pending, applied_to: [] });
  expect(charged).toMatchObject({ charge: { status: 'pending' } });
  expect(await api.sandbox.post(`/payments/${charged.id}/emails`, {})).toMatchObject(
    refused({ message: 'Payment is pending: it has a receipt once it has succeeded' }),
  );
  const wrong = await sendReceipt('check', { template: 'new_invoice_email' });
  expect(wrong).toMatchObject(refused({ param: 'template' }));
});

test('emails of an account without open tracking contain no pictures', async () => {
  const { body } = await sendInvoice('open');
  await api.sandbox.patch('/account', { email_open_tracking: false });
  const plain = (await sendInvoice('open')).body;
  const html = async ([sent]: { id: string }[]) =>
    (await api.em.fork().execute('select html from email where id = ?', [sent?.id]))[0]?.html;
  expect([/\/opened\//.test(await html(body)), /\/opened\/|<img/.test(await html(plain))]).toEqual([true, false]);
});

test('no request failed with a server error', () => {
  expect(api.faults).toEqual([]);
});
