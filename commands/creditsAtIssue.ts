import { isPositive, minimum, roundMoney } from '../billing/money.ts';
import { setting } from '../billing/settings.ts';
import { reserveIds } from '../db/ids.ts';
import type { EntityManager } from '../db/orm.ts';
import { hasCredit, spendableCredit } from '../db/queries/creditBalance.ts';
import type { Invoice } from '../db/schema/invoice.ts';
import { Payment } from '../db/schema/payment.ts';
import { applyPart } from './applying.ts';
import { creditKeyOf, settleCreditOf } from './creditBalance.ts';
import { settle } from './invoiceMoment.ts';
import type { CustomerMoment } from './moment.ts';
import { recordPayment } from './payments.ts';

/**
 * Pays an invoice that is being issued from the customer's credit, as far as that goes: a payment without money. Where there is
 * no credit that costs no statement. The invoice's own event is the caller's.
 */
export async function payFromCredit(em: EntityManager, at: CustomerMoment, invoice: Invoice): Promise<void> {
  const { customer, moment } = at;
  if (!customer.hasCredit || !isPositive(invoice.balance)) return;
  if (!setting(moment.caller.account, 'apply_credits_at_issue')) return;
  const { accountId, currency } = invoice;
  const key = creditKeyOf(customer, currency);
  const spendable = await spendableCredit(em, key, moment.now);
  const amount = roundMoney(minimum(spendable, invoice.balance), currency);
  if (!isPositive(amount)) {
    customer.hasCredit = await hasCredit(em, key);
    return;
  }
  const { payment: id } = await reserveIds(em, 'payment');
  const payment = em.create(Payment, {
    ...{ accountId, id, customer, currency, amount, balance: amount, date: moment.now },
    ...{ method: 'other', source: 'api', voided: false, metadata: {} },
    ...{ createdAt: moment.now, updatedAt: moment.now },
  });
  applyPart(em, { ...at, invoice }, { payment, part: { type: 'applied_credit', amount } });
  settle(invoice, moment.now);
  await settleCreditOf(em, customer, {
    ...{ payment, currency, from: moment.now },
    refuse: () => {
      throw new Error(`invoice ${invoice.id} was paid from credit that is not there`);
    },
  });
  recordPayment(em, at, { payment, charge: null, type: 'payment.created' });
}
