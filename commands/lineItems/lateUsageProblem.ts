import { amountText, isNegative, isZero, type Money, negate } from '../../billing/money/money.ts';
import { stepTexts } from '../../billing/stepTexts.ts';
import type { EntityManager } from '../../db/orm.ts';
import { pendingLateUsage } from '../../db/queries/bills/bills.ts';
import { Problem } from '../../db/schema/problem.ts';
import { reportOfCustomer } from '../kernel/customerProblems.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';

const STEP = stepTexts.late_usage;

/**
 * Records a problem of the customer: pending lines in a currency bill usage that was reported after final invoices, and no bill may follow.
 * It is about all of them, whichever subscription has reported the last. The caller has written the lines.
 */
export async function reportLateUsage(em: EntityManager, locked: LockedCustomer, currency: string): Promise<void> {
  const { accountId, id: customerId } = locked.customer;
  const { subscriptions, amount } = await pendingLateUsage(em, { accountId, customerId, currency, without: [] });
  if (!isZero(amount))
    await reportOfCustomer(em, locked, { ...problemOf(subscriptions, amount, currency), step: STEP, currency });
}

/**
 * Brings the problem up to date after lines were billed or changed: it is about those that still wait, and closes when none does. `gone`:
 * lines that are not written as billed or deleted yet.
 */
export async function updateLateUsageProblem(
  em: EntityManager,
  locked: LockedCustomer,
  { currency, gone }: { currency: string; gone: readonly { id: number }[] },
): Promise<void> {
  const { accountId, id: customerId } = locked.customer;
  const open = { accountId, subjectType: 'customer', subjectId: customerId, step: STEP, currency, closedAt: null };
  const problem = await em.findOne(Problem, open);
  if (!problem) return;
  await em.write();
  const without = gone.map(({ id }) => id);
  const { subscriptions, amount } = await pendingLateUsage(em, { accountId, customerId, currency, without });
  if (isZero(amount)) em.assign(problem, { closedAt: locked.moment.systemNow, nextTryAt: null });
  else em.assign(problem, { ...problemOf(subscriptions, amount, currency), updatedAt: locked.moment.systemNow });
}

function problemOf(subscriptions: readonly number[], amount: Money, currency: string) {
  const [whose, final] =
    subscriptions.length === 1
      ? [`subscription ${subscriptions[0]}`, 'its final invoice']
      : [`subscriptions ${subscriptions.join(', ')}`, 'their final invoices'];
  const message = `Usage of ${whose} was reported after ${final}: ${amountText(amount, currency)} wait as pending line items. Issue an invoice of them, or delete them`;
  return { message, moneyAtRisk: isNegative(amount) ? negate(amount) : amount };
}
