import { paysInstallments } from '../../billing/collection/planProgress.ts';
import { earlyAmount, shownDiscount } from '../../billing/documents/earlyDiscount.ts';
import { compare, type Money, roundMoney, subtract, zero } from '../../billing/money/money.ts';
import { type FeeRate, feeOf, feeRate, type PayingCard } from '../../billing/payments/convenienceFee.ts';
import { type MethodOffer, offeredMethods } from '../../billing/payments/offeredMethods.ts';
import { depositDue, type Unpayable, whyDepositUnpayable, whyUnpayable } from '../../billing/payments/payable.ts';
import { type SourceMethod, sourceMethods } from '../../billing/payments/paymentMethods.ts';
import { Refusal } from '../../billing/refusal.ts';
import { setting } from '../../billing/settings.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { PaidDocument } from '../../db/queries/charges/pageAttempts.ts';
import { partsOfInvoice } from '../../db/queries/documents/lines.ts';
import type { Account } from '../../db/schema/account.ts';
import type { Customer } from '../../db/schema/customer.ts';
import { Estimate } from '../../db/schema/estimate.ts';
import { Invoice } from '../../db/schema/invoice.ts';
import { methodsOf } from '../accounts/paymentMethods.ts';
import { type LockedEstimate, lockEstimateOf } from '../aggregates/estimate.ts';
import { type LockedInvoice, lockInvoiceOf, withLines } from '../aggregates/invoice.ts';
import { activePlanOf } from '../aggregates/paymentPlan.ts';
import { shownDeposit, shownInvoice } from '../documents/paying.ts';
import { type LockedCustomer, lockOwnerAsSystem, retryOnOwnerChange } from '../kernel/lockedCustomer.ts';
import type { Application, NamedApplication, Targets } from '../payments/applications.ts';
import type { DescribedSource } from '../ports/ports.ts';
import { configurationFor } from './gateways.ts';
import type { AttemptDeps } from './openAttempt.ts';

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
  const { estimate, lines, ...owner } = locked;
  return {
    ...owner,
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
  const { invoice, lines, ...owner } = locked;
  const { balance, currency } = invoice;
  const early = earlyAmount(shownDiscount(invoice, lines), balance, owner.moment.now.getTime());
  const installments = activePlanOf(invoice)?.installments ?? null;
  return {
    ...owner,
    document: invoice,
    why: whyUnpayable(invoice),
    owed: roundMoney(balance, currency),
    locked: { targets: [locked], notes: [], estimates: [] },
    shown: async () => shownInvoice(invoice, { lines, installments, paid: await partsOfInvoice(em, invoice) }),
    isAsked: (amount) =>
      (early !== null && compare(amount, early) === 0) || paysInstallments(installments ?? [], amount),
  };
}

/** A document and what is owed of it, read without a lock. */
export async function readOwed(
  em: EntityManager,
  { accountId, type, id }: PaidDocument,
): Promise<{ document: Invoice | Estimate; owed: Money }> {
  if (type === 'estimate') {
    const estimate = await em.findOneOrFail(Estimate, { accountId, id });
    return { document: estimate, owed: depositDue(estimate) };
  }
  const invoice = await em.findOneOrFail(Invoice, { accountId, id });
  return { document: invoice, owed: roundMoney(invoice.balance, invoice.currency) };
}

/** The application of a charge that pays a document. */
export function applicationTo({ type, id }: DocumentToPay, amount: Money): Application {
  if (type === 'invoice') return { type, invoiceId: id, amount };
  return { type, invoiceId: null, estimateId: id, amount };
}

/** An amount that a customer is asked to pay. */
export interface Payable {
  account: Account;
  /** Null: not known yet. */
  customer: Customer | null;
  /** The invoice or estimate that is paid; null: none. */
  document: { disabledPaymentMethods: readonly string[] } | null;
  /** Decimal text. */
  amount: string;
  currency: string;
}

export interface PayableMethod extends MethodOffer {
  /** Configuration of the gateway that takes its tokens, as `test` or `stripe_7`. Null: the method is paid by hand, or no gateway takes it. */
  configuration: string | null;
}

