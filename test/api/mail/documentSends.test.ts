import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';

/** Sending documents other than invoices. */

let api: TestApi;
let client: Client;
let customer: number;
beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
  customer = (await client.make('/customers', { name: 'Ada', email: 'ada@example.com' })).id;
});
afterAll(() => api.close());

const make = async (path: string, fields = {}) =>
  (await client.post(path, { customer, items: [{ name: 'Hour', quantity: 2, unit_cost: 120 }], ...fields })).body;
const textOf = async ({ id }: { id: string }): Promise<string> =>
  (await api.em.fork().execute('select text from email where id = ?', [id]))[0]?.text;

test('sending an estimate includes its deposit and marks it as sent', async () => {
  // 2 x 120.00 = 240.00
  const dates = { date: 1_797_000_000, expiration_date: 1_798_700_000 };
  const estimate = await make('/estimates', { deposit: 100, purchase_order: 'PO-7', ...dates });
  const path = `/estimates/${estimate.id}`;
  const { status, body } = await client.post(`${path}/emails`, {});
  expect(status).toBe(200);
  expect(body).toMatchObject([
    { object: 'email', email: 'ada@example.com', template: 'estimate_email', state: 'queued' },
  ]);
  expect(body[0].subject).toBe(`Estimate ${estimate.number} from Acme`);
  expect(body[0].message).toBe(
    'Hello Ada, this estimate is valid until December 31, 2026. We ask for a deposit of $100.00.',
  );
  const text = await textOf(body[0]);
  for (const line of [
    /Date +December 11, 2026/,
    /Valid until +December 31, 2026/,
    /Purchase order +PO-7/,
    /Total +\$240\.00/,
    /Deposit +\$100\.00/,
  ])
    expect(text).toMatch(line);
  expect(text).toContain(estimate.url);
  expect((await client.get(path)).body.status).toBe('sent');
  await client.post(`${path}/emails`, {});
  const events = (await client.get(`/events?related_to=estimate,${estimate.id}`)).body;
  expect(events.map(({ type }: { type: string }) => type).sort()).toEqual(['estimate.created', 'estimate.updated']);
});

test('sending a credit note states the amount that can still pay', async () => {
  const creditNote = await make('/credit_notes');
  const path = `/credit_notes/${creditNote.id}`;
  const first = await client.post(`${path}/emails`, {});
  expect(first).toMatchObject({ status: 200, body: [{ email: 'ada@example.com', template: 'credit_note_email' }] });
  expect(first.body[0].subject).toBe(`Credit note ${creditNote.number} from Acme`);
  expect(first.body[0].message).toBe('Hello Ada, this is your credit note. It can pay your invoices.');
  expect(await textOf(first.body[0])).toMatch(/Total +\$240\.00\n\n/); // nothing became of it: the message says that
  // 90.00 of 240.00 are applied: 150.00 are left.
  const invoice = await make('/invoices', { items: [{ unit_cost: 90 }] });
  expect(invoice).toMatchObject({ paid: true, balance: 0 });
  const second = await client.post(`${path}/emails`, {});
  const used = `$90.00 was applied to invoice ${invoice.number}. $150.00 of this credit note is not applied yet; it can pay other invoices.`;
  expect(second.body[0].message).toBe(`Hello Ada, this is your credit note. ${used}`);
  await make('/invoices', { items: [{ unit_cost: 150 }] });
  const third = await client.post(`${path}/emails`, { message: 'As we said on the phone.' });
  expect(third.body[0].message).toBe('As we said on the phone.');
  const text = await textOf(third.body[0]);
  expect(text).toMatch(/Still available +\$0\.00/); // 240.00 - 90.00 - 150.00
  expect(text).toContain(creditNote.url);
});

test.each([
  ['/estimates', 'Estimate', 'estimate_email', { draft: true }],
  ['/estimates', 'Estimate', 'estimate_email', {}],
  ['/credit_notes', 'Credit note', 'credit_note_email', { draft: true }],
  ['/credit_notes', 'Credit note', 'credit_note_email', {}],
])(
  '%s: what is a draft or voided is not sent, nor by the template of another document',
  async (path, name, template, fields) => {
    const { id } = await make(path, fields);
    const send = (body: object) => client.post(`${path}/${id}/emails`, body);
    if (!('draft' in fields)) {
      const message = `Template must be one of ${template}: new_invoice_email`;
      expect(await send({ template: 'new_invoice_email' })).toMatchObject(refused({ param: 'template', message }));
      expect((await client.post(`${path}/${id}/void`)).status).toBe(200);
    }
    const message = `${name} is ${'draft' in fields ? 'a draft: issue it first' : 'voided'}`;
    expect(await send({})).toMatchObject(refused({ type: 'invalid_request', message }));
  },
);

