import { earlyAmount, shownDiscount } from '../../billing/earlyDiscount.ts';
import { compare, type Money, roundMoney } from '../../billing/money.ts';
import { depositDue, type Unpayable, whyDepositUnpayable, whyUnpayable } from '../../billing/payable.ts';
import { paysInstallments } from '../../billing/planProgress.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { PaidDocument } from '../../db/queries/charges/pageAttempts.ts';
import type { Estimate } from '../../db/schema/estimate.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { lockEstimate } from '../aggregates/estimate.ts';
import { type LockedInvoice, lockInvoice } from '../aggregates/invoice.ts';
import { activePlanOf } from '../aggregates/paymentPlan.ts';
import type { Caller } from '../kernel/caller.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import type { Application } from '../payments/applications.ts';

/** An invoice, or an estimate whose deposit is paid. */
export type DocumentToPay = Omit<PaidDocument, 'accountId'>;

/** A locked invoice, or a locked estimate whose deposit is paid, with its locked customer. */
export interface LockedPayable extends LockedCustomer {
  document: Invoice | Estimate;
  /** Why nothing can be paid; null: `owed` can. */
  why: Unpayable | null;
  owed: Money;
  /** Whether its page asks for this amount, which is less than what is owed. */
  isAsked(amount: Money): boolean;
}

/** Locks a document with its customer. Throws Missing. */
export async function lockPayable(
  em: EntityManager,
  { type, ...who }: DocumentToPay & { caller: Caller },
  systemNow: Date,
): Promise<LockedPayable> {
  if (type === 'invoice') return payableInvoice(await lockInvoice(em, who, systemNow));
  const { estimate, ...at } = await lockEstimate(em, who, systemNow);
  const [why, owed] = [whyDepositUnpayable(estimate), depositDue(estimate)];
  return { ...at, document: estimate, why, owed, isAsked: () => false };
}

/** Its page asks for the balance less the early-payment discount, or for the first unpaid installments of an active plan. */
function payableInvoice({ invoice, lines, ...at }: LockedInvoice): LockedPayable {
  const { balance, currency } = invoice;
  const early = earlyAmount(shownDiscount(invoice, lines), balance, at.moment.now.getTime());
  const installments = activePlanOf(invoice)?.installments ?? [];
  return {
    ...at,
    document: invoice,
    why: whyUnpayable(invoice),
    owed: roundMoney(balance, currency),
    isAsked: (amount) => (early !== null && compare(amount, early) === 0) || paysInstallments(installments, amount),
  };
}

/** The application of a charge that pays a document. */
export function applicationTo({ type, id }: DocumentToPay, amount: Money): Application {
  if (type === 'invoice') return { type, invoiceId: id, amount };
  return { type, invoiceId: null, estimateId: id, amount };
}
