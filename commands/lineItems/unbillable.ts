import { AMOUNT_BELOW } from '../../billing/limits.ts';
import { add, isNegative, type Money, minimum, negate, roundMoney, sum } from '../../billing/money.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { LineItem } from '../../db/schema/lineItem.ts';
import { Problem } from '../../db/schema/problem.ts';
import type { CustomerMoment } from '../kernel/moment.ts';

const STEP = 'bill pending lines';

/** More than a problem can say is at risk. */
const MOST_AT_RISK = '99999999999999';

/**
 * Says that pending lines wait because no invoice has room for any of them: with the taxes of their invoice each comes to too much. A
 * problem of the customer, which holds nothing else back and stops no clock.
 */
export async function reportUnbillable(
  em: EntityManager,
  { customer, moment }: CustomerMoment,
  { currency, lines }: { currency: string; lines: readonly LineItem[] },
): Promise<void> {
  const { accountId, id: subjectId } = customer;
  const amounts = lines.map(({ net, taxes }) => sizeOf(add(net, ...taxes.map(({ amount }) => amount))));
  const moneyAtRisk = minimum(sum(amounts, currency), MOST_AT_RISK);
  const which = lines.length === 1 ? `line item ${lines[0]?.id} comes` : `${lines.length} line items come, each,`;
  const message =
    `Pending ${which} to ${AMOUNT_BELOW} ${currency} or more with the taxes of an invoice, which has no room for that: ` +
    `make several of it (${roundMoney(moneyAtRisk, currency)} ${currency} wait)`;
  const known = await em.findOne(Problem, { accountId, subjectType: 'customer', subjectId, closedAt: null });
  const said = { step: STEP, message, moneyAtRisk, currency, updatedAt: moment.systemNow };
  if (known) em.assign(known, { ...said, tries: known.tries + 1 });
  else
    em.create(Problem, {
      accountId,
      subjectType: 'customer',
      subjectId,
      clockId: null,
      ...said,
      since: moment.systemNow,
      tries: 1,
    });
}

/** What is said of pending lines that no invoice has room for; null: there are none. */
export async function whyUnbillable(em: EntityManager, { customer }: CustomerMoment): Promise<string | null> {
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

/** Pending lines of a currency have been billed, or are others now: what was said of them is over until it is seen again. */
export async function solveUnbillable(
  em: EntityManager,
  { customer, moment }: CustomerMoment,
  currency: string,
): Promise<void> {
  await em.execute(
    `update problem set closed_at = ?, next_try_at = null
     where account_id = ? and subject_type = 'customer' and subject_id = ? and step = ? and currency = ? and closed_at is null`,
    [moment.systemNow, customer.accountId, customer.id, STEP, currency],
  );
}

function sizeOf(amount: Money): Money {
  return isNegative(amount) ? negate(amount) : amount;
}
