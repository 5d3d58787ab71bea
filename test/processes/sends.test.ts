import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Body, Customer, Email, Invoice } from '../../client/index.ts';
import type { Mail } from '../support/mailbox.ts';
import { type Product, startProduct } from '../support/product.ts';
import { remind } from '../support/reminders.ts';
import { upload } from '../support/upload.ts';

// Mails from the request to the mail server. Amounts: 2 x 120.00 + 9.90 = 249.90.

let product: Product;
beforeAll(async () => {
  product = await startProduct({ env: { LOG_LEVEL: 'silent' } });
});
afterAll(() => product.close());

const items = [
  { name: 'Support hour', quantity: 2, unit_cost: 120 },
  { name: 'Postage', unit_cost: 9.9 },
];
let count = 0;

/** Creates an invoice of 249.90 for a new customer with this name. */
async function invoiceFor(
  name: string,
  fields: { attachments?: number[] } = {},
): Promise<{ customer: Customer & { email: string }; invoice: Invoice }> {
  count += 1;
  const email = `c${count}@example.com`;
  const customer = await product.client.post('/customers', { name, email });
  const invoice = await product.client.post('/invoices', { customer: customer.id, items, ...fields });
  return { customer: { ...customer, email }, invoice };
}

const send = ({ id }: Invoice, body: Body<'post', '/invoices/{id}/emails'> = {}, client = product.client) =>
  client.post('/invoices/{id}/emails', body, { id });
/** The first email. Throws when there is none. */
function firstOf([email]: readonly Email[]): Email {
  if (!email) throw new Error('nothing was sent');
  return email;
}
const mailTo = (address: string, after = 0): Promise<Mail> =>
  product.mailbox.waitFor(
    (mail) => mail.to.includes(address) && product.mailbox.messages().indexOf(mail) >= after,
    `mail to ${address}`,
  );
const read = ({ id }: Email) => product.client.get('/emails/{id}', { id: Number(id) });
const sent = (email: Email) =>
  product.row(`select state from email where id = ${email.id}`, (row) => row.state === 'sent');

test('an invoice is sent to its customer with equal html and text, and its picture counts openings', async () => {
  const { customer, invoice } = await invoiceFor('Ada <b> Lovelace');
  const emails = await send(invoice);
  const email = firstOf(emails);
  expect(emails).toEqual([
    {
      id: expect.stringMatching(/^\d+$/),
      object: 'email',
      customer: customer.id,
      email: customer.email,
      template: 'new_invoice_email',
      subject: `Invoice ${invoice.number} from Acme`,
      state: 'queued',
      opens: 0,
      opens_detail: [],
      message: expect.stringContaining('Hello Ada <b> Lovelace, please pay this invoice by'),
      reject_reason: null,
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
    },
  ]);
  const mail = await mailTo(customer.email);
  expect(mail.subject).toBe(email.subject);
  for (const text of ['$249.90', invoice.number, customer.number]) {
    expect(mail.text).toContain(text);
    expect(mail.html).toContain(text);
  }
  expect(mail.text).toContain(email.message);
  expect(mail.html).toContain('Ada &lt;b&gt; Lovelace');
  await sent(email);
  expect(await read(email)).toMatchObject({ ...email, state: 'sent', updated_at: expect.any(Number) });

  const [, path = ''] = /<img src="http:\/\/localhost(\/opened\/[^"]+\.gif)"/.exec(mail.html) ?? [];
  const origin = new URL(product.url).origin;
  for (const agent of ['Mail/1.0', 'Mail/2.0']) {
    const picture = await fetch(origin + path, { headers: { 'User-Agent': agent, 'X-Forwarded-For': '198.51.100.7' } });
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/gif']);
  }
  const unknown = await fetch(origin + path.replace(/.{4}\.gif$/, 'AAAA.gif'));
  expect([unknown.status, unknown.headers.get('content-type')]).toEqual([200, 'image/gif']);
  expect(await read(email)).toMatchObject({
    opens: 2,
    opens_detail: [
      { timestamp: expect.any(Number), ip: '198.51.100.7', user_agent: 'Mail/1.0' },
      { timestamp: expect.any(Number), ip: '198.51.100.7', user_agent: 'Mail/2.0' },
    ],
  });
});

test('without recipients it goes to the customer and its primary contacts, each in a separate mail', async () => {
  const { customer, invoice } = await invoiceFor('Contacts');
  const add = (contact: Body<'post', '/customers/{customer_id}/contacts'>) =>
    product.client.post('/customers/{customer_id}/contacts', contact, { customer_id: customer.id });
  await add({ name: 'Primary', email: 'primary@example.com', primary: true });
  await add({ name: 'Other', email: 'other@example.com' });
  await add({ name: 'Twice', email: customer.email.toUpperCase(), primary: true });
  const emails = await send(invoice);
  expect(emails.map(({ email }) => email)).toEqual([customer.email, 'primary@example.com']);
  const mails = await Promise.all(emails.map(({ email }) => mailTo(email)));
  expect(mails.map(({ to }) => to)).toEqual([[customer.email], ['primary@example.com']]);
  expect(mails[1]?.text).toContain('Hello Primary,');
});

