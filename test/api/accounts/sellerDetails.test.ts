import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Snapshot } from '../../../db/schema/snapshot.ts';
import { basic, refused, send, startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const choose = (fields: object) => api.sandbox.patch('/account', fields);
const euros = { currency: 'eur', iban: 'DE89 3704 0044 0532 0130 00', bic: 'cobadeff' };
const dollars = { currency: 'usd', account_number: '12345678', routing_number: '021000021' };

test('bank details are kept per currency, with their IBAN and BIC in plain form', async () => {
  const { status, body } = await choose({ bank_details: [euros, dollars] });
  expect([status, body.bank_details]).toEqual([
    200,
    [
      {
        currency: 'eur',
        account_holder: null,
        bank_name: null,
        iban: 'DE89370400440532013000',
        bic: 'COBADEFF',
        account_number: null,
        routing_number: null,
      },
      {
        currency: 'usd',
        account_holder: null,
        bank_name: null,
        iban: null,
        bic: null,
        account_number: '12345678',
        routing_number: '021000021',
      },
    ],
  ]);
  expect((await choose({ name: 'Acme' })).body.bank_details).toEqual(body.bank_details);
  const { key, url } = api.sandbox;
  const headers = { ...basic(key), 'Content-Type': 'application/x-www-form-urlencoded' };
  const form = 'bank_details[0][currency]=gbp&bank_details[0][account_number]=7';
  const one = await send(`${url}/account`, { method: 'PATCH', headers, body: form });
  expect(one.body.bank_details).toMatchObject([{ currency: 'gbp', account_number: '7' }]);
  expect((await choose({ bank_details: [] })).body.bank_details).toEqual([]);
});

test.each<[object, string, unknown]>([
  [
    { bank_details: [{ ...euros, iban: 'DE88370400440532013000' }] },
    'bank_details[0][iban]',
    expect.stringContaining('check digits'),
  ],
  [{ bank_details: [{ ...euros, bic: 'COBA' }] }, 'bank_details[0][bic]', expect.stringContaining('8 or 11')],
  [{ bank_details: [{ iban: euros.iban }] }, 'bank_details[0][currency]', expect.stringContaining('missing')],
  [{ bank_details: [{ currency: 'eur' }] }, 'bank_details[0][iban]', 'Bank details need an iban or an account_number'],
  [{ bank_details: [euros, euros] }, 'bank_details[1][currency]', 'Bank details of eur are given twice'],
  [{ bank_details: Array(21).fill(euros) }, 'bank_details', expect.stringContaining('at most 20')],
  [
    { bank_details: [{ ...dollars, account_number: 'a\u202eb' }] },
    'bank_details[0][account_number]',
    expect.stringContaining('U+202E'),
  ],
  [{ bank_details: 'DE89370400440532013000' }, 'bank_details', expect.stringContaining('list')],
  [
    { payment_reference: '{invoice}' },
    'payment_reference',
    'Payment reference may contain {number} and {customer_number}: {invoice}',
  ],
  [{ payment_reference: 'x'.repeat(141) }, 'payment_reference', expect.stringContaining('140')],
  [{ reply_to: 'nobody' }, 'reply_to', expect.stringContaining('email address')],
  [{ reply_to: 'a@b.example\r\nBcc: c@d.example' }, 'reply_to', expect.stringContaining('hidden')],
  [{ tax_id_kind: 'ssn' }, 'tax_id_kind', expect.stringContaining('vat, gst, tax_number')],
  [{ tax_id_country: 'XX' }, 'tax_id_country', expect.anything()],
  [{ footer: 'x'.repeat(10_000) }, 'footer', expect.stringContaining('500')],
  [{ small_business_note: 'a\0' }, 'small_business_note', expect.stringContaining('null')],
  [{ exemption_note: 7 }, 'exemption_note', expect.stringContaining('text')],
])('%j is refused, naming %s', async (body, param, message) => {
  expect(await choose(body)).toMatchObject(refused({ param, message }));
});

test('issued documents keep the details of the seller, and say whether their customer is exempt', async () => {
  const details = { bank_details: [euros], footer: 'One\nTwo', reply_to: 'help@acme.example', tax_id_kind: 'vat' };
  await choose(details);
  const items = [{ name: 'Hour', unit_cost: 1 }];
  for (const taxable of [true, false]) {
    const customer = (await api.sandbox.make('/customers', { name: `Customer ${taxable}`, taxable })).id;
    await api.sandbox.make('/invoices', { customer, items });
  }
  await choose({ bank_details: [], footer: null, reply_to: null, tax_id_kind: null });
  const [taxed, exempt] = await api.em.fork().find(Snapshot, {}, { orderBy: { id: 'asc' } });
  const kept = { footer: 'One\nTwo', replyTo: 'help@acme.example', taxIdKind: 'vat' };
  expect(taxed?.seller).toMatchObject({ ...kept, bankDetails: [{ iban: 'DE89370400440532013000' }] });
  expect(taxed?.billTo.isExempt).toBeUndefined();
  expect(exempt?.billTo.isExempt).toBe(true);
});
