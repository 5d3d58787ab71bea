import { amountToCollect, awaitsApproval } from '../../billing/collection/paymentPlan.ts';
import { exactAmount } from '../../billing/limits.ts';
import { compare, isZero, roundMoney } from '../../billing/money/money.ts';
import type { PayingCard } from '../../billing/payments/convenienceFee.ts';
import { cashOf } from '../../billing/payments/credit.ts';
import { methodOfSource, type PaymentSourceType, type SourceMethod } from '../../billing/payments/paymentMethods.ts';
import { type ShownCharge, shownCharge } from '../../billing/payments/shownCharge.ts';
import { Refusal } from '../../billing/refusal.ts';
import { setting } from '../../billing/settings.ts';
import { brokenUnique } from '../../db/failure.ts';
import type { EntityManager } from '../../db/orm.ts';
import { undecidedDeposits } from '../../db/queries/charges/pageAttempts.ts';
import type { Attempt } from '../../db/schema/attempt.ts';
import { AttemptCredit, AttemptInvoice } from '../../db/schema/attemptParts.ts';
import type { CreditNote } from '../../db/schema/creditNote.ts';
import { PaymentSource } from '../../db/schema/customer.ts';
import type { Estimate } from '../../db/schema/estimate.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import type { ApplicationType } from '../../db/schema/paymentApplication.ts';
import type { LockedEstimate } from '../aggregates/estimate.ts';
import { type LockedInvoice, type LockedInvoiceWithoutLines, lockInvoice } from '../aggregates/invoice.ts';
import type { Caller } from '../kernel/caller.ts';
import { type LockedCustomer, lockNamedCustomer } from '../kernel/lockedCustomer.ts';
import {
  type Application,
  checkApplications,
  checkTargets,
  lockTargets,
  type NamedApplication,
  type Targets,
  withParams,
} from '../payments/applications.ts';
import { checkCollectable } from '../payments/collectable.ts';
import { totalOf } from '../payments/creditPayments.ts';
import { MOST_BEFORE, payOpenInvoices } from '../payments/spending.ts';
import type { AutomaticSource } from './automaticSource.ts';
import { checkCredit } from './credits.ts';
import { type NewInstrument, type ServiceInstrument, takeInstrument } from './instruments.ts';
import { type AttemptStart, type AttemptTiming, type NewAttempt, writeAttempt } from './newAttempt.ts';
import { feeOfCharge } from './payable.ts';

/** A charge of a locked customer. */
export interface Charge extends AttemptStart {
  method: SourceMethod;
  currency: string;
  /** Decimal text: the money and the credit that is applied with it. */
  amount: string;
  applications: Application[];
  /** A stored source, or a single-use token. `card`: what it stands for; null: not told. */
  instrument:
    | { sourceId: number; type: PaymentSourceType }
    | (NewInstrument & { card: PayingCard | null })
    | ServiceInstrument;
  /** Whether the gateway stores the token's source for later charges. */
  vault: boolean;
  makeDefault: boolean;
  /** Name to whom the receipt is addressed; null: the customer's. */
  receiptName?: string | null;
  /** Recipient of the receipt; null: the customer's usual recipients. */
  receiptEmail: string | null;
  /** True: credit of the customer pays nothing before. */
  keepsCredit?: boolean;
  /** The documents of the applications, if they are locked already. */
  locked?: Targets;
}

export interface NewCharge extends Omit<Charge, 'locked'> {
  caller: Caller;
  customerId: number;
}

/**
 * First of three steps of a charge: writes the attempt, which is committed before the gateway is called. `payingWith` chooses the gateway.
 * Credit pays open invoices first. Refuses applications that could not be recorded, a charge without money, an unusable payment source, and an
 * invoice or a deposit with another undecided charge.
 */
export async function startCharge(em: EntityManager, input: NewCharge, systemNow: Date): Promise<Attempt> {
  return chargeCustomer(em, await lockNamedCustomer(em, input, systemNow), input);
}

