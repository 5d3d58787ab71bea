import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Product, startProduct } from '../support/product.ts';

// Mails in the wording of the account, from the request to the mail server. Amounts: 300 x 1.00 = 300.00.

let product: Product;
beforeAll(async () => {
  product = await startProduct({ env: { LOG_LEVEL: 'silent' } });
});
afterAll(() => product.close());

const id = 'new_invoice_email-en';
const customize = (body: { subject?: string | null; html?: string | null }) =>
  product.client.patch('/email_templates/{id}', body, { id });

/** The mail of an invoice with this many lines, to a customer with this name. */
async function mailed({ name, lines = 1, ...written }: { name: string; lines?: number; message?: string }) {
  const email = `${name.length}-${lines}-${Object.keys(written).length}@example.com`;
  const customer = await product.client.post('/customers', { name, email });
  const items = Array.from({ length: lines }, () => ({ name: 'Hour', unit_cost: 1 }));
  const invoice = await product.client.post('/invoices', { customer: customer.id, items });
  await product.client.post('/invoices/{id}/emails', written, { id: invoice.id });
  const mail = await product.mailbox.waitFor((one) => one.to.includes(email), `mail to ${email}`);
  return { invoice, mail };
}

test('labels and amounts of the document are in the language of the mail', async () => {
  const html = '{{#each lines}}{{amount}};{{/each}}{{#each sums}}{{label}}={{value}};{{/each}}';
  const wording = { template: 'new_invoice_email', subject: 'Eigene', html };
  await product.client.post('/email_templates', { id: 'own', language: 'de', ...wording });
  const customer = await product.client.post('/customers', { name: 'Ann', email: 'own@example.com', language: 'en' });
  const invoice = await product.client.post('/invoices', {
    customer: customer.id,
    items: [{ name: 'Hour', unit_cost: 1234.5 }],
  });
  await product.client.post('/invoices/{id}/emails', { template: 'own-de' }, { id: invoice.id });
  const mail = await product.mailbox.waitFor((one) => one.to.includes('own@example.com'), 'the mail in German');
  expect(mail.html).toContain('Gesamtbetrag=1.234,50');
  expect(mail.html).not.toContain('Total');
  expect(mail.html).not.toContain('1,234.50');
});

const problems = () => product.client.get('/problems');

test('a mail is written by the template; the row shows it as it was sent', async () => {
  await customize({ subject: 'Pay {{invoice.number}}', html: '<p>{{recipient.name}} owes {{invoice.balance}}</p>' });
  const { invoice, mail } = await mailed({ name: 'Ada <b> Lovelace' });
  expect(mail.subject).toBe(`Pay ${invoice.number}`);
  expect(mail.html).toContain('<p>Ada &lt;b&gt; Lovelace owes $1.00</p>');
  expect(mail.html).toContain('/opened/');
  expect(mail.text).toContain('Ada <b> Lovelace owes $1.00');
  const row = await product.row(
    `select subject, html, view from email where subject = 'Pay ${invoice.number}'`,
    (one) => one.view === null,
  );
  expect(row).toMatchObject({ html: expect.stringContaining('owes $1.00') });
});

test('a message that the sender wrote takes the place of the template', async () => {
  const { invoice, mail } = await mailed({ name: 'Grace', message: 'By hand.' });
  expect(mail.subject).toBe(`Pay ${invoice.number}`);
  expect(mail.text).toContain('By hand.');
  expect(mail.text).not.toContain('owes');
});

test('the preview is the mail that is then sent: with lines and sums, and with what its sender wrote', async () => {
  const lines = '{{#each lines}}[{{name}} {{amount}}]{{/each}}{{#each sums}}({{label}} {{value}}){{/each}}';
  await customize({ subject: 'Pay {{invoice.number}} of {{invoice.total}}', html: `<p>${lines}</p>` });
  const customer = await product.client.post('/customers', { name: 'Ada', email: 'seen@example.com' });
  const items = [
    { name: 'Hour', quantity: 2, unit_cost: 120 },
    { name: 'Postage', unit_cost: 9.9 },
  ]; // 249.90
  const { id: invoice, number } = await product.client.post('/invoices', { customer: customer.id, items });
  const usual = `Pay ${number} of $249.90`;
  const sends = [
    { asked: {}, subject: usual, text: '[Hour $240.00][Postage $9.90]' },
    { asked: { message: 'By hand.' }, subject: usual, text: 'By hand.' },
    { asked: { subject: 'Mine' }, subject: 'Mine', text: '[Postage $9.90]' },
    { asked: { subject: 'Ours', message: 'By hand.' }, subject: 'Ours', text: 'By hand.' },
  ];
  for (const [index, { asked, subject, text }] of sends.entries()) {
    const email = `seen-${index}@example.com`;
    const body = { ...asked, to: [{ name: 'Ada', email }] };
    const preview = await product.client.post('/invoices/{id}/emails/preview', body, { id: invoice });
    await product.client.post('/invoices/{id}/emails', body, { id: invoice });
    const sent = await product.mailbox.waitFor(({ to }) => to.includes(email), `mail to ${email}`);
    expect(preview).toMatchObject({ subject, text: expect.stringContaining(text) });
    expect({ subject: preview.subject, text: preview.text.trim() }).toEqual({
      subject: sent.subject,
      text: sent.text.replaceAll('\r\n', '\n').trim(),
    });
  }
});

test('a template that never ends is killed: the default wording is sent, a problem says so, and a change closes it', async () => {
  const loops = `${'{{#each @root.lines}}'.repeat(5)}${'{{/each}}'.repeat(5)}`;
  await customize({ subject: null, html: loops });
  const { mail } = await mailed({ name: 'Linus', lines: 300 });
  expect(mail.text).toContain('$300.00');
  expect(await problems()).toContainEqual(
    expect.objectContaining({
      subject: { object: 'email_template', id: expect.any(Number) },
      message: expect.stringContaining('CPU time'),
    }),
  );
  await customize({ html: null });
  expect(await problems()).toEqual([]);
});
