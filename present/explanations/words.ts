import { compare, isNegative, negate, roundMoney, sum } from '../../billing/money/money.ts';

/** Local time in a time zone: `2027-03-01 09:00`. */
export function zonedTime(at: Date, zone: string): string {
  const parts = { dateStyle: 'short', timeStyle: 'short', timeZone: zone } as const;
  return new Intl.DateTimeFormat('sv-SE', parts).format(at);
}

/** Aligns the cells of rows in columns. The last column is not padded. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, cell] of row.slice(0, -1).entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  return rows.map((row) => {
    const last = row.length - 1;
    return `  ${row.map((cell, index) => (index === last ? cell : cell.padEnd(widths[index] ?? 0))).join('  ')}`.trimEnd();
  });
}

/** The terms of a sum: `10.00 + 2.50 - 1.00`. Terms beyond a limit are only counted. `0.00` without terms. */
export function spelled(amounts: readonly string[], currency: string): string {
  if (amounts.length === 0) return sum([], currency);
  const shown = amounts.slice(0, MOST_SPELLED).map((amount, index) => term(roundMoney(amount, currency), index));
  return `${shown.join(' ')}${amounts.length > MOST_SPELLED ? ` + … (${amounts.length} in all)` : ''}`;
}

const MOST_SPELLED = 12;

function term(amount: string, index: number): string {
  if (index === 0) return amount;
  return isNegative(amount) ? `- ${negate(amount)}` : `+ ${amount}`;
}

/** A warning when the stored amount differs from the computed one, else empty. */
export function unlike(stored: string, computed: string): string {
  return compare(stored, computed) === 0 ? '' : `   STORED: ${stored}`;
}
