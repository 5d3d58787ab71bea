import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { customTemplates } from '../../../billing/mail/emailTemplates.ts';
import { type Client, refused, startApi, successBody, type TestApi } from '../../support/api.ts';
import { addMember } from '../../support/oauth.ts';
import { colleague } from '../../support/people.ts';

// Email templates of an account: their versions, mistakes that are refused, previews and test mails. Amounts: 2 x 120.00 + 9.90 = 249.90.

const INVOICE = '/email_templates/new_invoice_email-en';

/** The templates of all mails to customers. */
const PROMISED = [
  'new_invoice_email',
  'unpaid_invoice_email',
  'late_payment_reminder_email',
  'paid_invoice_email',
  'payment_receipt_email',
  'refund_email',
  'auto_payment_failed_email',
  'payment_plan_email',
  'credit_note_email',
  'estimate_email',
  'statement_email',
  'subscription_confirmation_email',
  'subscription_renews_soon_email',
  'subscription_canceled_email',
  'contract_ending_email',
] as const;

let api: TestApi;
let client: Client;
beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
});
afterAll(() => api.close());

const change = async (body: object, path = INVOICE) => successBody(await client.patch(path, body));

async function invoice() {
  const customer = (await client.make('/customers', { name: 'Ada Lovelace', email: 'ada@example.com' })).id;
  const items = [
    { name: 'Support hour', quantity: 2, unit_cost: 120 },
    { name: 'Postage', unit_cost: 9.9 },
  ];
  return client.make('/invoices', { customer, items });
}

test('the list has every template in the language of the account, and those that were changed in others', async () => {
  await change({ subject: 'Rechnung {{invoice.number}}' }, '/email_templates/new_invoice_email-de');
  const { body } = await client.get('/email_templates');
  const inEnglish = body.filter((one: { language: string }) => one.language === 'en');
  expect(inEnglish.map((one: { template: string }) => one.template)).toEqual(customTemplates);
  for (const promised of PROMISED) expect(customTemplates).toContain(promised);
  expect(body).toHaveLength(customTemplates.length + 1);
  expect(body).toContainEqual(
    expect.objectContaining({ id: 'new_invoice_email-de', object: 'email_template', custom: true, version: 1 }),
  );
  await client.delete('/email_templates/new_invoice_email-de');
  expect((await client.get('/email_templates')).body).toHaveLength(customTemplates.length);
});

test('a change is a version; earlier ones can be restored; deleting returns to the default', async () => {
  const path = '/email_templates/estimate_email-en';
  expect(await change({ subject: 'One' }, path)).toMatchObject({
    custom: true,
    version: 1,
    updated_by: -2,
    html: null,
  });
  expect(await change({ html: '<p>{{estimate.total}}</p>' }, path)).toMatchObject({ subject: 'One', version: 2 });
  expect(await change({ subject: 'One' }, path)).toMatchObject({ version: 2 });
  expect(await client.request('PATCH', path, { subject: 'One' })).toMatchObject({ status: 200, body: { version: 2 } });
  expect((await client.delete(path)).status).toBe(204);
  expect((await client.get(path)).body).toMatchObject({ custom: false, subject: null, html: null, version: 3 });
  const restored = successBody(await client.post(`${path}/restore`, { version: 2 }));
  expect(restored).toMatchObject({ subject: 'One', html: '<p>{{estimate.total}}</p>', version: 4 });
  const versions = (await client.get(`${path}/versions`)).body;
  expect(versions.map((one: { version: number }) => one.version)).toEqual([4, 3, 2, 1]);
  expect(await client.post(`${path}/restore`, { version: 9 })).toMatchObject(refused({ param: 'version' }));
});

