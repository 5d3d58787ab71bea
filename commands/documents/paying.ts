import type { Installment } from '../../billing/collection/paymentPlan.ts';
import type { PlanAsk } from '../../billing/collection/planProgress.ts';
import type { ShownDiscount } from '../../billing/documents/earlyDiscount.ts';
import { compare, isPositive, type Money, roundMoney } from '../../billing/money/money.ts';
import { depositDue, type Unpayable, whyDepositUnpayable, whyUnpayable } from '../../billing/payments/payable.ts';
import type { Line, partsOfInvoice } from '../../db/queries/documents/lines.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Estimate } from '../../db/schema/estimate.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import type { PrintedTransfer } from '../../present/printed/document.ts';
import { storedEstimate } from '../../present/printed/estimate.ts';
import type { Between, penFor } from '../../present/printed/head.ts';
import { storedInvoice } from '../../present/printed/invoice.ts';
import { transferOf } from '../../present/printed/transfer.ts';

/** What a page lets its visitor pay: an invoice, or the deposit of an estimate. */
export interface Paying {
  type: 'invoice' | 'estimate';
  document: Plain<Invoice> | Plain<Estimate>;
  /** Why nothing can be paid; null: `owed` can. */
  why: Unpayable | null;
  owed: Money;
  /** Whether payments gave money to it. */
  hasPayments: boolean;
  /** Everything that its visitor sees of it, as it is stored. A form names the hash, so that one of an outdated page is refused. */
  shown: object;
  /** What the payment plan of an invoice asks for; null: no plan collects it. */
  ask: PlanAsk | null;
  /** The early-payment discount of an invoice; null: there is none. */
  early: ShownDiscount | null;
  /** How a deposit is paid by bank transfer, which its paper does not tell. Null: not at all, or it is an invoice. */
  transfer: PrintedTransfer | null;
  /** The pen for texts about paying it. */
  pen: ReturnType<typeof penFor>;
}

/** Paying an invoice. */
export function payingInvoice(
  invoice: Plain<Invoice>,
  { stored, ...about }: { stored: StoredInvoice } & Pick<Paying, 'ask' | 'early' | 'pen'>,
): Paying {
  const { total, balance, currency } = invoice;
  return {
    ...about,
    transfer: null,
    type: 'invoice',
    document: invoice,
    why: whyUnpayable(invoice),
    owed: roundMoney(balance, currency),
    hasPayments: compare(total, balance) !== 0,
    shown: shownInvoice(invoice, stored),
  };
}

/** Paying an estimate's deposit. */
export function payingDeposit(
  estimate: Plain<Estimate>,
  { lines, pen, parties }: { lines: readonly Line[]; parties: Pick<Between, 'seller' | 'buyer'> } & Pick<Paying, 'pen'>,
): Paying {
  const { currency, number } = estimate;
  const owed = depositDue(estimate);
  return {
    type: 'estimate',
    document: estimate,
    why: whyDepositUnpayable(estimate),
    owed,
    hasPayments: isPositive(estimate.depositReceived),
    shown: shownDeposit(estimate, lines),
    ask: null,
    early: null,
    transfer: transferOf({ ...parties, currency, amount: owed, number: number ?? '' }, pen),
    pen,
  };
}

/** What is stored of an invoice outside its row. */
export interface StoredInvoice {
  lines: readonly Line[];
  /** Those of its active payment plan; null: it has none. */
  installments: readonly Installment[] | null;
  /** What has paid it. */
  paid: Awaited<ReturnType<typeof partsOfInvoice>>;
}

/**
 * What a visitor sees of an invoice on its page: `Paying.shown`. Its snapshot, which never changes, has seller and customer. The
 * installment that is due now is left out, because it changes with time alone; the amount to pay is checked against it when the form is sent.
 */
export function shownInvoice(invoice: Plain<Invoice>, { lines, installments, paid }: StoredInvoice): object {
  const { issuedAt, snapshot } = invoice;
  return { ...storedInvoice(invoice, lines), issuedAt, snapshot: snapshot?.id, installments, ...paid };
}

/** The same for an estimate's deposit. The approved paper stays as it is, so what is left to pay is no part of it. */
export function shownDeposit(estimate: Plain<Estimate>, lines: readonly Line[]): object {
  const [why, owed] = [whyDepositUnpayable(estimate), depositDue(estimate)];
  return { ...storedEstimate(estimate, lines), snapshot: estimate.snapshot?.id, owed, why };
}
