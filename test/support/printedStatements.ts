import { type StatementFacts, statementOf } from '../../billing/documents/statement.ts';
import type { PrintedDocument } from '../../present/printed/document.ts';
import { type PrintableStatement, printStatement } from '../../present/printed/statement/document.ts';
import { acme, northwind } from './printed.ts';

const day = (text: string) => new Date(`${text}T18:00:00Z`);

type Line = StatementFacts['lines'][number];

/** A line of a statement. Its parts that are not given are null. */
export function statementLine(type: Line['type'], on: string | null, amount: string, more: Partial<Line> = {}): Line {
  const ids = { invoiceId: null, paymentId: null, creditNoteId: null, refundId: null };
  const nothing = { dueAt: null, dueOn: null, number: null, method: null, isGatewayReference: false, ...ids };
  return { ...nothing, type, date: on === null ? null : day(on), amount, ...more };
}

const invoice = (on: string, due: string, number: string, amount: string) =>
  statementLine('invoice', on, amount, { number, dueAt: day(due), dueOn: due });

const INVOICE_42 = { id: 42, token: 'a'.repeat(32), number: 'INV-00042' };

/** A balance forward statement of March 2027: 1,299.90 before it, 2,104.15 at its end. */
export const marchFacts: StatementFacts = {
  type: 'balance_forward',
  items: 'open',
  currency: 'usd',
  range: { from: new Date('2027-03-01T06:00:00Z'), until: new Date('2027-04-01T05:00:00Z'), lastDay: '2027-03-31' },
  opening: '1299.90',
  earlier: { count: 0, amount: '0' },
  lines: [
    invoice('2027-03-02', '2027-03-16', 'INV-00042', '1840.50'),
    statementLine('payment', '2027-03-09', '-1299.90', { number: '1054', method: 'check' }),
    statementLine('late_fee', '2027-03-18', '25.00', { number: 'INV-00042' }),
    statementLine('credit_note', '2027-03-20', '-120.00', { number: 'CN-00007' }),
    invoice('2027-03-24', '2027-04-23', 'INV-00051', '408.65'),
    statementLine('payment', '2027-03-29', '-50.00', { number: 'WIRE-77120', method: 'wire_transfer' }),
  ],
  // 1,840.50 + 25.00 + 408.65 is owed; 120.00 is credit and 50.00 not applied
  sums: { receivable: '2274.15', credits: '-120.00', unapplied: '-50.00', deposits: '0' },
  owed: [
    { day: '2027-03-16', amount: '1865.50' },
    { day: '2027-04-23', amount: '408.65' },
  ],
  late: {
    count: 1,
    amount: '1865.50',
    listed: [{ ...INVOICE_42, dueAt: day('2027-03-16'), dueOn: '2027-03-16', amount: '1865.50', isPayable: true }],
  },
  payable: INVOICE_42,
};

/** The same balance as open items. */
export const openFacts: StatementFacts = {
  ...marchFacts,
  type: 'open_item',
  range: { ...marchFacts.range, from: null },
  opening: '0',
  lines: [
    invoice('2027-03-02', '2027-03-16', 'INV-00042', '1865.50'),
    invoice('2027-03-24', '2027-04-23', 'INV-00051', '408.65'),
    statementLine('payment', '2027-03-29', '-50.00', { number: 'WIRE-77120' }),
    statementLine('credit_balance', null, '-120.00'),
  ],
};

/** A printed statement. */
export function sampleStatement(
  facts: StatementFacts = marchFacts,
  between: Partial<Omit<PrintableStatement, 'statement'>> = {},
): PrintedDocument {
  return printStatement({
    statement: statementOf(facts),
    accountId: 1,
    customer: { number: northwind.number },
    seller: acme,
    buyer: northwind,
    language: between.buyer?.language ?? 'en',
    currency: facts.currency,
    timeZone: 'America/Chicago',
    ...between,
  });
}
