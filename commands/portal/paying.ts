import { createHash } from 'node:crypto';
import { earlyAmount, shownDiscount } from '../../billing/documents/earlyDiscount.ts';
import { exactAmount } from '../../billing/limits.ts';
import { add, compare, isPositive, type Money, roundMoney } from '../../billing/money/money.ts';
import { feeOf, feeRate, type PayingCard } from '../../billing/payments/convenienceFee.ts';
import { methodOfSource, type SourceMethod } from '../../billing/payments/paymentMethods.ts';
import type { PresentPayer } from '../../billing/payments/presentPayer.ts';
import {
  type ChosenInvoices,
  MOST_INVOICES_AT_ONCE,
  type SeveralInvoices,
  spreadOver,
} from '../../billing/payments/severalInvoices.ts';
import { Refusal } from '../../billing/refusal.ts';
import { setting } from '../../billing/settings.ts';
import type { EntityManager } from '../../db/orm.ts';
import { linesOfEach } from '../../db/queries/documents/lines.ts';
import { declinesOfCustomer, type PayableRow, payableRows } from '../../db/queries/portal/paying.ts';
import type { Account } from '../../db/schema/account.ts';
import { Attempt } from '../../db/schema/attempt.ts';
import { Customer, type PaymentSource } from '../../db/schema/customer.ts';
import { Invoice } from '../../db/schema/invoice.ts';
import { chargeCustomer } from '../charges/charges.ts';
import { type GivenConsent, recordConsent } from '../charges/consents.ts';
import type { AttemptTiming } from '../charges/newAttempt.ts';
import type { OfferedFee } from '../charges/pagePayments.ts';
import { payableWith } from '../charges/payable.ts';
import { cardOf, readServiceToken } from '../charges/serviceTokens.ts';
import { logAct } from '../kernel/auditLog.ts';
import { systemCallerOf } from '../kernel/caller.ts';
import { lockCustomer, refuseAnonymous } from '../kernel/lockedCustomer.ts';
import { MOST_BEFORE, payOpenInvoices } from '../payments/spending.ts';
import { type PortalVisitor, partyInPortal } from './sessions.ts';
import { ownSource } from './sources.ts';

/** Payments of a customer that fail in an hour, at most, so that nobody tests stolen cards. */
const MOST_DECLINES = 10;
const HOUR_MILLISECONDS = 3_600_000;

/** An open invoice, and what pays all of it now: its balance, or less while its early-payment discount lasts. */
export interface PayableInvoice extends PayableRow {
  owed: Money;
}

interface Whose {
  accountId: number;
  customerId: number;
  currency: string;
}

/** The invoices that one payment can pay, oldest due first, and one more if there are more. Reads without locks, or under the customer's lock. */
export async function payableInvoices(em: EntityManager, whose: Whose, now: Date): Promise<PayableInvoice[]> {
  const { currency } = whose;
  const rows = await payableRows(em, whose, { currency, most: MOST_INVOICES_AT_ONCE + 1 });
  const early = await earlyAmounts(em, whose.accountId, { rows, now });
  return rows.map((row) => ({ ...row, owed: roundMoney(early.get(row.id) ?? row.balance, currency) }));
}

/** What pays invoices with their early-payment discounts, by id. */
async function earlyAmounts(
  em: EntityManager,
  accountId: number,
  { rows, now }: { rows: readonly PayableRow[]; now: Date },
): Promise<Map<number, Money>> {
  const ids = rows.flatMap(({ id, mayBeEarly }) => (mayBeEarly ? [id] : []));
  if (ids.length === 0) return new Map();
  const invoices = await em.find(Invoice, { accountId, id: { $in: ids } }, { disableIdentityMap: true });
  const lines = await linesOfEach(em, 'invoice', { accountId, ids });
  const amounts = invoices.flatMap((invoice) => {
    const shown = shownDiscount(invoice, lines.get(invoice.id) ?? []);
    const amount = earlyAmount(shown, invoice.balance, now.getTime());
    return amount === null ? [] : [[invoice.id, amount] as const];
  });
  return new Map(amounts);
}

/** What would be paid now. */
export interface Planned extends SeveralInvoices {
  invoices: readonly PayableInvoice[];
  /** Whether more is open than one payment pays. */
  isCut: boolean;
}

/** Why nothing can be paid as it was asked. `changed`: an invoice was paid meanwhile, or began to be. `amount`: parts are not taken. */
export type Unfit = 'changed' | 'nothing' | 'too_much' | 'amount';

