import { exactProduct, multiply, roundMoney, sum } from '../../billing/money/money.ts';
import type { ExplainedEntry, ExplainedLine } from '../../db/queries/events/explanation.ts';
import { columns, spelled, unlike, zonedTime } from './words.ts';

/** A document whose lines are explained. */
interface WithLines {
  currency: string;
  timeZone: string;
  total: string;
  /** Whether the sum of its lines is its total. */
  isTotal: boolean;
  /** It corrects an invoice, so that its lines are rounded with those of other credit notes. */
  isCorrection?: boolean;
}

/** The arithmetic of the lines of a document, and their sum. */
export function linesInWords(
  { currency, timeZone, total, isTotal, isCorrection = false }: WithLines,
  all: readonly ExplainedLine[],
): string[] {
  const rows = all.map((line, index) => {
    const exact = exactProduct(line.quantity, line.unitCost);
    const computed = multiply(line.quantity, line.unitCost, currency);
    const amount = isCorrection ? roundMoney(line.amount, currency) : computed;
    const isRounded = roundMoney(exact, currency) !== exact && exactProduct(amount, '1') !== exact;
    const [quantity, unitCost] = [exactProduct(line.quantity, '1'), exactProduct(line.unitCost, '1')];
    const how = amount === computed ? 'rounded' : 'rounded with the other credit notes of the invoice to';
    const product = `${quantity} x ${unitCost} = ${isRounded ? `${exact}, ${how} ${amount}` : amount}`;
    return [
      String(index + 1),
      (line.name ?? '').slice(0, 40),
      `${product}${period(line, timeZone)}${unlike(line.amount, amount)}`,
    ];
  });
  const amounts = all.map(({ amount }) => roundMoney(amount, currency));
  const added = sum(amounts, currency);
  const spelledSum = `${spelled(amounts, currency)} = ${added} ${currency}`;
  return columns([...rows, ['', isTotal ? 'Total' : 'Sum', `${spelledSum}${isTotal ? unlike(total, added) : ''}`]]);
}

function period(line: ExplainedLine, zone: string): string {
  if (!line.periodStartAt || !line.periodEndAt) return '';
  return `   (${zonedTime(line.periodStartAt, zone)} to ${zonedTime(line.periodEndAt, zone)})`;
}

/** Ledger entries as rows, one for each posting. */
export function postings(
  entries: readonly ExplainedEntry[],
  { currency, timeZone }: { currency: string; timeZone: string },
): string[][] {
  return [...Map.groupBy(entries, ({ posting }) => posting).values()].flatMap((posting) => {
    const [first] = posting;
    if (!first) return [];
    const why = `${first.reason}${first.paymentId === null ? '' : `, payment ${first.paymentId}`}`;
    const moved = posting.map(({ ledgerAccount, amount }) => `${ledgerAccount} ${roundMoney(amount, currency)}`);
    return [[zonedTime(first.postedAt, timeZone), why, moved.join(', ')]];
  });
}
