import { createHash } from 'node:crypto';
import { feeOf, feeRate } from '../../billing/convenienceFee.ts';
import { earlyAmount, shownDiscount } from '../../billing/earlyDiscount.ts';
import { exactAmount } from '../../billing/limits.ts';
import { add, compare, isPositive, type Money, roundMoney } from '../../billing/money.ts';
import { whyUnpayable } from '../../billing/payable.ts';
import type { SourceMethod } from '../../billing/paymentMethods.ts';
import { paysInstallments } from '../../billing/planProgress.ts';
import type { PresentPayer } from '../../billing/presentPayer.ts';
import { Refusal } from '../../billing/refusal.ts';
import { setting } from '../../billing/settings.ts';
import type { EntityManager } from '../../db/orm.ts';
import { declinesOnPage } from '../../db/queries/charges/pageAttempts.ts';
import type { Account } from '../../db/schema/account.ts';
import { Attempt } from '../../db/schema/attempt.ts';
import { Customer } from '../../db/schema/customer.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { type LockedInvoice, lockInvoice } from '../aggregates/invoice.ts';
import { activePlanOf } from '../aggregates/paymentPlan.ts';
import { contentHash } from '../documents/pdfs.ts';
import { findPrintable } from '../documents/printing.ts';
import { systemCallerOf } from '../kernel/caller.ts';
import { refuseAnonymous } from '../kernel/lockedCustomer.ts';
import { MOST_BEFORE, payOpenInvoices } from '../payments/spending.ts';
import { startCharge } from './charges.ts';
import { type GivenConsent, recordConsent } from './consents.ts';
import type { AttemptTiming } from './newAttempt.ts';
import { payableWith } from './payableMethods.ts';
import { cardOf, readServiceToken } from './serviceTokens.ts';

/** Maximum number of payments on the page of an invoice that fail in an hour, from all addresses, so that nobody tests stolen cards there. */
const MOST_DECLINES = 10;
const HOUR_MILLISECONDS = 3_600_000;

/** A payment of an invoice by a visitor of its page. */
export interface PagePayment extends AttemptTiming {
  account: Account;
  invoiceId: number;
  /** Key of the attempt: `attemptKeyOf` the form that was sent. */
  key: string;
  /** `contentHash` of the invoice as the page showed it. */
  seen: string;
  method: SourceMethod;
  /** Decimal text. */
  amount: string;
  /** The convenience fee that the visitor has confirmed: decimal text; null: none. */
  fee: string | null;
  serviceToken: string;
  /** The visitor, who waits for the answer. */
  payer: PresentPayer;
  /** Name of the person to whom the receipt is addressed. Null: the customer's. */
  receiptName: string | null;
  receiptEmail: string | null;
  /** The visitor's consent to automatic payment: the source is stored and becomes the default one. Null: it is charged once. */
  consent: GivenConsent | null;
}

/**
 * Key of the attempt that a form starts, in the form of a UUID. The same form always gives the same key. The secret token of the invoice is
 * part of it, so no form can name the attempt of another invoice.
 */
export function attemptKeyOf(invoice: { accountId: number; id: number; token: string }, form: string): string {
  const { accountId, id, token } = invoice;
  const digest = createHash('sha256').update(`page payment ${accountId} ${id} ${token} ${form}`).digest('hex');
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join('-');
}

/** The convenience fee of a payment on a page, of which the visitor has to know before it is charged. */
export interface OfferedFee {
  /** Decimal text. */
  fee: Money;
  /** Decimal text, in percent. */
  percent: string;
  total: Money;
}

/** The convenience fee that a service token pays for an amount; null: none. Refuses a token that `takeServiceToken` refuses. */
export async function feeOfPagePayment(
  em: EntityManager,
  payment: Pick<PagePayment, 'account' | 'serviceToken' | 'method'> & {
    customerId: number;
    amount: string;
    currency: string;
  },
  systemNow: Date,
): Promise<OfferedFee | null> {
  const { account, serviceToken: token, method, customerId: id, amount, currency } = payment;
  const percent = setting(account, 'convenience_fee_percent');
  if (percent === 0) return null;
  const card = cardOf(await readServiceToken(em, { accountId: account.id, token, method, currency }, systemNow));
  const payer = await em.findOneOrFail(Customer, { accountId: account.id, id });
  const places = setting(account, 'convenience_fee_places');
  const rate = feeRate({ percent: String(percent), places, payer, card });
  if ('refused' in rate) return null;
  const fee = feeOf(roundMoney(amount, currency), rate, currency);
  return isPositive(fee) ? { fee, percent: rate.percent, total: roundMoney(add(amount, fee), currency) } : null;
}