/** What each invoice gets of a payment. A part of an invoice only where the account takes parts. */
export async function planPayment(
  em: EntityManager,
  of: { account: Account; customerId: number; currency: string; chosen: ChosenInvoices },
  now: Date,
): Promise<Planned | Unfit> {
  const { account, customerId, currency, chosen } = of;
  const invoices = await payableInvoices(em, { accountId: account.id, customerId, currency }, now);
  const spread = spreadOver(invoices, chosen, currency);
  if (spread === 'gone') return 'changed';
  if (typeof spread === 'string') return spread;
  const owed = new Map(invoices.map((invoice) => [invoice.id, invoice.owed] as const));
  const hasPart = spread.parts.some(({ id, amount }) => compare(amount, owed.get(id) ?? amount) < 0);
  if (hasPart && !setting(account, 'partial_payments')) return 'amount';
  return { ...spread, invoices, isCut: chosen.kind === 'all' && invoices.length > MOST_INVOICES_AT_ONCE };
}

/** Identifies what a page showed: the currency, and of each invoice what is owed and what it gets. A payment of anything else is refused. */
export function seenOf(currency: string, { parts, invoices }: Planned): string {
  const owed = new Map(invoices.map((invoice) => [invoice.id, invoice.owed] as const));
  const text = JSON.stringify([currency, parts.map(({ id, amount }) => [id, amount, owed.get(id)])]);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** A stored source, or what the gateway's fields of the page took. */
export type PortalInstrument = { sourceId: number } | { serviceToken: string; method: SourceMethod };

export interface PortalPayment extends AttemptTiming {
  account: Account;
  visitor: PortalVisitor;
  currency: string;
  chosen: ChosenInvoices;
  /** `seenOf` what the page showed. */
  seen: string;
  /** Key of the attempt: `portalKeyOf` the form that was sent. */
  key: string;
  instrument: PortalInstrument;
  /** The convenience fee that the payer has confirmed: decimal text; null: none. */
  fee: string | null;
  payer: PresentPayer;
  /** Consent to automatic payment: the new source is stored. Null: it is charged once, or stored already. */
  consent: GivenConsent | null;
}

/**
 * Key of the attempt that a form starts, as a UUID. The same form always gives the same key; the session's customer is part of it, so no form can
 * name the attempt of another one.
 */
export function portalKeyOf({ accountId, session }: PortalVisitor, form: string): string {
  const digest = createHash('sha256').update(`portal ${accountId} ${session.customerId} ${form}`).digest('hex');
  const [a, b, c] = [digest.slice(0, 8), digest.slice(8, 12), digest.slice(13, 16)];
  return `${a}-${b}-8${c}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}

/** Lets credit of the customer pay first, in a transaction of its own. If an invoice changes, the payment is refused and the page shows what is left. */
export async function applyCreditInPortal(
  em: EntityManager,
  { account, visitor, currency }: Pick<PortalPayment, 'account' | 'visitor' | 'currency'>,
  systemNow: Date,
): Promise<void> {
  const { customerId } = visitor.session;
  const locked = await lockCustomer(em, { caller: systemCallerOf(account), customerId }, systemNow);
  await payOpenInvoices(em, locked, { currency, most: MOST_BEFORE });
}

/** The convenience fee that an instrument pays for an amount; null: none. Refuses an instrument that cannot be used. */
export async function feeInPortal(
  em: EntityManager,
  payment: Pick<PortalPayment, 'account' | 'visitor' | 'currency' | 'instrument'> & { amount: Money },
  systemNow: Date,
): Promise<OfferedFee | null> {
  const { account, visitor, currency, amount } = payment;
  const percent = setting(account, 'convenience_fee_percent');
  if (percent === 0) return null;
  const card = await cardIn(em, payment, systemNow);
  const payer = await em.findOneOrFail(Customer, { accountId: account.id, id: visitor.session.customerId });
  const rate = feeRate({ percent: String(percent), places: setting(account, 'convenience_fee_places'), payer, card });
  if ('refused' in rate) return null;
  const fee = feeOf(amount, rate, currency);
  return isPositive(fee) ? { fee, percent: rate.percent, total: roundMoney(add(amount, fee), currency) } : null;
}

async function cardIn(
  em: EntityManager,
  { account, visitor, currency, instrument }: Pick<PortalPayment, 'account' | 'visitor' | 'currency' | 'instrument'>,
  systemNow: Date,
): Promise<PayingCard | null> {
  if ('sourceId' in instrument) return ownSource(em, visitor, instrument.sourceId);
  const { serviceToken: token, method } = instrument;
  return cardOf(await readServiceToken(em, { accountId: account.id, token, method, currency }, systemNow));
}

/**
 * First of three steps of a payment in the portal: one charge of several invoices. The same form starts one attempt: sent again, it finds that
 * one. Refuses invoices that differ from those that the page showed, a method that one of them does not take, and any payment after too many
 * declines. Throws Missing.
 */
export async function startPortalPayment(
  em: EntityManager,
  input: PortalPayment,
  systemNow: Date,
): Promise<{ attempt: Attempt; isNew: boolean }> {
  const { account, visitor, currency, key, instrument, fee, consent, payer, lookUpDelay } = input;
  const { customerId } = visitor.session;
  const accountId = account.id;
  const locked = await lockCustomer(em, { caller: systemCallerOf(account), customerId }, systemNow);
  const earlier = await em.findOne(Attempt, { accountId, key });
  if (earlier) return { attempt: earlier, isNew: false };
  refuseAnonymous(locked.customer);
  if (input.chosen.kind === 'amount') exactAmount(input.chosen.amount, currency, 'amount');
  const planned = await planPayment(em, { account, customerId, currency, chosen: input.chosen }, locked.moment.now);
  if (typeof planned === 'string' || seenOf(currency, planned) !== input.seen)
    throw new Refusal('precondition_failed', 'The invoices have changed since they were shown', 'seen');
  const since = new Date(systemNow.getTime() - HOUR_MILLISECONDS);
  if ((await declinesOfCustomer(em, { accountId, customerId }, since)) >= MOST_DECLINES)
    throw new Refusal('limit_exceeded', 'Too many payments were declined', 'tries');
  const source = 'sourceId' in instrument ? await ownSource(em, visitor, instrument.sourceId) : null;
  const method = 'method' in instrument ? instrument.method : methodOfSource(source?.type ?? 'card');
  const { total, parts } = planned;
  await refuseMethod(em, { account, customer: locked.customer, currency, method, source, planned });
  const attempt = await chargeCustomer(em, locked, {
    origin: 'page',
    key,
    method,
    currency,
    amount: fee === null ? total : add(total, fee),
    applications: [
      ...parts.map(({ id, amount }) => ({ type: 'invoice' as const, invoiceId: id, amount })),
      ...(fee === null ? [] : [{ type: 'convenience_fee' as const, invoiceId: null, amount: fee }]),
    ],
    instrument: source ? { sourceId: source.id, type: source.type } : { serviceToken: tokenIn(instrument) },
    payer,
    vault: consent !== null,
    makeDefault: consent !== null && visitor.rights === 'manage',
    receiptEmail: null,
    lookUpDelay,
  });
  if (consent) await recordConsent(em, locked, { attempt, consent });
  const object = { type: 'customer', id: customerId };
  const by = partyInPortal(visitor);
  logAct(em, { accountId, by, kind: 'change', operation: 'payInPortal', object }, systemNow);
  return { attempt, isNew: true };
}

const tokenIn = (instrument: PortalInstrument): string => ('serviceToken' in instrument ? instrument.serviceToken : '');

/** The methods that invoices do not take, together. */
export function disabledBy({ invoices, parts }: Planned): { disabledPaymentMethods: string[] } {
  const paid = new Set(parts.map(({ id }) => id));
  const named = invoices.flatMap(({ id, disabledPaymentMethods }) => (paid.has(id) ? disabledPaymentMethods : []));
  return { disabledPaymentMethods: [...new Set(named)] };
}

/** Refuses a method that the account, the customer or an invoice does not allow for the amount. */
async function refuseMethod(
  em: EntityManager,
  of: {
    account: Account;
    customer: Customer;
    currency: string;
    method: SourceMethod;
    source: PaymentSource | null;
    planned: Planned;
  },
): Promise<void> {
  const { account, customer, currency, method, source, planned } = of;
  const document = disabledBy(planned);
  const offer = await payableWith(em, { account, customer, document, amount: planned.total, currency }, method);
  // A stored source is charged by the gateway that stores it.
  const obstacle = source && offer?.obstacle === 'no_gateway' ? null : (offer?.obstacle ?? null);
  if (!offer || obstacle === 'no_gateway')
    throw new Refusal('parameter_invalid', `Method is not offered: ${method}`, 'method');
  if (obstacle) throw new Refusal('parameter_invalid', `Amount does not fit the method: ${obstacle}`, 'amount');
}
