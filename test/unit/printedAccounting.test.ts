import { expect, test } from '@jest/globals';
import { totalsOf } from '../../billing/documents/document.ts';
import { epcCode } from '../../billing/look/epcCode.ts';
import { printInvoice } from '../../present/printed/invoice.ts';
import { acme, northwind, sampleDiscount, sampleInvoice, sampleTax } from '../support/printed.ts';

const day = new Date('2027-01-05T12:00:00Z');
const euros = {
  currency: 'eur',
  accountHolder: null,
  bankName: null,
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  accountNumber: null,
  routingNumber: null,
};
const said = (facts: readonly { label: string; value: string }[]) =>
  facts.map(({ label, value }) => `${label} ${value}`);
const print = (...sample: Parameters<typeof sampleInvoice>) => printInvoice(sampleInvoice(...sample));

test('each rate names the amount that it is computed from, and lines without tax are marked', () => {
  // 19 % of 2,445.93 = 464.7267; 7 % of 100.00 = 7.00; 2,445.93 + 100.00 + 50.00 + 464.73 + 7.00 = 3,067.66
  const { sums, lines } = print(
    [
      { name: 'Machine', unitCost: '2445.93', taxes: [sampleTax('VAT', 19, '464.73')] },
      { name: 'Book', unitCost: '100', taxes: [{ ...sampleTax('VAT', 7, '7.00'), rateKey: 2 }] },
      { name: 'Stamp', unitCost: '50' },
    ],
    { total: '3067.66', balance: '3067.66' },
  );
  expect(said(sums)).toEqual([
    'Subtotal $2,595.93',
    'VAT 19% on $2,445.93 $464.73',
    'VAT 7% on $100.00 $7.00',
    'Total $3,067.66',
    'Amount due $3,067.66',
  ]);
  expect(lines.map(({ details }) => details)).toEqual([['VAT 19%'], ['VAT 7%'], ['No tax']]);
});

test('tax that prices contain follows the total, so that lines add up to the subtotal', () => {
  // 510.00 x 1.19 = 606.90
  const inclusive = (amount: string) => ({ taxes: [sampleTax('VAT', 19, amount, true)] });
  const one = print([{ name: 'Hour', unitCost: '606.90' }], {
    ...inclusive('96.90'),
    total: '606.90',
    balance: '606.90',
  });
  expect(said(one.sums)).toEqual([
    'Subtotal $606.90',
    'Total $606.90',
    'of which VAT 19% on $510.00 $96.90',
    'Net amount $510.00',
    'Amount due $606.90',
  ]);
  // 120.00 with 20 % in it, 10 % off: 108.00 = 90.00 + 18.00
  const less = print([{ name: 'Hour', unitCost: '120' }], {
    discounts: [sampleDiscount('Sale', 10, '12.00')],
    taxes: [sampleTax('VAT', 20, '18.00', true)],
    total: '108.00',
    balance: '108.00',
  });
  expect(said(less.sums)).toEqual([
    'Subtotal $120.00',
    'Sale 10% −$12.00',
    'Total $108.00',
    'of which VAT 20% on $90.00 $18.00',
    'Net amount $90.00',
    'Amount due $108.00',
  ]);
});

test('the printed base and tax are those that the rules compute', () => {
  const tax = { id: null, fixed: null, taxRate: sampleTax('VAT', 19, '0').taxRate, rateKey: 1 };
  const line = { quantity: '3', unitCost: '33.335', discountable: true, taxable: true, discounts: [], taxes: [] };
  const { total, taxTotal } = totalsOf({ lines: [line], discounts: [], taxes: [tax], currency: 'usd' });
  // 3 x 33.335 = 100.005, rounded 100.01; 19 % of it = 19.0019
  expect([total, taxTotal]).toEqual(['119.01', '19.00']);
  const printed = print([{ name: 'Hour', quantity: '3', unitCost: '33.335' }], {
    total,
    balance: total,
    taxes: [sampleTax('VAT', 19, taxTotal)],
  });
  expect(said(printed.sums)).toContain('VAT 19% on $100.01 $19.00');
});

test('payments, credit notes and credit are listed one by one, refunds in a note, and unknown parts as a sum', () => {
  const part = { date: day, method: 'credit_card', creditNote: null, refunds: [] };
  const refund = { status: 'succeeded', amount: '5.00', createdAt: day.getTime() / 1000 } as never;
  const printed = print(
    [{ name: 'Hour', unitCost: '100' }],
    { total: '100.00', balance: '20.00' },
    {
      parts: [
        { ...part, type: 'invoice', amount: '40.00', refunds: [refund] },
        { ...part, type: 'credit_note', amount: '20.00', creditNote: 'CN-00001' },
        { ...part, type: 'applied_credit', amount: '10.00' },
      ],
    },
  );
  // 100.00 - 40.00 - 20.00 - 10.00 - 10.00 = 20.00
  expect(said(printed.sums)).toEqual([
    'Total $100.00',
    'Payment of January 5, 2027 (Card) −$40.00',
    'Credit note CN-00001 −$20.00',
    'From the credit balance, January 5, 2027 −$10.00',
    'Payments and credits −$10.00',
    'Amount due $20.00',
  ]);
  expect(said(printed.notes)).toEqual(['Refunds Refund of January 5, 2027: $5.00']);
});

