import type { Statement, StatementLine } from '../../../billing/documents/statement.ts';
import { isNegative, isPositive, isZero, subtract } from '../../../billing/money/money.ts';
import type { StatementWords } from '../../../words/statement/wording.ts';
import { statementWordsOf } from '../../../words/statement/words.ts';
import { fill, fillCount } from '../../../words/text.ts';
import { unix } from '../../kernel/values.ts';
import type { PrintedDocument, PrintedFact, PrintedLine, PrintedSum } from '../document.ts';
import { type Between, headOf, labelsOfPages, type Pen, penFor } from '../head.ts';
import { storySentences, type ToldStory } from '../noteStory.ts';
import { transferTo } from '../transfer.ts';
import { payLinks, printLate } from './late.ts';

export interface PrintableStatement extends Between {
  statement: Statement;
  /** What became of its credit notes, by id. */
  told?: ReadonlyMap<number, ToldStory>;
  accountId: number;
  customer: { number: string };
}

interface Ink {
  pen: Pen & { language: string };
  words: StatementWords;
  accountId: number;
  told: ReadonlyMap<number, ToldStory>;
}

/** The printed account statement of a customer. */
export function printStatement({
  statement,
  customer,
  accountId,
  told = new Map(),
  ...between
}: PrintableStatement): PrintedDocument {
  const pen = penFor(between);
  const words = statementWordsOf(pen.language);
  const { labels, formats } = pen;
  const { closing, range } = statement;
  const ink = { pen, words, accountId, told };
  const late = printLate(statement, ink);
  const head = headOf(between, pen);
  const asOf = fill('{label} {day}', { label: words.asOf, day: formats.day(lastInstant(statement)) });
  return {
    kind: 'statement',
    ...head,
    title: words.title,
    number: null,
    heading: `${words.title} ${pen.own(customer.number)}`,
    date: unix(range.until),
    mark: null,
    figure: {
      label: balanceLabel(statement, words),
      value: formats.money(absolute(closing)),
      note: asOf,
      isLate: false,
    },
    facts: [
      ...(range.from ? [{ label: words.period, value: periodOf(statement, pen) }] : []),
      { label: labels.customerNumber, value: pen.own(customer.number) },
    ],
    columns: {
      description: labels.description,
      quantity: labels.date,
      unitCost: labels.amount,
      amount: labels.balance,
    },
    lines: [...openingLines(statement, ink), ...statement.lines.map((line) => printedLine(line, ink))],
    sums: sumsOf(statement, ink),
    ages: agesOf(statement, ink),
    ...(late && { late }),
    transfer: transferIn(statement, between, { pen, number: customer.number }),
    links: payLinks(statement, ink),
    notes: [],
    labels: labelsOfPages(pen),
  };
}

/** The bank account for a transfer of what is owed, with the number of the customer as reference. Null: nothing is owed. */
function transferIn(
  { closing }: Statement,
  { seller, currency }: Pick<Between, 'seller' | 'currency'>,
  { pen, number: reference }: { pen: Pen; number: string },
): PrintedDocument['transfer'] {
  return isPositive(closing) ? transferTo({ seller, currency, amount: closing, reference }, pen) : null;
}

/** The days of a range. Without a start: its last day. */
export function periodOf({ range }: Pick<Statement, 'range'>, { formats }: Pick<Pen, 'formats'>): string {
  return range.from ? formats.period(range.from, range.until) : formats.day(lastInstant({ range }));
}

function lastInstant({ range }: Pick<Statement, 'range'>): Date {
  return new Date(range.until.getTime() - 1);
}

function absolute(amount: string): string {
  return isNegative(amount) ? amount.slice(1) : amount;
}

function balanceLabel({ closing, items, type }: Statement, words: StatementWords): string {
  if (type === 'open_item' && items === 'past_due') return words.pastDueTotal;
  return isNegative(closing) ? words.yourCredit : words.closingBalance;
}

/** The balance before the first line, and the sum of the lines that are too many to be listed. */
function openingLines(
  { opening, earlier, range, type }: Statement,
  { pen, words }: Pick<Ink, 'pen' | 'words'>,
): PrintedLine[] {
  const { formats } = pen;
  const line = (name: string, more: Pick<PrintedLine, 'quantity' | 'unitCost' | 'amount'>): PrintedLine => {
    return { name, details: [], discounts: [], ...more, carried: more.amount };
  };
  const hasOpening = type === 'balance_forward' || !isZero(opening);
  const day = range.from ? formats.shortDay(range.from) : '';
  const first = { quantity: day, unitCost: '', amount: formats.money(opening) };
  const { count } = earlier;
  const named = fillCount(words.earlier, { language: pen.language, count }, { count: formats.quantity(String(count)) });
  const sum = subtract(opening, subtract('0', earlier.amount));
  const rest = { quantity: '', unitCost: formats.money(earlier.amount), amount: formats.money(sum) };
  return [
    ...(hasOpening ? [line(words.openingBalance, first)] : []),
    ...(earlier.count > 0 ? [line(named, rest)] : []),
  ];
}

