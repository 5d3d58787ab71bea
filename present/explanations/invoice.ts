import { exactProduct, multiply, negate, roundMoney, subtract, sum } from '../../billing/money.ts';
import type { ExplainedEntry, ExplainedInvoice, InvoiceFacts } from '../../db/queries/events/explanation.ts';
import { adjustments } from './adjustments.ts';
import { columns, spelled, unlike, zonedTime } from './words.ts';

/** Explains an invoice: one line of arithmetic for each amount. A stored amount that differs is marked with STORED. */
export function explainInvoice(facts: InvoiceFacts): string[] {
  return [
    ...head(facts.invoice),
    '',
    'Lines: quantity x unit cost',
    ...lines(facts),
    ...adjustments(facts),
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

function lines(facts: InvoiceFacts): string[] {
  const { invoice, lines: all } = facts;
  const { currency } = invoice;
  const rows = all.map((line, index) => {
    const exact = exactProduct(line.quantity, line.unitCost);
    const amount = multiply(line.quantity, line.unitCost, currency);
    const isRounded = roundMoney(exact, currency) !== exact && exactProduct(amount, '1') !== exact;
    const [quantity, unitCost] = [exactProduct(line.quantity, '1'), exactProduct(line.unitCost, '1')];
    const product = `${quantity} x ${unitCost} = ${isRounded ? `${exact}, rounded ${amount}` : amount}`;
    return [
      String(index + 1),
      (line.name ?? '').slice(0, 40),
      `${product}${period(line, invoice.timeZone)}${unlike(line.amount, amount)}`,
    ];
  });
  const total = sum(
    all.map(({ amount }) => roundMoney(amount, currency)),
    currency,
  );
  const added = `${spelled(
    all.map(({ amount }) => amount),
    currency,
  )} = ${total} ${currency}`;
  const isTotal = adjustments(facts).length === 0;
  return columns([...rows, ['', isTotal ? 'Total' : 'Sum', `${added}${isTotal ? unlike(invoice.total, total) : ''}`]]);
}

function period(line: InvoiceFacts['lines'][number], zone: string): string {
  if (!line.periodStartAt || !line.periodEndAt) return '';
  return `   (${zonedTime(line.periodStartAt, zone)} to ${zonedTime(line.periodEndAt, zone)})`;
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
  const { currency, timeZone } = invoice;
  const postings = [...Map.groupBy(entries, ({ posting }) => posting).values()];
  const rows = postings.flatMap((posting) => {
    const [first] = posting;
    if (!first) return [];
    const why = `${first.reason}${first.paymentId === null ? '' : `, payment ${first.paymentId}`}`;
    return [[zonedTime(first.postedAt, timeZone), why, posting.map((entry) => moved(entry, currency)).join(', ')]];
  });
  const receivable = entries.filter(({ ledgerAccount }) => ledgerAccount === 'receivable').map(({ amount }) => amount);
  const owed = sum(
    receivable.map((amount) => roundMoney(amount, currency)),
    currency,
  );
  const added = `${spelled(receivable, currency)} = ${owed} ${currency}${unlike(invoice.receivable ? invoice.balance : '0', owed)}`;
  return columns([...rows, ['', 'Receivable', added]]);
}

function moved({ ledgerAccount, amount }: ExplainedEntry, currency: string): string {
  return `${ledgerAccount} ${roundMoney(amount, currency)}`;
}
