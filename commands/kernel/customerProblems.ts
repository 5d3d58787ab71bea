import { isNegative, type Money, minimum, negate } from '../../billing/money/money.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Problem } from '../../db/schema/problem.ts';
import type { LockedCustomer } from './lockedCustomer.ts';

/** A problem of a customer that delays nothing else and stops no test clock. */
interface CustomerProblem {
  step: string;
  message: string;
  /** Negative: money that the customer would get. */
  moneyAtRisk: Money;
  currency: string;
}

/** Maximum of `money_at_risk` in a problem. */
const MOST_AT_RISK = '99999999999999';

/**
 * Records a problem about pending lines of a customer. It replaces the one of the same step and currency that the customer has. The next
 * bill of such lines closes it.
 */
export async function reportOfCustomer(
  em: EntityManager,
  { customer, moment }: LockedCustomer,
  { step, message, moneyAtRisk: amount, currency }: CustomerProblem,
): Promise<void> {
  const { accountId, id: subjectId } = customer;
  const known = await em.findOne(Problem, {
    accountId,
    subjectType: 'customer',
    subjectId,
    step,
    currency,
    closedAt: null,
  });
  const moneyAtRisk = minimum(isNegative(amount) ? negate(amount) : amount, MOST_AT_RISK);
  const values = { message, moneyAtRisk, updatedAt: moment.systemNow };
  if (known) {
    em.assign(known, { ...values, tries: known.tries + 1 });
    return;
  }
  const subject = { subjectType: 'customer', subjectId, clockId: null } as const;
  em.create(Problem, { accountId, ...subject, step, currency, ...values, since: moment.systemNow, tries: 1 });
}
