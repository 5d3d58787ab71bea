import { compare, isNegative, negate, roundMoney, sum } from '../../billing/money.ts';

/** `2027-03-01 09:00` on the wall of the zone. */
export function moment(at: Date, zone: string): string {
  const parts = { dateStyle: 'short', timeStyle: 'short', timeZone: zone } as const;
  return new Intl.DateTimeFormat('sv-SE', parts).format(at);
}

/** Rows with their columns below one another; the last is as long as it is. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, cell] of row.slice(0, -1).entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  return rows.map((row) => {
    const last = row.length - 1;
    return `  ${row.map((cell, index) => (index === last ? cell : cell.padEnd(widths[index] ?? 0))).join('  ')}`.trimEnd();
  });
}

/** `10.00 + 2.50 - 1.00`, as many as are told one by one; `0.00` of nothing. */
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

/** Nothing, or a warning where what is stored is not what was computed. */
export function unlike(stored: string, computed: string): string {
  return compare(stored, computed) === 0 ? '' : `   STORED: ${stored}`;
}
