import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { reportTemplate } from '../../../commands/catalog/templates.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Answer, type Client, refused, startApi, type TestApi } from '../../support/api.ts';

/** Further email templates, which sends and steps of cadences name, and further PDF templates, which customers name. */

let api: TestApi;
let client: Client;
beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
});
afterAll(() => api.close());

const KIND = 'new_invoice_email';
const subjectIn = (word: string) => ({ template: KIND, subject: `${word} {{invoice.number}}` });

async function invoiceOf(fields: object = {}): Promise<Answer['body']> {
  const { id: customer } = await client.make('/customers', { name: 'Ada', email: 'ada@example.com', ...fields });
  return client.make('/invoices', { customer, items: [{ name: 'Hour', quantity: 1, unit_cost: 80 }] });
}

const viewOf = async (id: string): Promise<Answer['body']> =>
  (await api.em.fork().execute('select template, kind, view, message from email where id = ?', [id]))[0];

test('a further template is created, read, changed and deleted, in one language and in all', async () => {
  const created = await client.make('/email_templates', {
    id: 'vip',
    name: 'VIP',
    language: 'en',
    ...subjectIn('Dear'),
  });
  expect(created).toMatchObject({
    id: 'vip-en',
    template: KIND,
    name: 'VIP',
    language: 'en',
    custom: true,
    version: 1,
  });
  expect(await client.make('/email_templates', { id: 'vip', language: 'de', ...subjectIn('Liebe') })).toMatchObject({
    id: 'vip-de',
    name: 'VIP',
  });
  expect((await client.get('/email_templates/vip')).body).toEqual(created);
  expect((await client.get('/email_templates/vip-de')).body.subject).toBe('Liebe {{invoice.number}}');
  const listed = (await client.get('/email_templates')).body.map(({ id }: Answer['body']) => id);
  expect(listed.slice(-2)).toEqual(['vip-de', 'vip-en']);
  const changed = await client.patch('/email_templates/vip-de', { text: 'Hallo', name: 'Besondere' });
  expect(changed).toMatchObject({ status: 200, body: { id: 'vip-de', text: 'Hallo', version: 2, name: 'Besondere' } });
  expect(await client.patch('/email_templates/vip', { text: 'Hello' })).toMatchObject(
    refused({ message: 'Email template vip has the languages de, en: name one, such as vip-de' }),
  );
  const preview = await client.post('/email_templates/vip-de/preview', {});
  expect(preview.body.subject).toMatch(/^Liebe /);
  expect((await client.delete('/email_templates/vip-de')).status).toBe(204);
  expect((await client.get('/email_templates/vip-de')).status).toBe(404);
  expect((await client.get('/email_templates/vip')).body.id).toBe('vip-en');
  expect((await client.delete('/email_templates/vip')).status).toBe(204);
  expect((await client.get('/email_templates/vip-en')).status).toBe(404);
});

test('the open problem of a further template is closed when it is deleted, that of another language stays', async () => {
  for (const language of ['en', 'de'])
    await client.make('/email_templates', { id: 'broken', language, ...subjectIn('S') });
  const versions = await api.em
    .fork()
    .execute(`select id, language from email_template_version where template = 'broken' order by language`);
  for (const { id } of versions)
    await inTransaction(api.em, (em) =>
      reportTemplate(em, { accountId: client.account.id, id, message: 'CPU time' }, new Date()),
    );
  const open = async () => (await client.get('/problems')).body.map(({ subject }: Answer['body']) => subject.id).sort();
  const [german, english] = versions.map(({ id }) => id);
  expect(await open()).toEqual([german, english].sort());
  expect((await client.delete('/email_templates/broken-de')).status).toBe(204);
  expect(await open()).toEqual([english]);
  expect((await client.delete('/email_templates/broken')).status).toBe(204);
  expect(await open()).toEqual([]);
});

test('a send names a further template in the language of the customer, or in one language', async () => {
  await client.make('/email_templates', { id: 'own', language: 'de', ...subjectIn('Liebe') });
  const german = await invoiceOf({ language: 'de' });
  const send = async (invoice: number, template: string) => client.post(`/invoices/${invoice}/emails`, { template });
  const [mail] = (await send(german.id, 'own')).body;
  expect(mail.template).toBe('own');
  expect(await viewOf(mail.id)).toMatchObject({ template: 'own', kind: KIND, view: { language: 'de' } });
  const english = await invoiceOf();
  const [usual] = (await send(english.id, 'own')).body; // no English wording: the default one
  expect(await viewOf(usual.id)).toMatchObject({ view: { language: 'en' }, message: expect.stringContaining('Hello') });
  const [other] = (await send(english.id, 'own-de')).body;
  expect(await viewOf(other.id)).toMatchObject({
    view: { language: 'de' },
    message: expect.stringContaining('Rechnung'),
  });
});

test('a send refuses an unknown template with the nearest, and one of another kind', async () => {
  await client.make('/email_templates', { id: 'second_notice', template: 'unpaid_invoice_email', subject: 'Again' });
  const { id } = await invoiceOf();
  const sent = (template: string) => client.post(`/invoices/${id}/emails`, { template });
  expect(await sent('second_notise')).toMatchObject(
    refused({ param: 'template', message: expect.stringContaining('did you mean second_notice?') }),
  );
  expect(await sent('second_notice-de')).toMatchObject(refused({ param: 'template' }));
  await client.make('/email_templates', { id: 'thanks', template: 'payment_receipt_email', subject: 'Thanks' });
  expect(await sent('thanks')).toMatchObject(
    refused({ param: 'template', message: expect.stringContaining('thanks is of payment_receipt_email') }),
  );
});