test('a send has its own text and several recipients, and a bcc recipient gets the first mail invisibly', async () => {
  const { invoice } = await invoiceFor('Words');
  const to = [{ name: 'One', email: 'one@example.com' }, { email: 'two@example.com' }];
  const said = { subject: 'About our\r\nBcc: evil@example.com', message: 'Dear all,\nhere <it> is.' };
  const emails = await send(invoice, { to, bcc: ' books@example.com, audit@example.com ,', ...said });
  expect(emails).toMatchObject(to.map(({ email }) => ({ email, message: said.message })));
  const [one, two] = [await mailTo('one@example.com'), await mailTo('two@example.com')];
  expect(one.to.toSorted()).toEqual(['audit@example.com', 'books@example.com', 'one@example.com']);
  expect(two.to).toEqual(['two@example.com']);
  expect(one.headers).toMatchObject({ to: 'One <one@example.com>' });
  expect(one.headers.bcc).toBeUndefined();
  expect(one.subject).toBe('About our Bcc: evil@example.com');
  expect(one.text).toContain('Dear all,\nhere <it> is.');
  expect(one.html).toContain('Dear all,<br>here &lt;it&gt; is.');
});

test('a send with a key happens once; without a key, again', async () => {
  const { customer, invoice } = await invoiceFor('Once');
  const client = product.client.with({ idempotencyKey: 'send-1' });
  const first = await send(invoice, {}, client);
  expect(await send(invoice, {}, client)).toEqual(first);
  await send(invoice);
  const rows = () => product.rows(`select id from email where to_address = '${customer.email}' and state = 'sent'`);
  await product.row(
    `select count(*)::int as n from email where to_address = '${customer.email}' and state = 'sent'`,
    (row) => row.n === 2,
  );
  expect(await rows()).toHaveLength(2);
  expect(product.mailbox.messages().filter(({ to }) => to.includes(customer.email))).toHaveLength(2);
});

test('PDF and files are attached byte for byte, linked files are linked, and the invoice counts as sent', async () => {
  const contract = { name: 'file', filename: 'Vertrag Ä.pdf', type: 'application/pdf', content: randomBytes(70_000) };
  const file = (await upload(product, [contract])).body;
  const link = await product.client.post('/files', { url: 'https://docs.example/terms.pdf', name: 'terms.pdf' });
  const large = (await upload(product, [{ ...contract, filename: 'large.bin', content: Buffer.alloc(10_485_761) }]))
    .body;
  const attachments = [file.id, link.id, large.id];
  const { customer, invoice } = await invoiceFor('Files', { attachments });
  expect(invoice.status).toBe('not_sent');
  await send(invoice);
  const mail = await mailTo(customer.email);
  expect(mail.files.map(({ name, type }) => [name, type])).toEqual([
    [`Invoice ${invoice.number}.pdf`, 'application/pdf'],
    ['Vertrag Ä.pdf', 'application/pdf'],
  ]);
  expect(mail.files[1]?.bytes.equals(contract.content)).toBe(true);
  const pdf = mail.files[0]?.bytes ?? Buffer.alloc(0);
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  const url = (invoice.pdf_url ?? '').replace('http://localhost', new URL(product.url).origin);
  expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(pdf)).toBe(true);
  for (const address of [link.url, large.url, invoice.url]) {
    expect(mail.html).toContain(`href="${address}"`);
    expect(mail.text).toContain(address);
  }
  const { id } = invoice;
  expect((await product.client.get('/invoices/{id}', { id })).status).toBe('sent');
  await send(invoice);
  const events = await product.client.get('/events', { related_to: `invoice,${id}` });
  expect(events.map(({ type }) => type)).toEqual(['invoice.updated', 'invoice.created']);
  expect(events[0]?.data.previous).toMatchObject({ status: 'not_sent' });
});

test('a receipt is sent with its PDF', async () => {
  const { customer, invoice } = await invoiceFor('Receipt');
  const applied_to = [{ type: 'invoice' as const, invoice: invoice.id, amount: 249.9 }];
  const { client } = product;
  const payment = await client.post('/payments', { customer: customer.id, amount: 249.9, applied_to });
  const [email] = await client.post('/payments/{id}/emails', null, { id: payment.id });
  expect(email).toMatchObject({
    subject: `Receipt for ${invoice.number} from Acme`,
    template: 'payment_receipt_email',
  });
  const mail = await mailTo(customer.email);
  expect(mail.files.map(({ name }) => name)).toEqual([`Receipt ${payment.receipt_number}.pdf`]);
  expect(mail.html).toContain(`href="${payment.pdf_url?.replace(/\/pdf$/, '')}"`);
});