test('no request failed with a server error', () => {
  expect(api.faults).toEqual([]);
});

describe('the language of mails', () => {
  const rowOf = async ({ id }: { id: string }) =>
    (
      await api.em.fork().execute<{ html: string; text: string }[]>('select html, text from email where id = ?', [id])
    )[0];
  const items = [{ name: 'Hour', quantity: 2, unit_cost: 120 }]; // 240.00
  const buyer = async (by: Client, fields: object) =>
    (await by.make('/customers', { name: 'Käufer', email: 'k@example.com', ...fields })).id;

  test('is the language of the customer, as in its documents; numbers and dates have the format of its country', async () => {
    const german = await buyer(client, { language: 'de', country: 'DE', currency: 'eur', number: 'K-7' });
    const invoice = await make('/invoices', { customer: german, items, date: 4_000_000_000, payment_terms: 'NET 10' });
    const [mail] = (await client.post(`/invoices/${invoice.id}/emails`)).body;
    const due = 'bitte zahlen Sie diese Rechnung bis zum 12. Oktober 2096.';
    expect(mail).toMatchObject({
      subject: `Rechnung ${invoice.number} von Acme`,
      message: `Guten Tag Käufer, ${due}`,
    });
    const { html = '', text = '' } = (await rowOf(mail)) ?? {};
    expect(html).toContain('<html lang="de" dir="ltr">');
    expect(text.replaceAll('\u00a0', ' ')).toMatch(/Offener Betrag +240,00 €/);
    expect(text).toContain('Rechnung ansehen');
    expect(text).toContain('Gesendet von Acme zum Kundenkonto K-7.');
    const applied_to = [{ type: 'invoice', invoice: invoice.id, amount: 240 }];
    const paid = { customer: german, currency: 'eur', amount: 240, method: 'wire_transfer', applied_to };
    const payment = await client.make('/payments', paid);
    const [receipt] = (await client.post(`/payments/${payment.id}/emails`)).body;
    expect(receipt.subject).toBe(`Zahlungsbeleg zu ${invoice.number} von Acme`);
    expect((await rowOf(receipt))?.text).toMatch(/Bezahlt mit +Überweisung/);
  });

  test('determines the direction: Hebrew mails run from right to left', async () => {
    const hebrew = await buyer(client, { language: 'he', country: 'IL' });
    const estimate = await make('/estimates', { customer: hebrew, items });
    const [mail] = (await client.post(`/estimates/${estimate.id}/emails`)).body;
    expect(mail.message).toBe('שלום Käufer, זו הצעת המחיר שלך.');
    const { html = '' } = (await rowOf(mail)) ?? {};
    expect(html).toContain('<html lang="he" dir="rtl">');
    expect(html).toContain('<td align="left"');
    expect(html).not.toContain('align="right"');
  });

  test('defaults to the language of the seller, and is English if there is no translation', async () => {
    const { sandbox } = await api.open('Vendeur');
    expect((await sandbox.patch('/account', { language: 'fr', country: 'FR' })).status).toBe(200);
    const messageTo = async (customer: number) => {
      const { id } = await sandbox.make('/credit_notes', { customer, items, currency: 'usd' });
      const [mail] = (await sandbox.post(`/credit_notes/${id}/emails`)).body;
      return [mail.message, (await rowOf(mail))?.html.slice(0, 60)];
    };
    expect(await messageTo(await buyer(sandbox, {}))).toEqual([
      'Bonjour Käufer, voici votre avoir. Il peut régler vos factures.',
      expect.stringContaining('lang="fr"'),
    ]);
    expect(await messageTo(await buyer(sandbox, { language: 'nl' }))).toEqual([
      'Hello Käufer, this is your credit note. It can pay your invoices.',
      expect.stringContaining('lang="en"'),
    ]);
  });
});
