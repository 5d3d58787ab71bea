import { add, compare, isPositive, type Money } from '../money/money.ts';
import { endOfDay, localDay } from '../time/calendar.ts';
import type { Installment } from './paymentPlan.ts';

/** missed: something of it is owed and its day has ended. next: the first other one of which something is owed. later: the ones after it. */
export type InstallmentState = 'paid' | 'missed' | 'next' | 'later';

/** A time, epoch milliseconds, and the zone in which days end. */
interface At {
  now: number;
  zone: string;
}

/** The installments of an active plan, each with its state. */
export function installmentStates(
  installments: readonly Installment[],
  { now, zone }: At,
): { installment: Installment; state: InstallmentState }[] {
  const isMissed = ({ date }: Installment) => endOfDay(localDay(date, zone), zone) <= now;
  const next = installments.find((one) => isPositive(one.balance) && !isMissed(one));
  return installments.map((installment) => {
    if (!isPositive(installment.balance)) return { installment, state: 'paid' };
    if (isMissed(installment)) return { installment, state: 'missed' };
    return { installment, state: installment === next ? 'next' : 'later' };
  });
}

/** What the customer of an active plan is asked for at a time. */
export interface PlanAsk {
  installments: { installment: Installment; state: InstallmentState }[];
  /** What is owed of the missed installments and of the next one. */
  asked: Money;
  /** Date of the first of them, epoch milliseconds; null: nothing is owed. */
  askedAt: number | null;
  hasMissed: boolean;
}

/** What the customer is asked for under an active plan: everything that is owed on the missed installments and the next one. */
export function planAsk(installments: readonly Installment[], at: At): PlanAsk {
  const all = installmentStates(installments, at);
  const asked = all.filter(({ state }) => state === 'missed' || state === 'next');
  return {
    installments: all,
    asked: add('0', ...asked.map(({ installment }) => installment.balance)),
    askedAt: asked[0]?.installment.date ?? null,
    hasMissed: asked.some(({ state }) => state === 'missed'),
  };
}

/** Whether an amount is what is owed of the first unpaid installments, one or more of them. */
export function paysInstallments(installments: readonly Installment[], amount: Money): boolean {
  let owed: Money = '0';
  return installments.some(({ balance }) => {
    owed = add(owed, balance);
    return isPositive(balance) && compare(owed, amount) === 0;
  });
}
