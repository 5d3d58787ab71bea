import { add, compare, type Money, roundMoney, subtract, zero } from './money.ts';

/** Maximum number of balances among which a sum is looked for. */
export const MOST_SUMMED = 20;

/** Some of the balances: their sum, and their places in the list. */
interface Some {
  sum: Money;
  places: readonly number[];
}

/**
 * Places of at least two of the first twenty balances whose sum is the amount; null: there are none. Of several such sums: the one with
 * the fewest balances, and among these the one with the earliest ones. Looks at a thousand sums of each half of the list, not at a million.
 */
export function placesOfSum(balances: readonly Money[], amount: Money, currency: string): number[] | null {
  const whole = roundMoney(amount, currency);
  const listed = balances.slice(0, MOST_SUMMED).map((balance, place) => ({ balance, place }));
  // An equal balance would hide sums, because one is fewer than two.
  const smaller = listed.filter(({ balance }) => compare(balance, amount) < 0);
  const half = Math.ceil(smaller.length / 2);
  const rests = new Map<Money, Some>();
  for (const rest of sumsOf(smaller.slice(half), currency)) {
    const known = rests.get(rest.sum);
    if (!known || isBefore(rest.places, known.places)) rests.set(rest.sum, rest);
  }
  const complements = sumsOf(smaller.slice(0, half), currency).flatMap(({ sum, places }) => {
    const rest = rests.get(subtract(whole, sum));
    return rest ? [[...places, ...rest.places]] : [];
  });
  const [best = null] = complements.toSorted((one, other) => (isBefore(one, other) ? -1 : 1));
  return best;
}

/** The sums of all selections of balances, the empty one included. */
function sumsOf(balances: readonly { balance: Money; place: number }[], currency: string): Some[] {
  let all: Some[] = [{ sum: zero(currency), places: [] }];
  for (const { balance, place } of balances) {
    const more = all.map(({ sum, places }) => ({
      sum: roundMoney(add(sum, balance), currency),
      places: [...places, place],
    }));
    all = [...all, ...more];
  }
  return all;
}

/** Whether a selection has fewer places, or as many and earlier ones. */
function isBefore(one: readonly number[], other: readonly number[]): boolean {
  if (one.length !== other.length) return one.length < other.length;
  const place = one.findIndex((at, index) => at !== other[index]);
  return place >= 0 && (one[place] ?? 0) < (other[place] ?? 0);
}