test.each([
  [
    { subject: 'To {{invoice.nubmer}}' },
    'subject',
    /^Unknown variable: invoice.nubmer \(line 1, column 6\); did you mean invoice.number\?$/,
  ],
  [{ html: '<p>\n\n{{#if paid}}' }, 'html', /^Syntax error: Parse error on line 3: /],
  [{ text: '{{monye "1" "usd"}}' }, 'text', /^Unknown helper: monye \(line 1, column 3\); did you mean money\?$/],
  [{ html: '<script>x</script>' }, 'html', /^Not allowed in mails: <script> \(line 1\)$/],
  [{ html: 'é'.repeat(32 * 1024 + 1) }, 'html', /64 KiB/],
  [{ html: 'a\0b' }, 'html', /null characters/],
  [{ subject: '{{#if paid}}x{{/if}}' }, 'subject', /Unknown variable: paid/],
  [{ subject: '{{#unless figure}}x{{/unless}}' }, 'subject', /empty/],
])('%.60j is refused', async (body, param, message) => {
  const before = (await client.get(INVOICE)).body;
  const expected = refused({ param, message: expect.stringMatching(message) });
  expect(await client.patch(INVOICE, body)).toMatchObject(expected);
  expect((await client.get(INVOICE)).body).toEqual(before);
});

test.each([
  '/email_templates/no_email-en',
  '/email_templates/new_invoice_email-xx',
  '/email_templates/webhook_disabled_email-en',
])('%s does not exist', async (path) => {
  expect((await client.get(path)).status).toBe(404);
  expect((await client.patch(path, { subject: 'x' })).status).toBe(404);
});

test('a preview shows samples or a real invoice, also with sources that are not saved, and stores nothing', async () => {
  const { id, number } = await invoice();
  const html = '{{recipient.name}}: {{invoice.balance}} {{#each lines}}[{{name}} {{amount}}]{{/each}}';
  const shown = await client.post(`${INVOICE}/preview`, {
    subject: '{{invoice.number}}',
    html,
    object: { type: 'invoice', id },
  });
  const body = successBody(shown);
  expect(body.subject).toBe(number);
  expect(body.text).toContain('Ada Example: $249.90 [Support hour $240.00][Postage $9.90]');
  expect(body.html).toContain('Ada Example: $249.90 [Support hour $240.00][Postage $9.90]');
  const sample = successBody(await client.post(`${INVOICE}/preview`, { html }));
  expect(sample.text).toContain('Ada Example: $249.00 [Gold plan $249.00]');
  const [stored] = await api.em
    .fork()
    .execute("select count(*)::int as count from email where template = 'new_invoice_email'");
  expect(stored).toEqual({ count: 0 });
  const estimate = await client.post('/email_templates/estimate_email-en/preview', { object: { type: 'invoice', id } });
  expect(estimate).toMatchObject(refused({ param: 'template' }));
});

test('a sample is in the language of the template, from the account and in its currency', async () => {
  await client.patch('/account', { name: 'Acme Messtechnik', currency: 'eur', country: 'DE' });
  const path = '/email_templates/auto_payment_failed_email-he';
  const sample = successBody(await client.post(`${path}/preview`, { text: '{{seller.name}}|{{invoice.balance}}' }));
  expect(sample.text).toMatch(/Acme Messtechnik\|.*249\.00.*€/);
  expect(sample.html).toContain('<html lang="he" dir="rtl"');
  expect(sample.html).toContain('עדה לדוגמה');
  await client.patch('/account', { name: 'Acme', currency: 'usd', country: null });
});

test('the mail of a statement has a template, whose preview shows the latest statement of a customer', async () => {
  const { customer } = await invoice();
  const path = '/email_templates/statement_email-en';
  await change({ subject: '{{statement.balance}}{{#if statement.owed}} is owed{{/if}}' }, path);
  const html = '<p>{{statement.opening_balance}}{{#each ages}} [{{label}}: {{amount}}]{{/each}}</p>';
  const shown = successBody(await client.post(`${path}/preview`, { html, object: { type: 'customer', id: customer } }));
  // an invoice of 249.90, due in the future
  expect(shown.subject).toBe('$249.90 is owed');
  expect(shown.text).toContain('$0.00 [Not due yet: $249.90] [1 to 30 days past due: $0.00]');
  await client.delete(path);
  // in January 2020 the customer owed nothing
  const january = { type: 'balance_forward', start: 1_578_000_000, end: 1_580_000_000 };
  const asked = { object: { type: 'customer', id: customer }, statement: january };
  const early = successBody(await client.post(`${path}/preview`, asked));
  expect(early.text).toMatch(/Jan 2\W+26, 2020[\s\S]*Balance +\$0\.00/);
  const reversed = { ...asked, statement: { ...january, end: 1_570_000_000 } };
  expect(await client.post(`${path}/preview`, reversed)).toMatchObject(refused({ param: 'end' }));
});