/**
 * The methods that a page offers for an amount, in the order to show them. `terms.instructions` is the account's text for the payer.
 * A page shows a method that has an `obstacle`, with the reason and the bound (`terms.min`, `terms.max`), but lets nobody pay with it. The
 * page mounts the fields of `configuration` for cards and bank accounts. Other methods (check, wire transfer) have only their instructions.
 *
 * Reads without locks. Ask again, with the amount that is then due, in the transaction that starts the attempt: `payableWith`.
 */
export function payableMethods(em: EntityManager, payable: Payable): Promise<PayableMethod[]> {
  return offersOf(em, payable, sourceMethods);
}

/** The methods that a page shows. Looks up gateways for the methods in `charged` only. */
async function offersOf(
  em: EntityManager,
  payable: Payable,
  charged: readonly SourceMethod[],
): Promise<PayableMethod[]> {
  const { account, customer, document, amount, currency } = payable;
  const configurations = new Map<string, string>();
  for (const method of charged) {
    const configuration = await configurationFor(em, { account, customer }, { method, currency, isTestToken: false });
    if (configuration) configurations.set(method, configuration);
  }
  const disabled = [...(customer?.disabledPaymentMethods ?? []), ...(document?.disabledPaymentMethods ?? [])];
  const chargeable = [...configurations.keys()];
  return offeredMethods(await methodsOf(em, account), { amount, currency, disabled, chargeable }).map((offer) => ({
    ...offer,
    configuration: configurations.get(offer.terms.method) ?? null,
  }));
}

/** The offer of one method of charges for an amount. Null: the page may not offer it. A page refuses an offer that has an `obstacle`. */
export async function payableWith(
  em: EntityManager,
  payable: Payable,
  method: SourceMethod,
): Promise<PayableMethod | null> {
  const offers = await offersOf(em, payable, [method]);
  return offers.find(({ terms }) => terms.method === method) ?? null;
}

/**
 * Asks a gateway what a token stands for. Null: the gateway does not know it, does not tell, or gave no answer. Runs outside any
 * transaction.
 */
export async function describeToken(
  deps: Pick<AttemptDeps, 'gateways' | 'gatewayDeadline' | 'log'>,
  { accountId, gateway, token }: { accountId: number; gateway: string; token: string },
): Promise<DescribedSource | null> {
  try {
    const found = await deps.gateways.find(accountId, gateway);
    return (await found?.describe?.(token, AbortSignal.timeout(deps.gatewayDeadline))) ?? null;
  } catch (error) {
    deps.log.warn({ err: error, gateway }, 'the gateway did not tell what a token stands for');
    return null;
  }
}

/**
 * The convenience fee among the applications of a charge; zero: none. Refuses a fee where the account takes none, of a card that pays none,
 * and above the highest one. `money`: the whole amount that the card gives.
 */
export function feeOfCharge(
  { customer, moment }: LockedCustomer,
  charge: { applications: readonly NamedApplication[]; money: Money; currency: string; card: PayingCard | null },
): Money {
  const { money, currency, card } = charge;
  const application = charge.applications.find(({ type }) => type === 'convenience_fee');
  if (!application) return zero(currency);
  const { account } = moment.caller;
  const rate = feeRate({
    percent: String(setting(account, 'convenience_fee_percent')),
    places: setting(account, 'convenience_fee_places'),
    payer: customer,
    card,
  });
  const { param } = application;
  if ('refused' in rate)
    throw new Refusal('parameter_invalid', `There is no convenience fee: ${rate.refused}`, `${param}[type]`);
  const fee = roundMoney(application.amount, currency);
  refuseAbove({ fee, rest: roundMoney(subtract(money, fee), currency), currency, param }, rate);
  return fee;
}

function refuseAbove(of: { fee: Money; rest: Money; currency: string; param: string }, rate: FeeRate): void {
  const { fee, rest, currency, param } = of;
  const most = feeOf(rest, rate, currency);
  if (compare(fee, most) <= 0) return;
  const message = `The convenience fee of ${fee} is more than ${most}, which is ${rate.percent} % of ${rest}`;
  throw new Refusal('amount_too_large', message, `${param}[amount]`);
}