/** `startCharge` for a locked customer. */
export async function chargeCustomer(em: EntityManager, locked: LockedCustomer, input: Charge): Promise<Attempt> {
  const { currency } = input;
  const { id: customerId } = locked.customer;
  const whole = exactAmount(input.amount, currency, 'amount');
  checkApplications(input.applications, { currency, amount: input.amount, customerId });
  const applications = withParams(input.applications);
  refuseCreditMoves(applications);
  const amount = cashOf(whole, applications, currency);
  if (isZero(amount)) throw new Refusal('state_conflict', 'Nothing to charge: credit pays the whole amount', 'amount');
  const documents = input.locked ?? (await lockTargets(em, locked, applications));
  checkTargets(locked, documents, { applications, currency });
  const { targets, notes, estimates } = documents;
  if (targets.length > 0 && !input.keepsCredit)
    await payFromCreditFirst(em, locked, { targets, applications, currency });
  await refuseUndecided(em, estimates);
  await checkCredit(em, locked, { applications, currency });
  const { source, sealedToken, gateway, card } = await payingWith(em, locked, input);
  return writeCharge(em, locked, {
    ...input,
    amount,
    convenienceFee: feeOfCharge(locked, { applications, money: amount, currency, card }),
    origin: input.origin ?? 'api',
    source,
    sealedToken,
    gateway,
    planned: applications
      .filter(({ type }) => type !== 'convenience_fee')
      .map(({ type, invoiceId, creditNoteId, estimateId, amount }) => {
        const invoice = targets.find((target) => target.invoice.id === invoiceId)?.invoice ?? null;
        const creditNote = notes.find((note) => note.creditNote.id === creditNoteId)?.creditNote ?? null;
        const estimate = estimates.find((one) => one.estimate.id === estimateId)?.estimate ?? null;
        return { type, invoice, creditNote, estimate, amount };
      }),
  });
}

/** Lets credit pay open invoices, unless the request itself spends credit. Refuses amounts that are larger than what is left. */
async function payFromCreditFirst(
  em: EntityManager,
  locked: LockedCustomer,
  charge: Pick<Targets, 'targets'> & { applications: readonly NamedApplication[]; currency: string },
): Promise<void> {
  const { targets, applications, currency } = charge;
  if (applications.some(({ type, invoiceId }) => invoiceId !== null && type !== 'invoice')) return;
  if (!(await payOpenInvoices(em, locked, { currency, most: MOST_BEFORE }))) return;
  for (const { invoice } of targets) {
    const own = applications.filter(({ invoiceId }) => invoiceId === invoice.id);
    const asked = totalOf(own, currency);
    const left = roundMoney(invoice.balance, currency);
    if (compare(asked, left) <= 0) continue;
    const message = `Credit of the customer pays invoice ${invoice.number} first and leaves ${left}, less than ${asked}`;
    throw new Refusal('amount_too_large', message, `${own[0]?.param}[amount]`);
  }
}

/** Refuses deposits of which another charge has no outcome. The estimates are locked, so none begins meanwhile. */
async function refuseUndecided(em: EntityManager, estimates: readonly LockedEstimate[]): Promise<void> {
  const all = estimates.map(({ estimate }) => estimate);
  const [first] = all;
  if (!first) return;
  const busy = await undecidedDeposits(em, { accountId: first.accountId, ids: all.map(({ id }) => id) });
  const found = all.find(({ id }) => busy.includes(id));
  if (found)
    throw new Refusal('busy', `Another charge of estimate ${found.number ?? found.id} is in progress`, 'applied_to');
}

/** A stored source or a token, and the configuration that charges it. */
interface Paying {
  source: PaymentSource | null;
  sealedToken: string | null;
  gateway: string;
  card: PayingCard | null;
}

/** The gateway of a charge: a stored source is charged where it is stored, a token by `gatewayForNewSource`. */
async function payingWith(em: EntityManager, locked: LockedCustomer, input: Charge): Promise<Paying> {
  const { instrument, method, currency } = input;
  if (!('sourceId' in instrument))
    return { source: null, ...(await takeInstrument(em, locked, { instrument, method, currency })) };
  const source = await usableSource(em, locked, instrument);
  if (methodOfSource(source.type) !== method)
    throw new Refusal(
      'parameter_invalid',
      `Method must match the payment source: ${methodOfSource(source.type)}`,
      'method',
    );
  return { source, sealedToken: null, gateway: source.gateway, card: source };
}

/** Refuses applications that only move credit, because a charge applies new money. */
function refuseCreditMoves(applications: readonly NamedApplication[]): void {
  for (const { type, creditNoteId, estimateId, param } of applications) {
    if (type === 'credit' && creditNoteId)
      throw new Refusal(
        'parameter_invalid',
        'A charge cannot move a credit note to the credit balance: record a payment instead',
        `${param}[credit_note]`,
      );
    if (type !== 'estimate' && estimateId)
      throw new Refusal(
        'parameter_invalid',
        'A charge cannot move credit to or from deposits: record a payment instead',
        `${param}[estimate]`,
      );
  }
}

/** Starts AutoPay's charge of an invoice: its whole balance, or the next installment of its payment plan. */
export function startAutomaticCharge(
  em: EntityManager,
  locked: LockedInvoiceWithoutLines,
  how: AttemptTiming & AutomaticSource,
): Promise<Attempt> {
  return chargeBalance(em, locked, { ...how, origin: 'autopay' });
}

