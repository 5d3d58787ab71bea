import { endOfDay, localDay } from './calendar.ts';
import { add, compare, isPositive, type Money } from './money.ts';
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

/** The amount that its customer is asked for: what is owed of the missed installments and of the next one. */
export function amountAsked(installments: readonly Installment[], at: At): Money {
  const asked = installmentStates(installments, at).filter(({ state }) => state === 'missed' || state === 'next');
  return add('0', ...asked.map(({ installment }) => installment.balance));
}

/** Whether an amount is what is owed of the first unpaid installments, one or more of them. */
export function paysInstallments(installments: readonly Installment[], amount: Money): boolean {
  let owed: Money = '0';
  return installments.some(({ balance }) => {
    owed = add(owed, balance);
    return isPositive(balance) && compare(owed, amount) === 0;
  });
}