test.each([
  [
    'an unknown kind',
    { id: 'a1', template: 'new_invoise_email', subject: 'S' },
    'template',
    /did you mean new_invoice/,
  ],
  ['a built-in id', { id: KIND, ...subjectIn('S') }, 'id', /is built in/],
  ['the end of another language', { id: 'a1-de', language: 'en', ...subjectIn('S') }, 'id', /names the language de/],
  ['nothing of its own', { id: 'a1', template: KIND }, 'html', /needs a subject, html or text/],
  ['a mistake', { id: 'a1', template: KIND, subject: '{{invoice.nubmer}}' }, 'subject', /did you mean invoice.number/],
  ['an unspoken language', { id: 'a1', language: 'xx', ...subjectIn('S') }, 'language', /xx/],
  ['a long id', { id: 'a'.repeat(61), ...subjectIn('S') }, 'id', /2 to 60 characters/],
])('a new email template with %s is refused, and nothing is stored', async (_, body, param, message) => {
  expect(await client.post('/email_templates', body)).toMatchObject(
    refused({ param, message: expect.stringMatching(message) }),
  );
  expect((await client.get('/email_templates/a1')).status).toBe(404);
});

test('a language that exists is refused', async () => {
  await client.make('/email_templates', { id: 'twice', ...subjectIn('One') });
  expect(await client.post('/email_templates', { id: 'twice', ...subjectIn('Two') })).toMatchObject(
    refused({ param: 'id', message: 'Email template twice has the language en already: change twice-en' }),
  );
  expect(
    await client.post('/email_templates', { id: 'twice', template: 'estimate_email', subject: 'S' }),
  ).toMatchObject(refused({ param: 'template', message: 'Email template twice is of the kind new_invoice_email' }));
});

test('a step of a cadence names a reminder of its own, which cannot be deleted meanwhile', async () => {
  const reminder = { id: 'last_call', template: 'late_payment_reminder_email', subject: 'Last call' };
  await client.make('/email_templates', reminder);
  const step = (email_template_id: string) => ({
    name: 'Ask',
    action: 'email',
    schedule: 'after_due:3',
    email_template_id,
  });
  const cadence = (id: string) => client.post('/invoice_chasing_cadences', { name: 'C', steps: [step(id)] });
  expect(await cadence('last_cal')).toMatchObject(
    refused({ param: 'steps[0][email_template_id]', message: expect.stringContaining('did you mean last_call?') }),
  );
  const { status, body } = await cadence('last_call');
  expect(status).toBe(201);
  expect(await client.delete('/email_templates/last_call-en')).toMatchObject(
    refused({
      message: `Step "Ask" of invoice chasing cadence ${body.id} has the email template: change it first`,
    }),
  );
  await client.patch(`/invoice_chasing_cadences/${body.id}`, { steps: [step('late_payment_reminder_email')] });
  expect((await client.delete('/email_templates/last_call')).status).toBe(204);
});

test('a further PDF template is created, read, changed and deleted, and a customer names it', async () => {
  const created = await client.make('/pdf_templates', { id: 'export', name: 'Export', layout: 'modern' });
  expect(created).toMatchObject({ id: 'export', name: 'Export', kind: 'invoice', layout: 'modern' });
  expect((await client.get('/pdf_templates/export')).body).toEqual(created);
  expect((await client.get('/pdf_templates')).body.at(-1)).toEqual(created);
  const changed = await client.patch('/pdf_templates/export', { layout: 'compact', columns: ['quantity'] });
  expect(changed.body).toMatchObject({ layout: 'compact', columns: ['quantity'], kind: 'invoice' });
  const customer = await client.make('/customers', { name: 'Far', pdf_templates: ['export'] });
  expect(customer.pdf_templates).toEqual(['export']);
  expect(await client.delete('/pdf_templates/export')).toMatchObject(
    refused({ message: `Customer ${customer.id} has the PDF template: change it first` }),
  );
  await client.patch(`/customers/${customer.id}`, { pdf_templates: null });
  expect((await client.delete('/pdf_templates/export')).status).toBe(204);
  expect((await client.get('/pdf_templates/export')).status).toBe(404);
});

test('bad PDF templates of a customer are refused', async () => {
  for (const id of ['one', 'two']) await client.make('/pdf_templates', { id, name: id });
  const named = (pdf_templates: string[]) => client.post('/customers', { name: 'Far', pdf_templates });
  expect(await named(['on'])).toMatchObject(
    refused({ param: 'pdf_templates[0]', message: 'PDF template was not found: on; did you mean one?' }),
  );
  expect(await named(['one', 'two'])).toMatchObject(
    refused({ param: 'pdf_templates[1]', message: 'one and two are both of the kind invoice' }),
  );
  expect(await client.post('/pdf_templates', { id: 'invoice', name: 'I' })).toMatchObject(refused({ param: 'id' }));
  expect(await client.post('/pdf_templates', { id: 'one', name: 'I' })).toMatchObject(
    refused({ message: 'Id is taken: one' }),
  );
  expect(await client.post('/pdf_templates', { name: 'I', kind: 'receipt', columns: ['tax'] })).toMatchObject(
    refused({ param: 'columns[0]' }),
  );
});