function printedLine(line: StatementLine, { pen, words, told }: Pick<Ink, 'pen' | 'words' | 'told'>): PrintedLine {
  const { formats, labels, own } = pen;
  const { date, dueAt, reference, amount, balance, type, daysPastDue, method, isGatewayReference } = line;
  const number = isGatewayReference ? null : line.number;
  const by = method === null || method === 'other' ? undefined : labels.methods[method];
  const kind = nameOf(type, { pen, words });
  const name = by === undefined ? kind : `${kind} (${by})`;
  const late = daysPastDue !== null && daysPastDue > 0 ? formats.duration(daysPastDue, 'day') : null;
  const due = dueAt && type === 'invoice' ? [fill(labels.dueOn, { day: formats.day(dueAt) })] : [];
  const story = type === 'credit_note' ? told.get(line.creditNoteId ?? 0) : undefined;
  const became = story ? storySentences(story, pen) : [];
  const named = reference ? [`${labels.reference}: ${own(reference)}`] : [];
  return {
    name: number ? `${name} ${own(number)}` : name,
    details: late === null ? [...due, ...named, ...became] : [`${due.join('')} · ${words.pastDueTotal}: ${late}`],
    discounts: [],
    quantity: date ? formats.shortDay(date) : '',
    unitCost: formats.money(amount),
    amount: formats.money(balance),
    carried: formats.money(balance),
  };
}

function nameOf(type: StatementLine['type'], { pen: { labels }, words }: Pick<Ink, 'pen' | 'words'>): string {
  const names: Readonly<Record<StatementLine['type'], string>> = {
    invoice: labels.invoice,
    late_fee: labels.lateFee,
    credit_note: labels.creditNote,
    payment: words.payment,
    convenience_fee: labels.convenienceFee,
    transfer: words.transfer,
    refund: words.refund,
    dispute: words.dispute,
    return: words.bankReturn,
    adjustment: words.adjustment,
    write_off: words.writeOff,
    forfeit: words.forfeit,
    credit_balance: words.creditBalance,
    deposit: labels.deposit,
  };
  return names[type];
}

/** The parts of the balance, and the balance. */
function sumsOf(statement: Statement, { pen: { formats }, words }: Pick<Ink, 'pen' | 'words'>): PrintedSum[] {
  const { closing, outstanding, credits, unapplied, deposits, items } = statement;
  const last = { label: balanceLabel(statement, words), value: formats.money(absolute(closing)) };
  const parts = [
    { label: words.credit, amount: credits },
    { label: words.notApplied, amount: unapplied },
    { label: words.deposits, amount: deposits },
  ].filter(({ amount }) => !isZero(amount));
  const isWhole = statement.type === 'balance_forward' || items === 'open';
  const plain = (label: string, value: string) => ({ label, value, weight: 'plain' as const });
  const listed = isWhole && parts.length > 0;
  return [
    ...(listed ? [plain(words.openInvoices, formats.money(outstanding))] : []),
    ...(listed ? parts.map(({ label, amount }) => plain(label, formats.less(amount))) : []),
    { ...last, weight: 'balance' },
  ];
}

/** The open invoices by age. Empty: nothing is owed. */
export function agesOf(
  { ages, outstanding }: Pick<Statement, 'ages' | 'outstanding'>,
  { pen: { formats }, words }: { pen: Pick<Pen, 'formats'>; words: StatementWords },
): PrintedFact[] {
  if (!isPositive(outstanding)) return [];
  const days = (from: number, to: number) => {
    const named = { from: formats.quantity(String(from)), to: formats.quantity(String(to)) };
    return fill(words.daysPastDue, named);
  };
  const { current, days1To30, days31To60, days61To90, over90 } = ages;
  return [
    { label: words.notDue, value: formats.money(current) },
    { label: days(1, 30), value: formats.money(days1To30) },
    { label: days(31, 60), value: formats.money(days31To60) },
    { label: days(61, 90), value: formats.money(days61To90) },
    { label: fill(words.overDays, { days: formats.quantity('90') }), value: formats.money(over90) },
  ];
}
