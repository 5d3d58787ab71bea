import { add, compare, isPositive, type Money, minimum, negate, roundMoney, subtract, zero } from '../money/money.ts';

/** A change of a credit balance. Amounts are decimal text. */
export interface BalanceChange {
  /** Positive: added credit; negative: spent credit. */
  amount: string;
  /** The balance after it. */
  balance: string;
  /** Id of the application that spent the credit; null: it added credit, or an adjustment took it. */
  spending: number | null;
}

/** A part of a spending that is taken back. */
export interface TakenBack {
  spending: number;
  amount: Money;
}

export interface TakingBack {
  /** The amount that can leave the balance once the parts are taken back. */
  removable: Money;
  parts: TakenBack[];
}

/**
 * Plans how added credit leaves a balance that was spent meanwhile. `changes`: the one that added it and all later ones, oldest first. Each
 * time at which the balance would be negative takes the missing amount back from the newest spendings up to then. Credit that adjustments
 * took cannot be taken back: then less than the amount is removable.
 */
export function planTakingBack(changes: readonly BalanceChange[], amount: Money, currency: string): TakingBack {
  const whole = takeBack(changes, amount, currency);
  if (!isPositive(whole.missing)) return { removable: roundMoney(amount, currency), parts: whole.parts };
  const removable = roundMoney(subtract(amount, whole.missing), currency);
  return { removable, parts: takeBack(changes, removable, currency).parts };
}

/** `missing`: the most that spendings do not cover at any time. */
function takeBack(changes: readonly BalanceChange[], amount: Money, currency: string) {
  const spent: TakenBack[] = []; // what is left of the spendings so far, newest last
  const taken = new Map<number, Money>();
  let all = zero(currency);
  let missing = zero(currency);
  for (const { amount: change, balance, spending } of changes) {
    if (spending !== null) spent.push({ spending, amount: negate(change) });
    let short = subtract(amount, add(balance, all));
    while (isPositive(short)) {
      const newest = spent.at(-1);
      if (!newest) break;
      const part = minimum(newest.amount, short);
      newest.amount = subtract(newest.amount, part);
      if (!isPositive(newest.amount)) spent.pop();
      taken.set(newest.spending, add(taken.get(newest.spending) ?? '0', part));
      all = add(all, part);
      short = subtract(short, part);
    }
    if (compare(short, missing) > 0) missing = short;
  }
  const parts = [...taken].map(([spending, part]) => ({ spending, amount: roundMoney(part, currency) }));
  return { parts, missing };
}
