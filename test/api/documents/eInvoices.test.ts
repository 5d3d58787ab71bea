import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { basic, startApi, successBody, type TestApi } from '../../support/api.ts';
import { readPdf } from '../../support/readPdf.ts';

/** A seller in Germany, whose invoices and credit notes carry the XML of EN 16931. */

let api: TestApi;
let customer: number;

const IBAN = 'DE89370400440532013000';
const SELLER = {
  name: 'Müller & Söhne GmbH',
  address1: 'Hauptstraße 1',
  city: 'Berlin',
  postal_code: '10115',
  country: 'DE',
  currency: 'eur',
  tax_id: 'DE 123 456 789',
  time_zone: 'Europe/Berlin',
  bank_details: [{ currency: 'eur', iban: IBAN, bic: 'COBADEFFXXX' }],
};
const BUYER = { name: 'Schulze KG', address1: 'Ring 2', city: 'Wien', country: 'AT', tax_id: 'ATU12345678' };
const VAT = { taxes: [{ tax_rate: 'vat-19' }] };
const HOURS = { name: 'Hours', quantity: 3, unit_cost: 100 };

beforeAll(async () => {
  api = await startApi();
  const { sandbox } = api;
  successBody(await sandbox.patch('/account', SELLER));
  await sandbox.make('/tax_rates', { id: 'vat-19', name: 'VAT', value: 19 });
  await sandbox.make('/tax_rates', { id: 'vat-7', name: 'VAT reduced', value: 7, inclusive: true });
  await sandbox.make('/tax_rates', { id: 'vat-0', name: 'VAT zero', value: 0 });
  customer = (await sandbox.make('/customers', BUYER)).id;
});
afterAll(() => api.close());

const invoice = (more: object = VAT) => api.sandbox.make('/invoices', { customer, items: [HOURS], ...more });

/** A document in a form. */
async function read(path: string, Accept = 'application/xml') {
  const answer = await fetch(`${api.sandbox.url}${path}`, { headers: { ...basic(api.sandbox.key), Accept } });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}

async function xmlOf(path: string): Promise<string> {
  const { status, bytes } = await read(path);
  expect(status).toBe(200);
  return bytes.toString();
}

