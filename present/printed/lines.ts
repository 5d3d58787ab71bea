import { type AppliedDiscount, type AppliedTax, taxesOn } from '../../billing/documents/document.ts';
import { runningSubtotals, shownSubtotal } from '../../billing/documents/documentSums.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { LineItem } from '../../db/schema/lineItem.ts';
import { fill } from '../../words/text.ts';
import type { PrintedDocument, PrintedFact, PrintedLine } from './document.ts';
import type { Pen } from './head.ts';
import { discountName, taxName } from './taxes.ts';
import { only } from './template.ts';

const printedOfLine = [
  'name',
  'description',
  'quantity',
  'unitCost',
  'amount',
  'discounts',
  'taxes',
  'discountable',
  'taxable',
  'periodStartAt',
  'periodEndAt',
] as const;

/** The printed fields of a line. */
export type PrintableLine = Pick<Plain<LineItem>, (typeof printedOfLine)[number]>;

export function printableLine(line: Plain<LineItem>): PrintableLine {
  return only(line, printedOfLine);
}

/** The fields of a line that earlier versions printed. */
export function earlierLine({ discountable: _, taxable: __, ...line }: PrintableLine): object {
  return line;
}

/** Lines of a document with its taxes. */
interface Lines {
  lines: readonly PrintableLine[];
  taxes: readonly AppliedTax[];
  currency: string;
}

/**
 * The printed lines of a document, with the headings of their columns. `most`: the lines beyond this number are one line with their sum;
 * null: all are printed.
 */
export function linesOf(
  { lines, taxes, currency }: Lines,
  pen: Pen,
  most: number | null = null,
): Pick<PrintedDocument, 'columns' | 'lines'> {
  const { labels } = pen;
  const taxWords = taxWordsOf({ lines, taxes }, pen);
  const carried = runningSubtotals(lines, currency);
  const printed = lines.slice(0, most ?? lines.length).map((line, index) => {
    return lineOf(line, { carried: carried[index] ?? '0', tax: taxWords[index] ?? null }, pen);
  });
  const others = lines.slice(printed.length);
  return {
    columns: {
      description: labels.description,
      quantity: labels.quantity,
      unitCost: labels.unitPrice,
      amount: labels.amount,
    },
    lines: [...printed, ...furtherLine({ count: others.length, amount: shownSubtotal(others) }, pen)],
  };
}

/** The line in place of those that are not listed: their number, and what they come to less their own discounts. Empty: there are none. */
export function furtherLine(
  { count, amount }: { count: number; amount: string },
  { accounting, formats }: Pen,
): PrintedLine[] {
  if (count === 0) return [];
  const name = fill(accounting.furtherLines, { count: formats.quantity(String(count)) });
  const columns = { quantity: null, unitCost: null, amount: formats.money(amount) };
  return [{ name, details: [], discounts: [], ...columns, carried: '' }];
}

/**
 * The taxes of each line in words, where not all lines of the document have the same ones: their rates, or that there is none. Null where
 * nothing is said.
 */
function taxWordsOf({ lines, taxes }: Pick<Lines, 'lines' | 'taxes'>, pen: Pen): (string | null)[] {
  const named = lines.map((line) => taxesOn(line, taxes).map((tax) => taxName(tax, pen)));
  const words = named.map((names) => names.join(', '));
  if (new Set(words).size < 2) return words.map(() => null);
  return words.map((said) => said || pen.accounting.untaxed);
}

function lineOf(line: PrintableLine, { carried, tax }: { carried: string; tax: string | null }, pen: Pen): PrintedLine {
  const { formats, own } = pen;
  const { periodStartAt: from, periodEndAt: until } = line;
  const [first, ...rest] = (line.description ?? '').split('\n').filter((text) => text.trim() !== '');
  const name = line.name ?? first ?? '';
  const described = line.name === null || line.name === undefined ? rest : [first, ...rest];
  const descriptions = described.flatMap((text) => (text ? [own(text)] : []));
  const periods = from && until ? [formats.period(from, until)] : [];
  const taxes = tax === null ? [] : [tax];
  return {
    name: own(name),
    details: [...descriptions, ...periods, ...taxes],
    detailKinds: [
      ...descriptions.map(() => 'description' as const),
      ...periods.map(() => 'service_period' as const),
      ...taxes.map(() => 'tax' as const),
    ],
    discounts: discountsOf(line.discounts, pen),
    quantity: formats.quantity(line.quantity),
    unitCost: formats.price(line.unitCost),
    amount: formats.money(line.amount),
    carried: formats.money(carried),
  };
}

/** The discounts of a line, each with its name and its negative amount. */
export function discountsOf(
  discounts: readonly Pick<AppliedDiscount, 'coupon' | 'percent' | 'amount'>[],
  pen: Pen,
): PrintedFact[] {
  return discounts.map((discount) => ({
    label: discountName(discount, pen),
    value: pen.formats.less(discount.amount),
  }));
}