/**
 * First of three steps of a payment on the page of an invoice. The same form starts one attempt: sent again, it finds that one. Refuses an
 * invoice that cannot be paid or has changed since it was shown, an amount other than the balance or installments of its plan unless parts may be paid, a method that
 * the page may not offer for the amount, and any payment after too many declines. Throws Missing.
 */
export async function startPagePayment(
  em: EntityManager,
  input: PagePayment,
  systemNow: Date,
): Promise<{ attempt: Attempt; isNew: boolean }> {
  const { account, invoiceId: id, key, method } = input;
  const caller = systemCallerOf(account);
  const at = await lockInvoice(em, { caller, id }, systemNow);
  const earlier = await em.findOne(Attempt, { accountId: account.id, key });
  if (earlier) return { attempt: earlier, isNew: false };
  const { invoice, customer } = at;
  const since = new Date(systemNow.getTime() - HOUR_MILLISECONDS);
  if ((await declinesOnPage(em, { accountId: account.id, invoiceId: id, since })) >= MOST_DECLINES)
    throw new Refusal('Too many payments were declined', 'tries');
  await refuseUnseen(em, { ...input, invoice }, systemNow);
  refuseAnonymous(customer);
  const { currency } = invoice;
  const amount = amountOf(at, input);
  const offer = await payableWith(em, { account, customer, document: invoice, amount, currency }, method);
  if (!offer || offer.obstacle === 'no_gateway') throw new Refusal(`Method is not offered: ${method}`, 'method');
  if (offer.obstacle) throw new Refusal(`Amount does not fit the method: ${offer.obstacle}`, 'amount');
  const { fee, serviceToken, payer, receiptName, receiptEmail, consent, lookUpDelay } = input;
  const attempt = await startCharge(
    em,
    {
      caller,
      origin: 'page',
      key,
      customerId: customer.id,
      method,
      currency,
      amount: fee === null ? amount : add(amount, fee),
      applications: [
        { type: 'invoice', invoiceId: id, amount },
        ...(fee === null ? [] : [{ type: 'convenience_fee' as const, invoiceId: null, amount: fee }]),
      ],
      instrument: { serviceToken },
      payer,
      vault: consent !== null,
      makeDefault: consent !== null,
      receiptName,
      receiptEmail,
      lookUpDelay,
    },
    systemNow,
  );
  if (consent) await recordConsent(em, at, { attempt, consent });
  return { attempt, isNew: true };
}

/**
 * Lets credit pay open invoices of the customer before the payment of one of them begins. A transaction of its own: if the invoice changes, the
 * payment is refused and the page shows what is left.
 */
export async function applyCreditBeforePayment(
  em: EntityManager,
  { account, invoiceId: id }: Pick<PagePayment, 'account' | 'invoiceId'>,
  systemNow: Date,
): Promise<void> {
  const at = await lockInvoice(em, { caller: systemCallerOf(account), id }, systemNow);
  await payOpenInvoices(em, at, { currency: at.invoice.currency, most: MOST_BEFORE });
}

/** Refuses an invoice that cannot be paid, or that differs from the one that the page showed. */
async function refuseUnseen(
  em: EntityManager,
  { invoice, account, seen }: Pick<PagePayment, 'account' | 'seen'> & { invoice: Invoice },
  systemNow: Date,
): Promise<void> {
  const why = whyUnpayable(invoice);
  if (why) throw new Refusal(`Invoice cannot be paid: ${why}`, 'invoice');
  await em.write();
  const shown = await findPrintable(em, { account, type: 'invoice', id: invoice.id }, systemNow);
  if (!shown || contentHash(shown.facts) !== seen) throw new Refusal('Invoice has changed since it was shown', 'seen');
}

/** The amount to pay: the balance, less its early-payment discount, the first unpaid installments of an active plan, or the part that was asked for. */
function amountOf({ invoice, lines, moment }: LockedInvoice, { account, amount }: PagePayment): Money {
  const { balance, currency } = invoice;
  const owed = roundMoney(balance, currency);
  const wanted = exactAmount(amount, currency, 'amount');
  const isPart = isPositive(wanted) && compare(wanted, owed) < 0;
  if (compare(wanted, owed) === 0 || (isPart && setting(account, 'partial_payments'))) return wanted;
  const early = earlyAmount(shownDiscount(invoice, lines), balance, moment.now.getTime());
  if (isPart && early !== null && compare(wanted, early) === 0) return wanted;
  if (isPart && paysInstallments(activePlanOf(invoice)?.installments ?? [], wanted)) return wanted;
  throw new Refusal(`Amount must be the balance of ${owed}`, 'amount');
}
