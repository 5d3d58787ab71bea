import type { FieldLabels } from '../../words/dashboard/naming.ts';
import type { Row } from '../kinds/kind.ts';

/** The elements of a field that is an array of objects. */
export const rowsIn = (row: Row, name: string): Row[] => {
  const value = row[name];
  if (!Array.isArray(value)) return [];
  const elements: unknown[] = value;
  return elements.flatMap((one) => (typeof one === 'object' && one !== null ? [{ ...one }] : []));
};

/** What makes the total of a document of its lines: the discounts and taxes of lines and document, one row for each coupon and rate. */
export function sumsOf(row: Row, { subtotal, total, balance }: FieldLabels): { name: string; amount: number }[] {
  const parts = [...rowsIn(row, 'items'), row];
  const summed = (field: 'discounts' | 'taxes', from: 'coupon' | 'tax_rate') => {
    const sums = new Map<string, number>();
    for (const one of parts.flatMap((part) => rowsIn(part, field))) {
      const name = nameOf(one, from);
      if (typeof one.amount === 'number') sums.set(name, exactSum(sums.get(name) ?? 0, one.amount));
    }
    return [...sums].map(([name, amount]) => ({ name, amount: field === 'discounts' ? -amount : amount }));
  };
  const sums = [
    { name: subtotal, amount: row.subtotal },
    ...summed('discounts', 'coupon'),
    ...summed('taxes', 'tax_rate'),
    { name: total, amount: row.total },
    { name: balance, amount: row.balance },
  ];
  return sums.flatMap(({ name, amount }) => (typeof amount === 'number' ? [{ name, amount }] : []));
}

/** Currencies have up to four decimals. Sums of amounts are rounded to these, because binary fractions are not exact. */
export const exactSum = (one: number, other: number): number => Math.round((one + other) * 10_000) / 10_000;

/** The name of a line, or of the coupon or rate that it comes from. */
export function nameOf(row: Row, from: string): string {
  const value = row[from];
  if (typeof value === 'object' && value !== null && 'name' in value) return String(value.name);
  return typeof value === 'string' && value !== '' ? value : String(row.name ?? row.type ?? '');
}
