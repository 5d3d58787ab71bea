import type { AppliedDiscount } from '../../billing/document.ts';
import { add, zero } from '../../billing/money.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { LineItem } from '../../db/schema/lineItem.ts';
import type { PrintedDocument, PrintedLine } from './document.ts';
import type { Pen } from './head.ts';
import { only } from './only.ts';
import { discountName } from './sums.ts';

const printedOfLine = [
  'name',
  'description',
  'quantity',
  'unitCost',
  'amount',
  'discounts',
  'taxes',
  'periodStartAt',
  'periodEndAt',
] as const;

/** The printed fields of a line. */
export type PrintableLine = Pick<Plain<LineItem>, (typeof printedOfLine)[number]>;

export function printableLine(line: Plain<LineItem>): PrintableLine {
  return only(line, printedOfLine);
}

/** The printed lines of a document, with the headings of their columns. */
export function linesOf(
  lines: readonly PrintableLine[],
  currency: string,
  pen: Pen,
): Pick<PrintedDocument, 'columns' | 'lines'> {
  const { labels } = pen;
  let carried = zero(currency);
  const printed = lines.map((line) => {
    carried = add(carried, line.amount);
    return lineOf(line, carried, pen);
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

function lineOf(line: PrintableLine, carried: string, pen: Pen): PrintedLine {
  const { formats, own } = pen;
  const { periodStartAt: from, periodEndAt: until } = line;
  const [first, ...rest] = (line.description ?? '').split('\n').filter((text) => text.trim() !== '');
  const name = line.name ?? first ?? '';
  const described = line.name === null || line.name === undefined ? rest : [first, ...rest];
  return {
    name: own(name),
    details: [
      ...described.flatMap((text) => (text ? [own(text)] : [])),
      ...(from && until ? [servedIn(from, until, pen)] : []),
      ...line.discounts.map((discount) => discountLine(discount, pen)),
    ],
    quantity: formats.quantity(line.quantity),
    unitCost: formats.price(line.unitCost),
    amount: formats.money(line.amount),
    carried: formats.money(carried),
  };
}

/** The dates of a service; one date, if it has no length. */
function servedIn(from: Date, until: Date, { formats }: Pen): string {
  return formats.period(from, until > from ? until : new Date(from.getTime() + 1));
}

function discountLine(discount: AppliedDiscount, pen: Pen): string {
  return `${discountName(discount, pen)}: ${pen.formats.less(discount.amount)}`;
}
