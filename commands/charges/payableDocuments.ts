import { paysInstallments } from '../../billing/collection/planProgress.ts';
import { earlyAmount, shownDiscount } from '../../billing/documents/earlyDiscount.ts';
import { compare, type Money, roundMoney } from '../../billing/money/money.ts';
import { depositDue, type Unpayable, whyDepositUnpayable, whyUnpayable } from '../../billing/payments/payable.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { PaidDocument } from '../../db/queries/charges/pageAttempts.ts';
import { partsOfInvoice } from '../../db/queries/documents/lines.ts';
import type { Estimate } from '../../db/schema/estimate.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { type LockedEstimate, lockEstimateOf } from '../aggregates/estimate.ts';
import { type LockedInvoice, lockInvoiceOf, withLines } from '../aggregates/invoice.ts';
import { activePlanOf } from '../aggregates/paymentPlan.ts';
import { shownDeposit, shownInvoice } from '../documents/paying.ts';
import { type LockedCustomer, lockOwnerAsSystem, retryOnOwnerChange } from '../kernel/lockedCustomer.ts';
import type { Application, Targets } from '../payments/applications.ts';

/** An invoice, or an estimate whose deposit is paid. */
export type DocumentToPay = Omit<PaidDocument, 'accountId'>;

/** A locked invoice, or a locked estimate whose deposit is paid, with its locked customer. */
export interface LockedPayable extends LockedCustomer {
  document: Invoice | Estimate;
  /** Why nothing can be paid; null: `owed` can. */
  why: Unpayable | null;
  owed: Money;
  /** The document as the target of a charge. */
  locked: Targets;
  /** What the visitor of its page sees of it now: `Paying.shown`. */
  shown(): Promise<object>;
  /** Whether its page asks for this amount, which is less than what is owed. */
  isAsked(amount: Money): boolean;
}

/** Locks a document with its customer, as the system. Throws Missing. */
export function lockPayable(
  em: EntityManager,
  { accountId, type, id }: PaidDocument,
  systemNow: Date,
): Promise<LockedPayable> {
  return retryOnOwnerChange(async () => {
    const locked = await lockOwnerAsSystem(em, { table: type, accountId, id }, systemNow);
    if (type === 'estimate') return payableDeposit(await lockEstimateOf(em, locked, id));
    return payableInvoice(em, await withLines(em, await lockInvoiceOf(em, locked, id)));
  });
}

function payableDeposit(locked: LockedEstimate): LockedPayable {
  const { estimate, lines, ...at } = locked;
  return {
    ...at,
    document: estimate,
    why: whyDepositUnpayable(estimate),
    owed: depositDue(estimate),
    locked: { targets: [], notes: [], estimates: [locked] },
    shown: async () => shownDeposit(estimate, lines),
    isAsked: () => false,
  };
}

/** Its page asks for the balance less the early-payment discount, or for the first unpaid installments of an active plan. */
function payableInvoice(em: EntityManager, locked: LockedInvoice): LockedPayable {
  const { invoice, lines, ...at } = locked;
  const { balance, currency } = invoice;
  const early = earlyAmount(shownDiscount(invoice, lines), balance, at.moment.now.getTime());
  const installments = activePlanOf(invoice)?.installments ?? null;
  return {
    ...at,
    document: invoice,
    why: whyUnpayable(invoice),
    owed: roundMoney(balance, currency),
    locked: { targets: [locked], notes: [], estimates: [] },
    shown: async () => shownInvoice(invoice, { lines, installments, paid: await partsOfInvoice(em, invoice) }),
    isAsked: (amount) =>
      (early !== null && compare(amount, early) === 0) || paysInstallments(installments ?? [], amount),
  };
}

/** The application of a charge that pays a document. */
export function applicationTo({ type, id }: DocumentToPay, amount: Money): Application {
  if (type === 'invoice') return { type, invoiceId: id, amount };
  return { type, invoiceId: null, estimateId: id, amount };
}