test('the automatic receipt of a charge is sent with its PDF, made once, to each recipient', async () => {
  const { customer, invoice } = await invoiceFor('Charged');
  const contact = { name: 'Books', email: 'books-of-charged@example.com', primary: true };
  await product.client.post('/customers/{customer_id}/contacts', contact, { customer_id: customer.id });
  const payment = await product.client.post('/charges', {
    customer: customer.id,
    amount: 249.9,
    method: 'credit_card',
    gateway_token: 'tok_4242424242424242',
    applied_to: [{ type: 'invoice', invoice: invoice.id, amount: 249.9 }],
  });
  const mails = await Promise.all([customer.email, contact.email].map((address) => mailTo(address)));
  const kept = await product.rows<{ bytes: Buffer }>(
    `select bytes from document_pdf where document_type = 'payment' and document_id = ${payment.id}`,
  );
  expect(kept).toHaveLength(1);
  for (const { subject, files } of mails) {
    expect(subject).toBe(`Receipt for ${invoice.number} from Acme`);
    expect(files.map(({ name, type }) => [name, type])).toEqual([
      [`Receipt ${payment.receipt_number}.pdf`, 'application/pdf'],
    ]);
    expect(files[0]?.bytes.equals(kept[0]?.bytes ?? Buffer.alloc(0))).toBe(true);
  }
});

test('estimates and credit notes are sent with their PDFs and files', async () => {
  const { client } = product;
  const file = (await upload(product, [{ name: 'file', filename: 'plan.txt', content: 'the plan' }])).body;
  const { customer } = await invoiceFor('Both');
  const asked = { customer: customer.id, items, attachments: [file.id] };
  const estimate = await client.post('/estimates', asked);
  const creditNote = await client.post('/credit_notes', asked);
  await client.post('/estimates/{id}/emails', {}, { id: estimate.id });
  await client.post('/credit_notes/{id}/emails', {}, { id: creditNote.id });
  for (const { pdf, url } of [
    { pdf: `Estimate ${estimate.number}.pdf`, url: estimate.url },
    { pdf: `Credit note ${creditNote.number}.pdf`, url: creditNote.url },
  ]) {
    const about = (mail: Mail) => mail.to.includes(customer.email) && mail.files[0]?.name === pdf;
    const mail = await product.mailbox.waitFor(about, pdf);
    expect(mail.files.map((one) => one.name)).toEqual([pdf, 'plan.txt']);
    expect(mail.files[0]?.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(mail.html).toContain(`href="${url}"`);
  }
});

test('a file that is deleted while its mail waits is still sent, and then its bytes are removed', async () => {
  const content = randomBytes(1000);
  const file = (await upload(product, [{ name: 'file', filename: 'late.bin', content }])).body;
  const { customer, invoice } = await invoiceFor('Late', { attachments: [file.id] });
  await product.mailbox.stop();
  const email = firstOf(await send(invoice));
  await product.row(`select attempts from email where id = ${email.id}`, (row) => row.attempts === 1);
  const remove = () => product.client.delete('/files/{id}', { id: file.id });
  await expect(remove()).rejects.toThrow(`attached to invoice ${invoice.number}`);
  await product.client.delete('/invoices/{id}', { id: invoice.id });
  await remove();
  const [stray] = await product.rows("select due_at > now() + interval '48 h' as later from stray_bytes");
  expect(stray).toEqual({ later: true });
  await product.mailbox.start();
  await product.rows(`update email set next_attempt_at = now() where id = ${email.id}`);
  const mail = await mailTo(customer.email);
  expect(mail.files.at(-1)?.bytes.equals(content)).toBe(true);
});

test('a file without bytes delays only its own mail, which says so', async () => {
  const file = (await upload(product, [{ name: 'file', filename: 'lost.bin', content: 'x' }])).body;
  const { invoice } = await invoiceFor('Lost', { attachments: [file.id] });
  const [row] = await product.rows<{ store_key: string }>(`select store_key from file where id = ${file.id}`);
  await product.deps.fileStore.delete(row?.store_key ?? '');
  const failing = firstOf(await send(invoice));
  const other = await invoiceFor('Other');
  await send(other.invoice);
  await mailTo(other.customer.email);
  await product.row(`select attempts from email where id = ${failing.id}`, (one) => one.attempts === 1);
  expect(await read(failing)).toMatchObject({ state: 'queued', reject_reason: 'the file lost.bin has no bytes' });
});

test('a reminder can be stopped with one click: its headers name the link of its text; an invoice has none', async () => {
  const { customer, invoice } = await invoiceFor('Ada');
  await send(invoice);
  const mailed = await mailTo(customer.email);
  expect(mailed.headers['list-unsubscribe']).toBeUndefined();
  const after = product.mailbox.messages().length;
  await remind(product.deps, { account: { id: product.accountId } }, { invoiceId: invoice.id });
  const { headers, text } = await mailTo(customer.email, after);
  const url = /<(.+)>/.exec(headers['list-unsubscribe'] ?? '')?.[1] ?? '';
  expect(text).toContain(`Stop payment reminders to this address: ${url}`);
  expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
});
