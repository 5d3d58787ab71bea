import { createHash } from 'node:crypto';
import { exactAmount } from '../../billing/limits.ts';
import { add, compare, isPositive, type Money, roundMoney } from '../../billing/money/money.ts';
import { feeOf, feeRate } from '../../billing/payments/convenienceFee.ts';
import type { PaymentSourceType, SourceMethod } from '../../billing/payments/paymentMethods.ts';
import type { PresentPayer } from '../../billing/payments/presentPayer.ts';
import { Refusal } from '../../billing/refusal.ts';
import { setting } from '../../billing/settings.ts';
import type { EntityManager } from '../../db/orm.ts';
import { declinesOnPage } from '../../db/queries/charges/pageAttempts.ts';
import type { Account } from '../../db/schema/account.ts';
import { Attempt } from '../../db/schema/attempt.ts';
import { Customer, PaymentSource } from '../../db/schema/customer.ts';
import { contentHash } from '../documents/pdfs.ts';
import { logActOfCustomer } from '../kernel/auditLog.ts';
import { refuseAnonymous } from '../kernel/lockedCustomer.ts';
import { MOST_BEFORE, payOpenInvoices } from '../payments/spending.ts';
import { chargeCustomer } from './charges.ts';
import { type GivenConsent, recordConsent } from './consents.ts';
import type { ServiceInstrument } from './instruments.ts';
import type { AttemptTiming } from './newAttempt.ts';
import { applicationTo, type DocumentToPay, type LockedPayable, lockPayable, payableWith } from './payable.ts';
import { cardOf, readServiceToken } from './serviceTokens.ts';

/** Maximum number of payments on the page of a document that fail in an hour, from all addresses, so that nobody tests stolen cards there. */
const MOST_DECLINES = 10;
const HOUR_MILLISECONDS = 3_600_000;

/** What a visitor pays with: what it entered, or a stored source of the customer as whom it signed in. */
export type PageInstrument = ServiceInstrument | { sourceId: number; type: PaymentSourceType };

/** A payment of an invoice, or of the deposit of an estimate, by a visitor of its page. */
export interface PagePayment extends AttemptTiming {
  account: Account;
  document: DocumentToPay;
  /** Key of the attempt: `attemptKeyOf` the form that was sent. */
  key: string;
  /** `contentHash` of what the page showed (`Paying.shown`). */
  seen: string;
  method: SourceMethod;
  /** Decimal text. */
  amount: string;
  /** The convenience fee that the visitor has confirmed: decimal text; null: none. */
  fee: string | null;
  instrument: PageInstrument;
  /** The visitor, who waits for the answer. */
  payer: PresentPayer;
  /** Name of the person to whom the receipt is addressed. Null: the customer's. */
  receiptName: string | null;
  receiptEmail: string | null;
  /** The visitor's consent to automatic payment: the source is stored and becomes the default one. Null: it is charged once, or stored already. */
  consent: GivenConsent | null;
}

/**
 * Key of the attempt that a form starts, in the form of a UUID. The same form always gives the same key. The secret token of the document is
 * part of it, so no form can name the attempt of another document.
 */
