import type { Row } from '../kinds/kind.ts';
import { digitsOf, type Formats, retypedNumber, sentNumber } from '../written.ts';

/** A discount or a tax: a coupon or a rate of the catalog, or an amount of its own. */
export interface Adjustment {
  /** Its id in the API; empty: it is new. */
  id: string;
  /** Id of the coupon or the rate; empty: an amount of its own. */
  code: string;
  name: string;
  /** An amount of its own as it was typed. */
  amount: string;
}

/** The value of a field for discounts or taxes. */
export interface Adjustments {
  adjustments: readonly Adjustment[];
}

/** What a discount or a tax can come from. */
export type Source = 'coupon' | 'tax_rate';

/** The discounts or taxes of a line or document. */
export function adjustmentsOf(value: unknown, source: Source, formats: Formats): Adjustment[] {
  const all: unknown[] = Array.isArray(value) ? value : [];
  return all.flatMap((one) => {
    if (typeof one !== 'object' || one === null) return [];
    const row: Row = { ...one };
    const { [source]: from } = row;
    const known: Row = typeof from === 'object' && from !== null ? { ...from } : {};
    const amount = typeof row.amount === 'number' ? formats.typedNumber(digitsOf(row.amount)) : '';
    const code = String(known.id ?? '');
    return [{ id: String(row.id ?? ''), code, name: String(known.name ?? ''), amount: code === '' ? amount : '' }];
  });
}

/** Discounts or taxes as the API takes them. */
export const sentAdjustments = (all: readonly Adjustment[], source: Source, formats: Formats): object[] =>
  all.map(({ id, code, amount }) => {
    const known = id === '' ? {} : { id: Number(id) };
    if (code === '') return { ...known, amount: sentNumber(amount, formats) };
    return id === '' ? { [source]: code } : known;
  });

/** Amounts of their own that were typed in one language, as they are typed in another. */
export const retypedAdjustments = (all: readonly Adjustment[], languages: readonly [Formats, Formats]): Adjustment[] =>
  all.map((one) => ({ ...one, amount: retypedNumber(one.amount, languages) }));