test('a statement is chosen only for the mail about a customer', async () => {
  const { id, customer } = await invoice();
  const statement = { type: 'open_item' };
  const refusal = refused({ param: 'statement', message: 'Only the mail about a customer has a statement' });
  for (const object of [{ type: 'invoice', id }, { type: 'invoice', id: customer }, undefined])
    expect(await client.post(`${INVOICE}/preview`, { object, statement })).toMatchObject(refusal);
});

test('a preview of an object needs the permission to read it; samples need that of the settings only', async () => {
  const { id, customer } = await invoice();
  const names = (type: string) => ({ invoice: id, customer })[type] ?? 1;
  const look = async (who: Client, path: string, type: string) =>
    who.post(`${path}/preview`, { object: { type, id: names(type) } });
  await api.live.make('/roles', { id: 'designer', name: 'Designer', permissions: ['settings.read', 'settings.write'] });
  await api.live.make('/roles', { id: 'writer', name: 'Writer', permissions: ['settings.read', 'customers.read'] });
  const [designer, writer] = await Promise.all(['designer', 'writer'].map((role) => colleague(api, client, { role })));
  if (!designer || !writer) throw new Error('nobody');
  const STATEMENT = '/email_templates/statement_email-en';
  const { id: theme } = await client.make('/themes', { name: 'Plain' });
  const secret: [path: string, type: string, needed: string][] = [
    [INVOICE, 'invoice', 'documents.read'],
    [STATEMENT, 'customer', 'customers.read'],
    ['/email_templates/payment_receipt_email-en', 'payment', 'payments.read'],
    ['/email_templates/credit_note_email-en', 'credit_note', 'corrections.read'],
    [`/themes/${theme}`, 'invoice', 'documents.read'],
    ['/pdf_templates/invoice', 'invoice', 'documents.read'],
  ];
  for (const [path, type, needed] of secret) {
    const refusal = { status: 403, body: { message: `object[type]=${type} needs the permission ${needed}` } };
    expect(await look(designer.client, path, type)).toMatchObject(refusal);
  }
  expect(
    await designer.client.post(`${INVOICE}/test`, { to: 'a@b.example', object: { type: 'invoice', id } }),
  ).toMatchObject({ status: 403 });
  successBody(await designer.client.post(`${INVOICE}/preview`, {}));
  successBody(await look(writer.client, STATEMENT, 'customer'));
  expect(await look(writer.client, INVOICE, 'invoice')).toMatchObject({ status: 403 });
  const limited = await colleague(api, client, { role: 'account_manager', isLimited: true });
  expect(await look(limited.client, STATEMENT, 'customer')).toMatchObject({ status: 403 });
});

test('a test mail is marked, and goes only to the account or a member', async () => {
  await addMember(api, api.live.account, 'ann@acme.example');
  const path = '/email_templates/refund_email-en';
  const sent = successBody(await client.post(`${path}/test`, { to: 'ann@acme.example' }));
  expect(sent).toMatchObject({ email: 'ann@acme.example', template: 'refund_email', customer: null, state: 'queued' });
  expect(sent.subject).toMatch(/^\[Test\] /);
  const [row] = await api.em
    .fork()
    .execute("select view ->> 'isTest' as test from email where template = 'refund_email'");
  expect(row).toEqual({ test: 'true' });
  const relay = await client.post(`${path}/test`, { to: 'stranger@example.com' });
  expect(relay).toMatchObject(refused({ param: 'to' }));
});
