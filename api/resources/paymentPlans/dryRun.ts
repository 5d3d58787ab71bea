import { compare, isZero } from '../../../billing/money.ts';
import { type Installment, isRunning } from '../../../billing/paymentPlan.ts';
import type { Caller } from '../../../commands/kernel/caller.ts';
import { Invoice } from '../../../db/schema/invoice.ts';
import { PaymentPlan } from '../../../db/schema/paymentPlan.ts';
import { number, unix } from '../../../present/kernel/values.ts';
import type { DryRun } from '../../writing/dryRun.ts';
import { paymentPlanDryRun } from './shape.ts';

/** Dry runs of plans: the difference between the plan that is running and the one after the change. */
export const dryRunOfPlan: DryRun<{ caller: Caller; id: number }, PaymentPlan> = {
  kind: { shape: paymentPlanDryRun },
  isCounted: false,
  answer: async (em, { input, change }) => {
    const accountId = input.caller.account.id;
    const found = await em.findOne(Invoice, { accountId, id: input.id }, { disableIdentityMap: true });
    const of = { accountId, id: found?.paymentPlanId ?? 0 };
    const latest = await em.findOne(PaymentPlan, of, { disableIdentityMap: true });
    const former = latest && isRunning(latest) ? latest : null;
    const { result } = await change();
    return { former_status: former?.status ?? null, status: result.status, ...difference(former, result) };
  },
};

function difference(former: PaymentPlan | null, { installments: after }: PaymentPlan) {
  const before = former?.installments ?? [];
  const isIn = (list: readonly Installment[], one: Installment) => list.some((other) => isKept(one, other));
  const shown = (list: readonly Installment[]) =>
    list.map(({ date, amount, balance }) => ({
      date: unix(new Date(date)),
      amount: number(amount),
      balance: number(balance),
    }));
  return {
    kept: shown(after.filter((one) => isIn(before, one))),
    removed: shown(before.filter((one) => !isIn(after, one))),
    added: shown(after.filter((one) => !isIn(before, one))),
  };
}

/** Whether an installment stays: as it is, or the paid part of one that is partly paid. */
function isKept(one: Installment, other: Installment): boolean {
  const isSame =
    one.date === other.date &&
    (compare(one.amount, other.amount) === 0 || isZero(one.balance) || isZero(other.balance));
  return one.id === other.id && isSame;
}
