import { expect, test } from '@jest/globals';
import { statementOf } from '../../billing/documents/statement.ts';
import { acme, northwind } from '../support/printed.ts';
import { marchFacts, openFacts, sampleStatement, statementLine } from '../support/printedStatements.ts';

/** The printed account statement. */

const LANGUAGES = ['ar', 'de', 'en', 'es', 'fr', 'he', 'ja', 'zh'];

/** The printed document, with ordinary spaces in place of typographic ones. */
const print = (...given: Parameters<typeof sampleStatement>): ReturnType<typeof sampleStatement> =>
  JSON.parse(JSON.stringify(sampleStatement(...given)).replaceAll(/[\u00a0\u202f\u2009]/g, ' '));

test('a balance forward statement prints the opening balance, each movement, what the balance consists of, and the ages', () => {
  const printed = print();
  expect(printed).toMatchObject({
    kind: 'statement',
    paper: 'us-letter',
    heading: 'Statement of account CUST-00042',
    figure: { label: 'Balance', value: '$2,104.15', note: 'As of March 31, 2027' },
    facts: [
      { label: 'Period', value: 'Mar 1 – 31, 2027' },
      { label: 'Customer number', value: 'CUST-00042' },
    ],
    columns: { description: 'Description', quantity: 'Date', unitCost: 'Amount', amount: 'Balance' },
    ages: [
      { label: 'Not due yet', value: '$408.65' },
      { label: '1 to 30 days past due', value: '$1,865.50' },
      { label: '31 to 60 days past due', value: '$0.00' },
      { label: '61 to 90 days past due', value: '$0.00' },
      { label: 'Over 90 days past due', value: '$0.00' },
    ],
  });
  expect(printed.lines.map(({ name, quantity, unitCost, amount }) => [name, quantity, unitCost, amount])).toEqual([
    ['Opening balance', 'Mar 1, 2027', '', '$1,299.90'],
    ['Invoice INV-00042', 'Mar 2, 2027', '$1,840.50', '$3,140.40'],
    ['Payment (Check) 1054', 'Mar 9, 2027', '−$1,299.90', '$1,840.50'],
    ['Late fee INV-00042', 'Mar 18, 2027', '$25.00', '$1,865.50'],
    ['Credit note CN-00007', 'Mar 20, 2027', '−$120.00', '$1,745.50'],
    ['Invoice INV-00051', 'Mar 24, 2027', '$408.65', '$2,154.15'],
    ['Payment (Wire transfer) WIRE-77120', 'Mar 29, 2027', '−$50.00', '$2,104.15'],
  ]);
  expect(printed.lines[1]?.details).toEqual(['Due March 16, 2027']);
  // 2,274.15 - 120.00 - 50.00 = 2,104.15
  expect(printed.sums.map(({ label, value }) => [label, value])).toEqual([
    ['Open invoices', '$2,274.15'],
    ['Credit', '−$120.00'],
    ['Payments not applied yet', '−$50.00'],
    ['Balance', '$2,104.15'],
  ]);
});

test('open items have days past due, and a balance below zero is in favor of the customer', () => {
  expect(print(openFacts).lines[0]?.details).toEqual(['Due March 16, 2027 · Past due: 15 days']);
  const sums = { receivable: '0', credits: '-20.00', unapplied: '0', deposits: '0' };
  const late = { count: 0, amount: '0', listed: [] };
  const printed = print({ ...marchFacts, opening: '-20', lines: [], owed: [], sums, late, payable: null });
  expect([printed.late, printed.transfer, printed.links]).toEqual([undefined, null, []]);
  expect(printed).toMatchObject({ figure: { label: 'In your favor', value: '$20.00' }, ages: [] });
});

test('past-due invoices are listed with their number, due date, days and the page that pays them, the others as a sum', () => {
  const { late, links } = print();
  const pay = expect.stringMatching(/\/documents\/1\/invoice\/42\/a{32}\/pay$/);
  expect(late).toEqual({
    title: 'Past due invoices',
    columns: { invoice: 'Invoice', due: 'Due date', days: 'Past due for', amount: 'Amount' },
    rows: [{ invoice: 'INV-00042', href: pay, due: 'March 16, 2027', days: '15 days', amount: '$1,865.50' }],
    sums: [{ label: 'Past due', value: '$1,865.50' }],
  });
  expect(links).toEqual([{ label: 'Pay online: Invoice INV-00042', href: pay }]);
  // 2,000.00 - 1,865.50 = 134.50
  const more = print({ ...marchFacts, late: { ...marchFacts.late, count: 8, amount: '2000.00' } });
  expect(more.late?.sums).toEqual([
    { label: 'Further past due invoices: 7', value: '$134.50' },
    { label: 'Past due', value: '$2,000.00' },
  ]);
  const [one] = marchFacts.late.listed;
  if (!one) throw new Error('no past-due invoice');
  const closed = print({ ...marchFacts, late: { ...marchFacts.late, listed: [{ ...one, isPayable: false }] } });
  expect(closed.late?.rows[0]?.href).toBeNull();
});

test('the reference of a gateway is not printed, the bank account is, and a statement of the sandbox says that it is one', () => {
  const card = { number: 'ch_3PqX', method: 'credit_card', isGatewayReference: true };
  const lines = [statementLine('payment', '2027-03-09', '-10.00', card)];
  const account = { accountHolder: null, bankName: null, iban: null, bic: null };
  const bankDetails = [{ ...account, currency: 'usd', accountNumber: '123456', routingNumber: '021000021' }];
  const printed = print({ ...marchFacts, lines }, { seller: { ...acme, bankDetails }, isTest: true });
  expect(printed.lines[1]?.name).toBe('Payment (Card)');
  expect(JSON.stringify(printed)).not.toContain('ch_3PqX');
  expect(printed.transfer?.rows.at(-1)).toEqual({ label: 'Reference', value: 'CUST-00042' });
  expect(printed.test).toBe('This is a test document. Nothing is owed.');
  expect(print().test).toBeNull();
});

test('lines that are too many are printed as one line with their number and sum', () => {
  const { lines } = print({ ...marchFacts, earlier: { count: 4213, amount: '812.40' } });
  // 1,299.90 + 812.40 = 2,112.30
  expect(lines[1]).toMatchObject({ name: '4,213 earlier entries', unitCost: '$812.40', amount: '$2,112.30' });
  expect(statementOf({ ...marchFacts, earlier: { count: 4213, amount: '812.40' } }).closing).toBe('2916.55');
});

test.each(LANGUAGES)('%s: a printed statement is complete', (language) => {
  const buyer = { ...northwind, language };
  for (const facts of [marchFacts, openFacts]) {
    const { title, lines, sums, ages } = print(facts, { buyer });
    const texts = JSON.stringify([title, lines, sums, ages]);
    expect(texts).not.toMatch(/\{\w+\}|undefined|NaN|Invalid/);
    for (const shown of ['INV-00042', 'INV-00051', 'WIRE-77120']) expect(texts).toContain(shown);
    expect(ages).toHaveLength(5);
    if (language !== 'en') expect(texts).not.toMatch(/Opening|Payment|Balance|days/);
  }
});
