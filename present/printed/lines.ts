import { type AppliedDiscount, type AppliedTax, taxesOn } from '../../billing/document.ts';
import { add, subtract, zero } from '../../billing/money.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { LineItem } from '../../db/schema/lineItem.ts';
import type { PrintedDocument, PrintedFact, PrintedLine } from './document.ts';
import type { Pen } from './head.ts';
import { only } from './only.ts';
import { discountName, taxName } from './taxNames.ts';

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

/** The printed lines of a document, with the headings of their columns. */
export function linesOf(
  { lines, taxes, currency }: { lines: readonly PrintableLine[]; taxes: readonly AppliedTax[]; currency: string },
  pen: Pen,
): Pick<PrintedDocument, 'columns' | 'lines'> {
  const { labels } = pen;
  const taxWords = taxWordsOf({ lines, taxes }, pen);
  let carried = zero(currency);
  const printed = lines.map((line, index) => {
    carried = subtract(add(carried, line.amount), add('0', ...line.discounts.map(({ amount }) => amount)));
    return lineOf(line, { carried, tax: taxWords[index] ?? null }, pen);
  });
  return {
    columns: {
      description: labels.description,
      quantity: labels.quantity,
      unitCost: labels.unitPrice,
      amount: labels.amount,
    },
    lines: printed,
  };
}

/**
 * The taxes of each line in words, where not all lines of the document have the same ones: their rates, or that there is none. Null where
 * nothing is said.
 */
function taxWordsOf(
  { lines, taxes }: { lines: readonly PrintableLine[]; taxes: readonly AppliedTax[] },
  pen: Pen,
): (string | null)[] {
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
    discounts: line.discounts.map((discount) => discountOf(discount, pen)),
    quantity: formats.quantity(line.quantity),
    unitCost: formats.price(line.unitCost),
    amount: formats.money(line.amount),
    carried: formats.money(carried),
  };
}

function discountOf(discount: AppliedDiscount, pen: Pen): PrintedFact {
  return { label: discountName(discount, pen), value: pen.formats.less(discount.amount) };
}
