import type { ShownDiscount } from '../../billing/earlyDiscount.ts';
import { compare, isPositive, type Money, roundMoney } from '../../billing/money.ts';
import { depositDue, type Unpayable, whyDepositUnpayable, whyUnpayable } from '../../billing/payable.ts';
import type { PlanAsk } from '../../billing/planProgress.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Estimate } from '../../db/schema/estimate.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import type { penFor } from '../../present/printed/head.ts';

/** What a page lets its visitor pay: an invoice, or the deposit of an estimate. */
export interface Paying {
  type: 'invoice' | 'estimate';
  document: Plain<Invoice> | Plain<Estimate>;
  /** Why nothing can be paid; null: `owed` can. */
  why: Unpayable | null;
  owed: Money;
  /** Whether payments gave money to it. */
  hasPayments: boolean;
  /** Everything that its visitor sees of it. A form names the hash, so that one of an outdated page is refused. */
  shown: object;
  /** What the payment plan of an invoice asks for; null: no plan collects it. */
  ask: PlanAsk | null;
  /** The early-payment discount of an invoice; null: there is none. */
  early: ShownDiscount | null;
  /** The pen for texts about paying it. */
  pen: ReturnType<typeof penFor>;
}

/** Paying an invoice. `shown`: its printed content, which has the balance. */
export function payingInvoice(invoice: Plain<Invoice>, about: Pick<Paying, 'shown' | 'ask' | 'early' | 'pen'>): Paying {
  const { total, balance, currency } = invoice;
  return {
    ...about,
    type: 'invoice',
    document: invoice,
    why: whyUnpayable(invoice),
    owed: roundMoney(balance, currency),
    hasPayments: compare(total, balance) !== 0,
  };
}

/** Paying an estimate's deposit. The approved paper stays as it is, so what is left to pay is no part of `content`. */
export function payingDeposit(
  estimate: Plain<Estimate>,
  { content, pen }: { content: object } & Pick<Paying, 'pen'>,
): Paying {
  const why = whyDepositUnpayable(estimate);
  const owed = depositDue(estimate);
  return {
    type: 'estimate',
    document: estimate,
    why,
    owed,
    hasPayments: isPositive(estimate.depositReceived),
    shown: { content, owed, why },
    ask: null,
    early: null,
    pen,
  };
}