export function attemptKeyOf(document: { accountId: number; id: number; token: string }, form: string): string {
  const { accountId, id, token } = document;
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

/** The convenience fee of a payment for an amount; null: none. Refuses a token that `takeServiceToken` refuses. */
export async function feeOfPagePayment(
  em: EntityManager,
  payment: Pick<PagePayment, 'account' | 'instrument' | 'method'> & {
    customerId: number;
    amount: string;
    currency: string;
  },
  systemNow: Date,
): Promise<OfferedFee | null> {
  const { account, instrument, method, customerId: id, amount, currency } = payment;
  const percent = setting(account, 'convenience_fee_percent');
  if (percent === 0) return null;
  const accountId = account.id;
  const card =
    'serviceToken' in instrument
      ? cardOf(await readServiceToken(em, { accountId, token: instrument.serviceToken, method, currency }, systemNow))
      : await em.findOne(PaymentSource, { accountId, id: instrument.sourceId, customer: [accountId, id] });
  const payer = await em.findOneOrFail(Customer, { accountId: account.id, id });
  const places = setting(account, 'convenience_fee_places');
  const rate = feeRate({ percent: String(percent), places, payer, card });
  if ('refused' in rate) return null;
  const fee = feeOf(roundMoney(amount, currency), rate, currency);
  return isPositive(fee) ? { fee, percent: rate.percent, total: roundMoney(add(amount, fee), currency) } : null;
}

/**
 * First of three steps of a payment on the page of a document. The same form starts one attempt: sent again, it finds that one. Refuses a
 * document that cannot be paid or has changed since it was shown, an amount other than what is owed or what the page asks for unless parts may
 * be paid, a method that the page may not offer for the amount, and any payment after too many declines. Throws Missing.
 */
export async function startPagePayment(
  em: EntityManager,
  input: PagePayment,
  systemNow: Date,
): Promise<{ attempt: Attempt; isNew: boolean }> {
  const { key, method } = input;
  const named = { accountId: input.account.id, ...input.document };
  const locked = await lockPayable(em, named, systemNow);
  const earlier = await em.findOne(Attempt, { accountId: named.accountId, key });
  if (earlier) return { attempt: earlier, isNew: false };
  await refuseUnseen(locked, input);
  const since = new Date(systemNow.getTime() - HOUR_MILLISECONDS);
  const declines = await declinesOnPage(em, named, since);
  if (declines >= MOST_DECLINES) throw new Refusal('limit_exceeded', 'Too many payments were declined', 'tries');
  const { document, customer } = locked;
  refuseAnonymous(customer);
  const { account } = locked.moment.caller;
  const { currency } = document;
  const amount = amountOf(locked, input);
  const offer = await payableWith(em, { account, customer, document, amount, currency }, method);
  if (!offer || offer.obstacle === 'no_gateway')
    throw new Refusal('parameter_invalid', `Method is not offered: ${method}`, 'method');
  if (offer.obstacle)
    throw new Refusal('parameter_invalid', `Amount does not fit the method: ${offer.obstacle}`, 'amount');
  const { fee, instrument, payer, receiptName, receiptEmail, consent, lookUpDelay } = input;
  const attempt = await chargeCustomer(em, locked, {
    origin: 'page',
    key,
    method,
    currency,
    amount: fee === null ? amount : add(amount, fee),
    applications: [
      applicationTo(input.document, amount),
      ...(fee === null ? [] : [{ type: 'convenience_fee' as const, invoiceId: null, amount: fee }]),
    ],
    locked: locked.locked,
    instrument,
    payer,
    vault: consent !== null,
    makeDefault: consent !== null,
    receiptName,
    receiptEmail,
    lookUpDelay,
  });
  if (consent) await recordConsent(em, locked, { attempt, consent });
  const { accountId, ...object } = named;
  logActOfCustomer(em, { accountId, customerId: customer.id, operation: 'payOnPage', object }, systemNow);
  return { attempt, isNew: true };
}

/**
 * Lets credit pay open invoices of the customer before the payment of one of them begins. A transaction of its own: if the invoice changes, the
 * payment is refused and the page shows what is left. Callers leave it out for a customer without credit; `chargeCustomer` looks again under
 * the lock. Does nothing for a document that the payment will refuse, or has begun to pay.
 */
export async function applyCreditBeforePayment(em: EntityManager, input: Shown, systemNow: Date): Promise<void> {
  const locked = await lockPayable(em, { accountId: input.account.id, ...input.document }, systemNow);
  if (locked.why || !(await isAsShown(locked, input))) return;
  await payOpenInvoices(em, locked, { currency: locked.document.currency, most: MOST_BEFORE });
}

/** A document, and the hash of what its page showed. */
type Shown = Pick<PagePayment, 'account' | 'document' | 'seen'>;

/** Refuses a document that cannot be paid, or that differs from the one that the page showed. */
async function refuseUnseen(locked: LockedPayable, shown: Shown): Promise<void> {
  const { type } = shown.document;
  const name = type === 'invoice' ? 'Invoice' : 'Estimate';
  if (locked.why) throw new Refusal('state_conflict', `${name} cannot be paid: ${locked.why}`, type);
  if (!(await isAsShown(locked, shown)))
    throw new Refusal('precondition_failed', `${name} has changed since it was shown`, 'seen');
}

async function isAsShown(locked: LockedPayable, { seen }: Shown): Promise<boolean> {
  return contentHash(await locked.shown()) === seen;
}

/** The amount to pay: what is owed, an amount that the page asks for instead, or the part that was asked for. */
function amountOf({ document, owed, isAsked, moment }: LockedPayable, { amount }: PagePayment): Money {
  const wanted = exactAmount(amount, document.currency, 'amount');
  if (compare(wanted, owed) === 0) return wanted;
  const isPart = isPositive(wanted) && compare(wanted, owed) < 0;
  if (isPart && (setting(moment.caller.account, 'partial_payments') || isAsked(wanted))) return wanted;
  throw new Refusal('parameter_invalid', `Amount must be the balance of ${owed}`, 'amount');
}