/**
 * Starts the charge of an invoice by request, after credit has paid open invoices. Returns the invoice if credit has paid all of it. Refuses an
 * invoice without AutoPay or that cannot be paid, and a customer without a source.
 */
export async function startRequestedCharge(
  em: EntityManager,
  input: { caller: Caller; id: number } & AttemptTiming,
  systemNow: Date,
): Promise<Attempt | LockedInvoice> {
  const locked = await lockInvoice(em, input, systemNow);
  const { invoice } = locked;
  if (!invoice.autopay) throw new Refusal('state_conflict', 'Invoice is not on AutoPay');
  const { plan } = invoice;
  if (plan && awaitsApproval(plan))
    throw new Refusal('state_conflict', `Payment plan ${plan.id} waits for the approval of its customer`);
  const source = locked.customer.defaultSource;
  if (!source?.chargeable) throw new Refusal('state_conflict', 'Customer has no payment source');
  const wasOpen = !invoice.closed;
  await payOpenInvoices(em, locked, { currency: invoice.currency, most: MOST_BEFORE });
  if (wasOpen && invoice.paid) return locked;
  const amount = amountToCollect(invoice.balance, invoice.plan ?? null);
  checkCollectable(locked, invoice, { amount, currency: invoice.currency, id: invoice.id, param: null });
  return chargeBalance(em, locked, { lookUpDelay: input.lookUpDelay, origin: 'pay', source, isFallback: false });
}

function chargeBalance(
  em: EntityManager,
  locked: LockedInvoiceWithoutLines,
  how: AttemptTiming & AutomaticSource & { origin: 'autopay' | 'pay' },
): Promise<Attempt> {
  const { invoice } = locked;
  const { source } = how;
  const amount = amountToCollect(invoice.balance, invoice.plan ?? null);
  return writeCharge(em, locked, {
    ...how,
    method: methodOfSource(source.type),
    currency: invoice.currency,
    amount,
    gateway: source.gateway,
    planned: [{ type: 'invoice', invoice, creditNote: null, estimate: null, amount }],
  });
}

interface PlannedCharge extends Omit<NewAttempt, 'kind'> {
  planned: {
    type: ApplicationType;
    invoice: Invoice | null;
    creditNote: CreditNote | null;
    estimate: Estimate | null;
    amount: string;
  }[];
}

/** Writes the attempt and its planned applications. The database refuses an invoice that another undecided attempt reserves. */
async function writeCharge(em: EntityManager, locked: LockedCustomer, plan: PlannedCharge): Promise<Attempt> {
  const attempt = await writeAttempt(em, locked, {
    ...plan,
    kind: 'charge',
    shown: shownOf(locked, plan),
  });
  const { accountId } = attempt;
  for (const { type, invoice, creditNote, estimate, amount } of plan.planned) {
    if (type === 'invoice' && invoice)
      em.append(AttemptInvoice, { accountId, attempt, invoice, amount, undecided: true });
    else em.append(AttemptCredit, { accountId, attempt, type, invoice, creditNote, estimate, amount });
  }
  try {
    await em.write();
  } catch (error) {
    if (brokenUnique(error) !== 'attempt_invoice_undecided') throw error;
    throw new Refusal('busy', 'Another charge of this invoice is in progress', 'applied_to');
  }
  return attempt;
}

function shownOf({ customer, moment }: LockedCustomer, { planned }: PlannedCharge): ShownCharge {
  const invoices = planned.flatMap(({ type, invoice }) => (type === 'invoice' ? (invoice?.number ?? []) : []));
  const estimates = planned.flatMap(({ estimate }) => estimate?.number ?? []);
  const statementDescriptor = setting(moment.caller.account, 'statement_descriptor');
  return shownCharge({ invoices, estimates, customerNumber: customer.number, statementDescriptor });
}

async function usableSource(
  em: EntityManager,
  locked: LockedCustomer,
  wanted: { sourceId: number; type: PaymentSourceType },
): Promise<PaymentSource> {
  const { accountId, id: customerId } = locked.customer;
  const source = await em.findOne(PaymentSource, {
    accountId,
    id: wanted.sourceId,
    type: wanted.type,
    deletedAt: null,
  });
  if (!source || source.customer.id !== customerId) {
    throw new Refusal('resource_missing', `Payment source was not found: ${wanted.sourceId}`, 'payment_source_id');
  }
  if (source.failureReason === 'not_verified')
    throw new Refusal('state_conflict', `Bank account ${source.id} is not verified`, 'payment_source_id');
  if (!source.chargeable)
    throw new Refusal('state_conflict', `Payment source ${source.id} can no longer be charged`, 'payment_source_id');
  return source;
}