test('an invoice that is past due says so in words and colour', () => {
  const late = print([{ name: 'Hour', unitCost: '5' }], { status: 'past_due', pastDue: true });
  expect(late.mark).toEqual({ text: 'PAST DUE', tone: 'bad', isAcross: false });
  expect(late.figure).toMatchObject({ note: 'Past due since February 4, 2027', isLate: true });
  const closed = print([{ name: 'Hour', unitCost: '5' }], { status: 'past_due', pastDue: true, closed: true });
  expect(closed.mark).toBeNull();
});

test('notes about taxes: reverse charge only by its rule, exemption and small business from the account', () => {
  const seller = { ...acme, exemptionNote: 'Exempt by law', smallBusinessNote: 'Small business' };
  const notes = (invoice: object, buyer: object = northwind) =>
    print([{ name: 'Hour', unitCost: '5' }], invoice, { seller, buyer: { ...northwind, ...buyer } }).notes;
  const reversed = sampleTax('VAT', 0, '0.00');
  const rate = { ...reversed.taxRate, reverse_charge: true } as typeof reversed.taxRate;
  expect(said(notes({ taxes: [{ ...reversed, taxRate: rate }] }))).toEqual([
    'Tax Reverse charge: the recipient of the supply owes the tax.',
  ]);
  expect(notes({ taxes: [reversed] })).toEqual([]);
  expect(said(notes({}))).toEqual(['Tax Small business']);
  expect(said(notes({}, { isExempt: true }))).toEqual(['Tax Exempt by law', 'Tax Small business']);
});

test('an invoice has the bank account of its currency, the reference, and links; a paid one only the link to view it', () => {
  const seller = { ...acme, bankDetails: [euros], paymentReference: '{customer_number}/{number}' };
  const due = print([{ name: 'Hour', unitCost: '5' }], { currency: 'eur' }, { seller });
  expect(said(due.transfer?.rows ?? [])).toEqual([
    'Account holder Acme Instruments Inc.',
    'IBAN DE89 3704 0044 0532 0130 00',
    'BIC COBADEFFXXX',
    'Reference CUST-00042/INV-00001',
  ]);
  expect(due.transfer?.code?.content).toBe(
    'BCD\n002\n1\nSCT\nCOBADEFFXXX\nAcme Instruments Inc.\nDE89370400440532013000\nEUR5.00\n\n\nCUST-00042/INV-00001',
  );
  const page = `/documents/1/invoice/77/${'f'.repeat(32)}`;
  const paths = ({ links }: typeof due) =>
    links.map(({ label, href }) => [label, href.slice(href.indexOf('/documents'))]);
  expect(paths(due)).toEqual([
    ['Pay online', `${page}/pay`],
    ['View online', page],
  ]);
  const paid = print(
    [{ name: 'Hour', unitCost: '5' }],
    { currency: 'eur', status: 'paid', balance: '0.00' },
    { seller },
  );
  expect([paid.transfer, paths(paid)]).toEqual([null, [['View online', page]]]);
  expect(print([{ name: 'Hour', unitCost: '5' }], {}, { seller }).transfer).toBeNull();
  const drafted = print(
    [{ name: 'Hour', unitCost: '5' }],
    { currency: 'eur', status: 'draft', issuedAt: null },
    { seller },
  );
  expect([drafted.transfer, drafted.links]).toEqual([null, []]);
});

test.each([
  ['nothing to pay', { amount: '0.00' }],
  ['too much', { amount: '1000000000.00' }],
  ['no IBAN', { iban: null }],
  ['too many bytes', { holder: '会'.repeat(70), reference: '会'.repeat(140) }],
])('there is no QR code for %s', (_what, wrong) => {
  const right = { holder: 'Acme', iban: 'DE89370400440532013000', bic: null, amount: '1.00', reference: 'R' };
  expect(epcCode(right)).toContain('EUR1.00');
  expect(epcCode({ ...right, ...wrong })).toBeNull();
});

test.each([
  ['2966.6700', 'EUR2966.67'], // a database's text: 3000 - 33.33
  ['0.0100', 'EUR0.01'],
  ['7', 'EUR7.00'],
  ['999999999.9900', 'EUR999999999.99'], // twelve characters
  ['0.0040', undefined],
  ['1000000000.0000', undefined],
])('the QR code of %s states %s', (amount, expected) => {
  const content = epcCode({ holder: 'Acme', iban: 'DE89370400440532013000', bic: null, amount, reference: 'R' });
  expect(content?.split('\n')[7]).toBe(expected);
});
