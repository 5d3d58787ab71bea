import { negate, roundMoney, subtract, sum } from '../../billing/money/money.ts';
import type { ExplainedInvoice, InvoiceFacts } from '../../db/queries/events/explanation.ts';
import { adjustments } from './adjustments.ts';
import { linesInWords, postings } from './parts.ts';
import { columns, spelled, unlike, zonedTime } from './words.ts';

/** Explains an invoice: one line of arithmetic for each amount. A stored amount that differs is marked with STORED. */
export function explainInvoice(facts: InvoiceFacts): string[] {
  const { invoice, lines } = facts;
  const further = adjustments({ document: invoice, lines });
  return [
    ...head(invoice),
    '',
    'Lines: quantity x unit cost',
    ...linesInWords({ ...invoice, isTotal: further.length === 0 }, lines),
    ...further,
    '',
    'Balance: total less what is applied',
    ...balance(facts),
    '',
    'Ledger: debit positive, credit negative',
    ...ledger(facts),
  ];
}

function head(invoice: ExplainedInvoice): string[] {
  const { number, customer, customerId, subscriptionId, status, timeZone } = invoice;
  const bills = subscriptionId === null ? '' : `, bills subscription ${subscriptionId}`;
  const terms = invoice.paymentTerms ?? 'no terms';
  const saysAutopay = /^autopay$/i.test(terms.trim());
  const collected = invoice.autopay && !saysAutopay ? `${terms}, AutoPay` : terms;
  const due = invoice.dueAt ? `due ${zonedTime(invoice.dueAt, timeZone)}` : 'no due date';
  return [
    `Invoice ${number ?? '(draft)'}: ${status}, customer ${customerId} ${customer}${bills}`,
    `dated ${zonedTime(invoice.date, timeZone)}, ${due} (${timeZone}), ${collected}`,
  ];
}

function balance({ invoice, applications }: InvoiceFacts): string[] {
  const { currency, timeZone } = invoice;
  const rows = applications.map(({ paymentId, method, date, amount }) => [
    `payment ${paymentId}`,
    `${method}, ${zonedTime(date, timeZone)}`,
    roundMoney(amount, currency),
  ]);
  const total = roundMoney(invoice.total, currency);
  if (invoice.voided)
    return columns([...rows, ['Balance', 'voided: nothing is owed', `0${unlike(invoice.balance, '0')}`]]);
  const owed = subtract(
    total,
    sum(
      applications.map(({ amount }) => roundMoney(amount, currency)),
      currency,
    ),
  );
  const taken = spelled([total, ...applications.map(({ amount }) => negate(amount))], currency);
  return columns([...rows, ['Balance', `${taken} = ${owed} ${currency}${unlike(invoice.balance, owed)}`]]);
}

function ledger({ invoice, entries }: InvoiceFacts): string[] {
  const { currency } = invoice;
  const receivable = entries.filter(({ ledgerAccount }) => ledgerAccount === 'receivable').map(({ amount }) => amount);
  const owed = sum(
    receivable.map((amount) => roundMoney(amount, currency)),
    currency,
  );
  const added = `${spelled(receivable, currency)} = ${owed} ${currency}${unlike(invoice.receivable ? invoice.balance : '0', owed)}`;
  return columns([...postings(entries, invoice), ['', 'Receivable', added]]);
}
