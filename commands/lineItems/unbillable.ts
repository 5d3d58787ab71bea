import { AMOUNT_BELOW } from '../../billing/limits.ts';
import { add, amountText, isNegative, type Money, negate, sum } from '../../billing/money/money.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { LineItem } from '../../db/schema/lineItem.ts';
import { Problem } from '../../db/schema/problem.ts';
import { reportOfCustomer } from '../kernel/customerProblems.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';

const STEP = 'bill pending lines';

/**
 * Records a problem of the customer: pending lines that fit on no invoice, because the amount of each with the invoice's taxes is too
 * large. The problem delays nothing else and stops no test clock.
 */
export async function reportUnbillable(
  em: EntityManager,
  locked: LockedCustomer,
  { currency, lines }: { currency: string; lines: readonly LineItem[] },
): Promise<void> {
  const amounts = lines.map(({ net, taxes }) => sizeOf(add(net, ...taxes.map(({ amount }) => amount))));
  const moneyAtRisk = sum(amounts, currency);
  const [which, them] =
    lines.length === 1
      ? [`Pending line item ${lines[0]?.id} comes`, 'it']
      : [`${lines.length} pending line items each come`, 'each'];
  const message =
    `${which} to ${AMOUNT_BELOW} ${currency} or more with the taxes of an invoice, too much for one invoice: ` +
    `split ${them} into several line items (${amountText(moneyAtRisk, currency)} wait)`;
  await reportOfCustomer(em, locked, { step: STEP, message, moneyAtRisk, currency });
}

/** The message about pending lines that fit on no invoice; null: there are none. */
export async function whyUnbillable(em: EntityManager, { customer }: LockedCustomer): Promise<string | null> {
  const { accountId, id: subjectId } = customer;
  const known = await em.findOne(Problem, {
    accountId,
    subjectType: 'customer',
    subjectId,
    step: STEP,
    closedAt: null,
  });
  return known?.message ?? null;
}

/** Closes the problem about pending lines in a currency that fit on no invoice, after lines were billed or changed. The next bill opens it again if needed. */
export async function closeUnbillableProblem(
  em: EntityManager,
  { customer, moment }: LockedCustomer,
  currency: string,
): Promise<void> {
  const { accountId, id: subjectId } = customer;
  await em.nativeUpdate(
    Problem,
    { accountId, subjectType: 'customer', subjectId, step: STEP, currency, closedAt: null },
    { closedAt: moment.systemNow, nextTryAt: null },
  );
}

function sizeOf(amount: Money): Money {
  return isNegative(amount) ? negate(amount) : amount;
}
