import type { Owed } from '../../db/queries/customers/statement.ts';
import { number, type Presented, sumNumber, unix } from '../kernel/values.ts';

/** Credits of a customer in one currency, as decimal text. `history`: the credit balance after each change, latest first. */
export interface Credits {
  currency: string;
  availableCredits: string;
  history: readonly { balance: string; at: Date }[];
}

export function presentBalance(owed: Owed, { currency, availableCredits, history }: Credits): Presented {
  return {
    currency,
    total_outstanding: sumNumber(owed.outstanding),
    due_now: sumNumber(owed.dueNow),
    past_due: owed.pastDue,
    available_credits: sumNumber(availableCredits),
    history: history.map(({ balance, at }) => ({ balance: number(balance), currency, timestamp: unix(at) })),
  };
}