/** The texts of all elements with a name. */
const texts = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`, 'g'))].map(([, text]) => text);

/** The sums of an e-invoice: net, tax, total, paid, due. */
const sums = (xml: string) =>
  ['TaxBasisTotalAmount', 'TaxTotalAmount', 'GrandTotalAmount', 'TotalPrepaidAmount', 'DuePayableAmount'].map((name) =>
    texts(xml, `ram:${name}`).map(Number),
  );

/** Category, rate, base and tax of each rate of an e-invoice. */
const rates = (xml: string) =>
  [...xml.matchAll(/<ram:ApplicableTradeTax><ram:CalculatedAmount>.*?<\/ram:ApplicableTradeTax>/g)].map(([rate]) =>
    ['CategoryCode', 'RateApplicablePercent', 'BasisAmount', 'CalculatedAmount', 'ExemptionReason'].flatMap((name) =>
      texts(rate, `ram:${name}`),
    ),
  );

test('the XML of an invoice states what the API states', async () => {
  const lines = [
    { ...HOURS, taxes: [{ tax_rate: 'vat-19' }], discounts: [{ amount: 30 }], description: '<b>Night</b> shift' },
    { name: 'Books', quantity: 2, unit_cost: 53.5, taxes: [{ tax_rate: 'vat-7' }] },
  ];
  const terms = { payment_terms: 'NET 14', purchase_order: 'PO-7', notes: 'Thanks' };
  const made = await invoice({ items: lines, ...terms });
  const path = `/invoices/${made.id}`;
  const { headers, bytes } = await read(path);
  expect(headers.get('Content-Type')).toBe('application/xml; charset=utf-8');
  expect(headers.get('Content-Disposition')).toBe(`inline; filename="Invoice ${made.number}.xml"`);
  const xml = bytes.toString();
  // 300 - 30 = 270 with 19 %: 51.30. 107 with 7 % inside: 100 + 7. Net 370, tax 58.30, total 428.30.
  expect(made.total).toBe(428.3);
  expect(sums(xml)).toEqual([[370], [58.3], [428.3], [0], [428.3]]);
  expect(rates(xml)).toEqual([
    ['S', '19', '270.00', '51.30'],
    ['S', '7', '100.00', '7.00'],
  ]);
  expect(texts(xml, 'ram:LineTotalAmount').map(Number)).toEqual([270, 100, 370]);
  expect(texts(xml, 'ram:BilledQuantity').map(Number)).toEqual([3, 2]);
  expect(texts(xml, 'ram:ActualAmount').map(Number)).toEqual([30]);
  expect(texts(xml, 'ram:Description')).toEqual(['&lt;b&gt;Night&lt;/b&gt; shift', 'Net 14 days']);
  expect(texts(xml, 'ram:Name')).toEqual(['Hours', 'Books', 'Müller &amp; Söhne GmbH', 'Schulze KG']);
  expect(texts(xml, 'ram:IBANID')).toEqual([IBAN]);
  expect(texts(xml, 'ram:PaymentReference')).toEqual([made.number]);
  expect(texts(xml, 'ram:IssuerAssignedID')).toEqual(['PO-7']);
  expect(texts(xml, 'ram:Content')).toEqual(['This is a test document. Nothing is owed.', 'Thanks']); // the sandbox says so
  expect(texts(xml, 'ram:TypeCode')).toContain('380');
  expect(xml).toContain('<ram:ID schemeID="VA">DE123456789</ram:ID>');
  expect(xml).toContain('<ram:ID schemeID="VA">ATU12345678</ram:ID>');

  const applied_to = [{ type: 'invoice', invoice: made.id, amount: 100 }];
  await api.sandbox.make('/payments', { customer, amount: 100, currency: 'eur', applied_to });
  expect(sums(await xmlOf(path)).slice(3)).toEqual([[100], [328.3]]); // 428.30 - 100
});

test('a credit note names the invoice that it corrects', async () => {
  const made = await invoice();
  const credit = { customer, invoice: made.id, items: [{ name: 'Hours', quantity: 1, unit_cost: 100 }], ...VAT };
  const note = await api.sandbox.make('/credit_notes', credit);
  const xml = await xmlOf(`/credit_notes/${note.id}`);
  expect(texts(xml, 'ram:TypeCode')).toContain('381');
  expect(texts(xml, 'ram:IssuerAssignedID')).toEqual([made.number]);
  expect(sums(xml)).toEqual([[100], [19], [119], [119], [0]]); // all of it is applied to the invoice
});

test('its PDF carries the same XML, and is PDF/A-3', async () => {
  const { id } = await invoice();
  const { bytes } = await read(`/invoices/${id}`, 'application/pdf');
  const { files, xmp } = await readPdf(bytes);
  expect([...files.keys()]).toEqual(['factur-x.xml']);
  expect(Buffer.from(files.get('factur-x.xml') ?? []).toString()).toBe(await xmlOf(`/invoices/${id}`));
  expect(xmp).toMatch(/<pdfaid:part>3<.*<fx:ConformanceLevel>EN 16931</s);
});

test.each([
  [
    'a line without tax beside one with it',
    { items: [HOURS, { ...HOURS, taxable: false }], ...VAT },
    ['E', '0', '300.00', '0.00', 'No tax'],
  ],
])('%s', async (_, body, expected) => {
  const { id } = await invoice(body);
  expect(rates(await xmlOf(`/invoices/${id}`)).at(-1)).toEqual(expected);
});

test('reverse charge and exemption state why no tax is charged', async () => {
  const { sandbox } = api;
  await sandbox.make('/tax_rules', { tax_rate: 'vat-19', country: 'AT', reverse_charge: true });
  const company = (await sandbox.make('/customers', { ...BUYER, type: 'company' })).id;
  const reversed = await invoice({ customer: company });
  expect(rates(await xmlOf(`/invoices/${reversed.id}`))).toEqual([
    ['AE', '0', '300.00', '0.00', 'Reverse charge: the recipient of the supply owes the tax.'],
  ]);
  const church = (await sandbox.make('/customers', { ...BUYER, taxable: false })).id;
  const untold = await invoice({ customer: church });
  expect((await sandbox.patch('/account', { exemption_note: 'Exempt: § 4 UStG' })).status).toBe(200);
  const told = await invoice({ customer: church });
  expect(rates(await xmlOf(`/invoices/${told.id}`))).toEqual([['E', '0', '300.00', '0.00', 'Exempt: § 4 UStG']]);
  // The invoice of before keeps the seller's details of its issue, which say nothing.
  expect(JSON.parse((await read(`/invoices/${untold.id}`)).bytes.toString())).toMatchObject({
    message: expect.stringContaining('Nothing says why no tax is charged'),
  });
});

/** The answer to a request for an e-invoice that a document cannot have. Its PDF is there all the same. */
async function refusal(path: string) {
  const { status, bytes } = await read(path);
  expect((await read(path, 'application/pdf')).status).toBe(200);
  return [status, JSON.parse(bytes.toString()).message];
}

test('sales to other countries without tax are stated only where the reason is known', async () => {
  const { sandbox } = api;
  const sold = async (buyer: object, more: object) => {
    const { id } = await sandbox.make('/customers', { ...BUYER, tax_id: null, ...buyer });
    return `/invoices/${(await invoice({ customer: id, ...more })).id}`;
  };
  const zero = { taxes: [{ tax_rate: 'vat-0' }] };
  expect(rates(await xmlOf(await sold({ country: 'DE' }, zero)))).toEqual([['Z', '0', '300.00', '0.00']]);
  expect(await refusal(await sold({ country: 'US' }, zero))).toEqual([
    400,
    'E-invoices cannot state a tax rate of 0 for a customer in another country: nothing says why no tax is charged',
  ]);
  // In Switzerland the customer owes the tax, too, but the category is for the EU.
  await sandbox.make('/tax_rules', { tax_rate: 'vat-19', country: 'CH', reverse_charge: true });
  const swiss = { country: 'CH', type: 'company', tax_id: 'CHE-116.281.710 MWST' };
  const reversed = await sold(swiss, {});
  const { bytes } = await read(reversed, 'application/json');
  expect(JSON.parse(bytes.toString()).taxes[0].tax_rate).toMatchObject({
    id: 'vat-19',
    reverse_charge: true,
    value: 0,
  });
  expect(await refusal(reversed)).toEqual([
    400,
    'With reverse charge, e-invoices need a customer in the European Union with its VAT number',
  ]);
});

test('a document that cannot have an e-invoice says why, and its PDF is as ever', async () => {
  const { sandbox } = api;
  const nowhere = (await sandbox.make('/customers', { name: 'Nobody' })).id;
  const flat = { is_percent: false, currency: 'eur' };
  await sandbox.make('/tax_rates', { id: 'eco', name: 'Eco', value: 1.5, ...flat });
  await sandbox.make('/tax_rates', { id: 'eco-0', name: 'Eco', value: 0, ...flat });
  successBody(await sandbox.patch('/account', { exemption_note: null }));
  const cases: [string, object][] = [
    ['The customer needs a country for e-invoices', { customer: nowhere, ...VAT }],
    ['E-invoices cannot state KWD: it has three decimals', { currency: 'kwd', ...VAT }],
    ['E-invoices cannot state taxes that are no percentage', { taxes: [{ tax_rate: 'eco' }] }],
    ['E-invoices cannot state taxes that are no percentage', { taxes: [{ tax_rate: 'eco-0' }] }],
    [
      'Nothing says why no tax is charged: e-invoices need a tax rate of 0, a small_business_note or an exemption_note',
      { taxes: [{ amount: 0 }] },
    ],
    [
      'E-invoices cannot state a line with more than one tax',
      { taxes: [{ tax_rate: 'vat-19' }, { tax_rate: 'vat-7' }] },
    ],
    ['A draft has no e-invoice', { draft: true, ...VAT }],
    ['A draft has no e-invoice', { draft: true, number: 'R-2027-1', ...VAT }],
  ];
  for (const [message, body] of cases) {
    const { id } = await invoice(body);
    expect(await refusal(`/invoices/${id}`)).toEqual([400, message]);
  }
  const { id } = await invoice();
  successBody(await sandbox.request('POST', `/invoices/${id}/void`));
  expect(await refusal(`/invoices/${id}`)).toEqual([400, 'A voided document has no e-invoice']);
});

test.each([
  ['outside the EU', { country: 'US' }, 'Only sellers in the European Union have e-invoices'],
  ['without a tax id', { tax_id: null }, 'The account needs a tax_id for e-invoices'],
])('a seller %s has no e-invoices', async (_, change, message) => {
  const { sandbox } = api;
  successBody(await sandbox.patch('/account', change));
  const { id } = await invoice();
  successBody(await sandbox.patch('/account', SELLER));
  const { status, bytes } = await read(`/invoices/${id}`);
  expect([status, JSON.parse(bytes.toString()).message]).toEqual([400, message]);
});

test('browsers and other resources get JSON, and another account finds nothing', async () => {
  const { id } = await invoice();
  const typeOf = async (path: string, accept: string) => (await read(path, accept)).headers.get('Content-Type');
  const forms: [accept: string, type: string][] = [
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'json'], // a browser
    ['application/xml, application/json;q=0.5', 'json'], // a library that reads both
    ['application/xml, */*', 'json'],
    ['application/xml, application/pdf;q=0.5', 'xml'],
    ['application/pdf, application/xml;q=0.5', 'pdf'],
    ['application/pdf, */*;q=0.1', 'pdf'],
  ];
  for (const [accept, type] of forms) {
    expect(await typeOf(`/invoices/${id}`, accept)).toMatch(new RegExp(`^application/${type}`));
  }
  const estimate = await api.sandbox.make('/estimates', { customer, items: [HOURS] });
  expect(await typeOf(`/estimates/${estimate.id}`, 'application/xml')).toMatch('application/json');
  const headers = { ...basic(api.live.key), Accept: 'application/xml' };
  expect((await fetch(`${api.live.url}/invoices/${id}`, { headers })).status).toBe(404);
});
