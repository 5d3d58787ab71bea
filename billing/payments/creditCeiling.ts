import { type OpenDocument, totalsOf } from '../documents/document.ts';
import { type CreditedUnits, type EarlierNote, type NoteLine, noteRounding } from '../documents/noteRounding.ts';
import type { Rounding } from '../documents/totals.ts';
import { compare, isPositive, type Money, minorUnits, roundMoney, subtract, sum, zero } from '../money/money.ts';
import { type StoredDocument, unitsOf } from '../money/storedAmounts.ts';
import { decimalText, splitUnits, sumOf } from '../money/units.ts';

/** An invoice with everything that was credited of it. */
export interface CreditedInvoice {
  invoice: StoredDocument & { total: Money };
  /** Its issued credit notes that are not voided. */
  earlier: readonly (EarlierNote & { total: Money })[];
  /** The parts of its lines that prorated changes and corrected usage credited, with their taxes. */
  otherwise: Money;
  units: CreditedUnits;
}

/** The most that a credit note to an invoice may credit: its total less what was credited of it before. Never negative. */
export function leftToCredit({ invoice, earlier, otherwise }: Omit<CreditedInvoice, 'units'>): Money {
  const left = subtract(leftOfNotes({ invoice, earlier }), otherwise);
  return isPositive(left) ? roundMoney(left, invoice.currency) : zero(invoice.currency);
}

function leftOfNotes({ invoice, earlier }: Pick<CreditedInvoice, 'invoice' | 'earlier'>): Money {
  const credited = sum(
    earlier.map(({ total }) => total),
    invoice.currency,
  );
  const left = subtract(invoice.total, credited);
  return isPositive(left) ? left : zero(invoice.currency);
}

type Note = OpenDocument<NoteLine>;

/** The rounding of a credit note to an invoice. By rounding alone it never exceeds what other credit notes leave of the invoice. */
export function roundingOf(note: Note, of: CreditedInvoice): (discounted: readonly bigint[]) => Rounding {
  const { isWithin, isTaxWithin, less } = noteRounding(note, of.units);
  const left = leftOfNotes(of);
  const total = (rounding: (discounted: readonly bigint[]) => Rounding) => {
    let isTaxed = true;
    const watched = (discounted: readonly bigint[]): Rounding => {
      const { lines, charge } = rounding(discounted);
      return {
        lines,
        charge: (term, exactTax) => {
          isTaxed &&= isTaxWithin(term, exactTax);
          return charge(term, exactTax);
        },
      };
    };
    const { total } = totalsOf(note, { mayBeNegative: true, rounding: watched });
    const excess = unitsOf(subtract(total, left), minorUnits(note.currency));
    return { excess, isTaxed };
  };
  let units = 0n;
  for (let { excess, isTaxed } = total(less(units)); isWithin && isTaxed && excess > 0n; ) {
    units += excess;
    ({ excess, isTaxed } = total(less(units)));
  }
  return less(units);
}

/**
 * The discount of each line with which the total of a credit note is at most `most`: the least one, spread over the lines by largest
 * remainder. Null: its total is not above that.
 */
export function reductionTo(note: Note, { most, of }: { most: Money; of: CreditedInvoice }): Money[] | null {
  const decimals = minorUnits(note.currency);
  const whole = totalsOf(note, { rounding: roundingOf(note, of), mayBeNegative: true });
  if (compare(whole.total, most) <= 0) return null;
  const weights = whole.lines.map(({ amount, discounts }) => {
    const left = unitsOf(subtract(amount, sum(discounts, note.currency)), decimals);
    return left > 0n ? left : 0n;
  });
  const all = sumOf(weights);
  const reduced = (units: bigint) => splitUnits(units, weights).map((part) => decimalText(part, decimals));
  const isEnough = (units: bigint) => {
    const less = reducedBy(note, reduced(units));
    return compare(totalsOf(less, { rounding: roundingOf(less, of), mayBeNegative: true }).total, most) <= 0;
  };
  let [tooLittle, enough] = [0n, all];
  while (enough - tooLittle > 1n) {
    const middle = (tooLittle + enough) / 2n;
    if (isEnough(middle)) enough = middle;
    else tooLittle = middle;
  }
  return reduced(enough);
}

/** A credit note with a further discount of each line. */
export function reducedBy<Line extends NoteLine>(
  note: OpenDocument<Line>,
  amounts: readonly Money[],
): OpenDocument<Line> {
  return {
    ...note,
    lines: note.lines.map((line, index) => {
      const fixed = amounts[index] ?? '0';
      if (!isPositive(fixed)) return line;
      return { ...line, discounts: [...line.discounts, { id: null, fixed, coupon: null, expiresAt: null }] };
    }),
  };
}
