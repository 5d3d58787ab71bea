import { whyNoReceipt } from '../../billing/documents/receipt.ts';
import { exactAmount } from '../../billing/limits.ts';
import { compare, type Money, roundMoney, subtract, sum } from '../../billing/money/money.ts';
import { cashOf } from '../../billing/payments/credit.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { partiesOf } from '../../db/queries/invoices/paidParts.ts';
import type { EventReason } from '../../db/schema/event.ts';
import type { Payment } from '../../db/schema/payment.ts';
import type { PaymentApplication } from '../../db/schema/paymentApplication.ts';
import { planDiscountReview } from '../aggregates/earlyDiscount.ts';
import { lockInvoices, replanInvoices } from '../aggregates/invoice.ts';
import { switchOffAutopayOf } from '../customers/autopayOff.ts';
import { accountMoment, type Caller, requirePermission } from '../kernel/caller.ts';
import { assignChanges, differs, newTime } from '../kernel/changes.ts';
import { type LockedCustomer, refuseAnonymous } from '../kernel/lockedCustomer.ts';
import { ledger, post } from '../kernel/posting.ts';
import {
  type Application,
  applicationsOf,
  applyAll,
  asRequested,
  checkApplications,
  invoicesOf,
  type NamedApplication,
  unapplyAll,
  withParams,
} from './applications.ts';
import { recomputeChangedCredit } from './credits.ts';
import { refuseFeeChange } from './fees.ts';
import { endMatching, updateMatched } from './matching.ts';
import { postApplication } from './moneyPosting.ts';
import { paymentEventObject, recordPayment, recordReceived } from './paymentEvents.ts';
import { customerOf, lockPayment } from './payments.ts';
import { appliedMoney, refuseRefundedMoney, releaseRefundExpense } from './refunds.ts';
import { payOpenInvoices } from './spending.ts';
import { addsCredit, withholdUndone } from './withholding.ts';

/** Requested changes. A field that is left out stays as it is; null clears it. */
export interface PaymentFields {
  date?: Date | undefined;
  method?: string | undefined;
  currency?: string | undefined;
  amount?: string | undefined;
  reference?: string | null | undefined;
  achSenderId?: string | null | undefined;
  source?: string | undefined;
  notes?: string | null | undefined;
  metadata?: Record<string, string> | undefined;
}

export interface PaymentChange {
  caller: Caller;
  id: number;
  customerId?: number | null | undefined;
  fields: PaymentFields;
  /** Replace the current applications; undefined: unchanged. */
  applications?: Application[] | undefined;
  /** Why it changes by itself; absent: somebody changes it. */
  reason?: EventReason | undefined;
}

/** A planned change of a locked payment. */
interface Plan {
  payment: Payment;
  from: LockedCustomer | null;
  to: LockedCustomer | null;
  fields: PaymentFields;
  undone: PaymentApplication[];
  kept: PaymentApplication[];
  made: NamedApplication[];
  /** The part of the amount that is money, before and after. */
  cash: { was: Money; is: Money };
}

/**
 * Changes a payment and its applications, if anything differs. Refuses a voided payment. Refuses to change the money, currency, method or
 * customer of a processed payment, to spend more credit than there is, and applications that `applyAll` refuses. Throws Missing.
 */
export async function updatePayment(em: EntityManager, change: PaymentChange, systemNow: Date): Promise<Payment> {
  const { caller, id } = change;
  const invoiceIds = (change.applications ?? []).flatMap(({ invoiceId }) => invoiceId ?? []);
  const customerId = await newCustomer(em, change, invoiceIds);
  const { payment, payers } = await lockPayment(em, { caller, id, payerId: customerId ?? null, invoiceIds }, systemNow);
  await em.populate(payment, ['charge']);
  const from = payers.get(payment.customer?.id ?? null) ?? null;
  const to = customerId === undefined ? from : (payers.get(customerId) ?? null);
  const plan = planOf(change, { payment, from, to, applied: await applicationsOf(em, payment) });
  const moment = (to ?? from)?.moment ?? accountMoment(caller, systemNow);
  if (!change.reason) await endMatching(em, moment, payment);
  const isSame = plan.undone.length === 0 && plan.made.length === 0 && from === to;
  if (isSame && !differs(payment, plan.fields)) return payment;
  checkPlan(plan);
  if (reducesMoney(plan)) requirePermission(caller, 'corrections.write', 'amount');
  refusePersonalData(plan);
  const charge = payment.charge ?? null;
  const before = paymentEventObject({ customer: from?.customer ?? null }, payment, charge);
  const was = { currency: payment.currency, date: payment.date };
  const hadReceipt = whyNoReceipt(payment, charge?.status ?? null) === null;
  const applied = appliedMoney(payment);
  if (from && plan.undone.length > 0) await unapplyAll(em, from, { payment, applications: plan.undone });
  assignAndRepost(em, plan, moment.now);
  if (to && plan.made.length > 0) await applyAll(em, to, { payment, applications: plan.made, reason: change.reason });
  if (to) await followDate(em, to, { ...plan, was });
  await recomputeChangedCredit(em, { ...plan, was });
  const isReleased = releaseRefundExpense(em, moment, { payment, before: applied });
  if (isReleased && from) await switchOffAutopayOf(em, from, invoicesOf(plan.undone));
  await updateMatched(em, payment, { isApplied: plan.undone.length + plan.made.length > 0 });
  payment.updatedAt = moment.now;
  await withholdUndone(em, moment, {
    was: { customer: from?.customer ?? null, currency: was.currency },
    is: { customer: to?.customer ?? null, currency: payment.currency },
    undone: plan.undone,
    made: plan.made,
  });
  const isDated = payment.date.getTime() !== was.date.getTime();
  const added = [...plan.made, ...(isDated ? plan.kept : [])];
  if (to && addsCredit(added)) await payOpenInvoices(em, to, { currency: payment.currency });
  const who = { moment, customer: to?.customer ?? null };
  const updated = { payment, charge, type: 'payment.updated', before, reason: change.reason } as const;
  const isReceived = whyNoReceipt(payment, charge?.status ?? null) === null;
  if (isReceived && !hadReceipt && !payment.receiptNumber) await recordReceived(em, who, [updated]);
  else recordPayment(em, who, updated);
  return payment;
}

/** Id of the new customer; undefined: unchanged. A payment without a customer gets the customer of the requested invoices. */
async function newCustomer(
  em: EntityManager,
  { caller, id, customerId }: PaymentChange,
  invoiceIds: readonly number[],
): Promise<number | null | undefined> {
  if (customerId !== undefined || invoiceIds.length === 0) return customerId;
  const accountId = caller.account.id;
  const parties = await partiesOf(em, { accountId, id });
  const isUnknown = parties?.customerId === null;
  return isUnknown ? ((await customerOf(em, { accountId, invoiceIds })) ?? undefined) : undefined;
}

/** Compares the request with the stored payment. Refuses inconsistent amounts and applications. */
function planOf(
  { fields: sent, applications }: PaymentChange,
  { payment, from, to, applied }: Pick<Plan, 'payment' | 'from' | 'to'> & { applied: PaymentApplication[] },
): Plan {
  const currency = sent.currency ?? payment.currency;
  const fields = { ...sent, date: newTime(sent.date, payment.date), amount: newAmount(payment, { ...sent, currency }) };
  const amount = roundMoney(fields.amount ?? payment.amount, currency);
  const moves = from !== to ? 'customer' : currency !== payment.currency ? 'currency' : null;
  if (applications) {
    checkApplications(applications, { currency, amount, customerId: to?.customer.id ?? null });
  } else if (applied.length > 0) {
    const total = sum(
      applied.map((application) => application.amount),
      payment.currency,
    );
    if (moves)
      throw new Refusal(
        'parameter_missing',
        `Payment is applied to invoices of its ${moves}: send applied_to as well`,
        moves,
      );
    if (compare(total, amount) > 0)
      throw new Refusal(
        'parameter_invalid',
        `Amount of ${amount} is less than the ${roundMoney(total, currency)} that are applied`,
        'amount',
      );
  }
  const wanted = applications && withParams(applications);
  const isKept = (one: PaymentApplication) => !wanted || (!moves && wanted.some((other) => isSame(one, other)));
  const kept = applied.filter(isKept);
  const made = (wanted ?? []).filter((one) => !kept.some((other) => isSame(other, one)));
  const cash = {
    was: cashOf(roundMoney(payment.amount, payment.currency), applied.map(asRequested), payment.currency),
    is: cashOf(amount, [...kept.map(asRequested), ...made], currency),
  };
  if (fields.amount === undefined && currency === payment.currency && compare(cash.was, cash.is) !== 0)
    throw new Refusal(
      'parameter_invalid',
      `This change spends other credit: ${cash.is} of ${amount} would be money instead of ${cash.was}. Send amount, too`,
      'amount',
    );
  return { payment, from, to, fields, kept, made, cash, undone: applied.filter((one) => !isKept(one)) };
}

function isSame(one: PaymentApplication, other: Application): boolean {
  const { type, amount, invoiceId, creditNoteId, estimateId } = asRequested(one);
  const isOfOne = type === other.type && invoiceId === other.invoiceId && estimateId === (other.estimateId ?? null);
  return isOfOne && creditNoteId === (other.creditNoteId ?? null) && compare(amount, other.amount) === 0;
}

/** The new amount with the decimals of its currency; undefined: unchanged. */
function newAmount(payment: Payment, sent: PaymentFields & { currency: string }): string | undefined {
  const { currency } = sent;
  const amount = exactAmount(sent.amount ?? payment.amount, currency, sent.amount ? 'amount' : 'currency');
  return compare(amount, payment.amount) === 0 ? undefined : amount;
}

/** Whether less money, or another currency, would have come in than was recorded: as if a part of the payment were deleted. */
function reducesMoney({ payment, fields, cash }: Plan): boolean {
  return (fields.currency ?? payment.currency) !== payment.currency || compare(cash.is, cash.was) < 0;
}

/** Refuses to change a voided payment, and the locked fields of a processed one. */
function checkPlan({ payment, from, to, fields, undone, kept, made, cash }: Plan): void {
  if (payment.voided) throw new Refusal('state_conflict', 'Payment is voided');
  refuseFeeChange({ undone, made }, payment.currency);
  const { charge } = payment;
  const refunds = payment.refunds.filter(({ status }) => status !== 'failed'); // those that were not undone
  if (!charge && refunds.length === 0) return;
  const { currency } = fields;
  const method = charge ? fields.method : undefined;
  const amount = compare(cash.was, cash.is) === 0 ? undefined : fields.amount;
  const kind = charge ? 'processed' : 'refunded';
  for (const [name, value] of Object.entries({ amount, currency, method })) {
    if (differs(payment, { [name]: value }))
      throw new Refusal('state_conflict', `The ${name} of a ${kind} payment cannot be changed`, name);
  }
  // Money of nobody known gets its customer, unless a bank took it back from nobody.
  const isFound = from === null && !charge && !refunds.some(({ returned }) => returned);
  if (from !== to && !isFound)
    throw new Refusal('state_conflict', `The customer of a ${kind} payment cannot be changed`, 'customer');
  const parts = [...kept.map(asRequested), ...made];
  const whole = sum(
    parts.map((part) => part.amount),
    payment.currency,
  );
  refuseRefundedMoney(payment, { applied: cashOf(whole, parts, payment.currency), money: cash.is });
  if (charge?.status === 'pending' && undone.length + made.length > 0)
    throw new Refusal('state_conflict', 'A pending payment can be applied only after it has succeeded', 'applied_to');
}

/** Refuses to move a payment to an anonymized customer, and to write notes or references of such a customer. */
function refusePersonalData({ payment, from, to, fields: { notes, reference } }: Plan): void {
  if (!to) return;
  if (from !== to) refuseAnonymous(to.customer, 'customer');
  for (const [name, value] of Object.entries({ notes, reference }))
    if (value && differs(payment, { [name]: value })) refuseAnonymous(to.customer, name);
}

/** Lets the invoices that a payment still pays follow its new date, which may be inside or outside the time of a discount. */
async function followDate(
  em: EntityManager,
  locked: LockedCustomer,
  { payment, kept, was }: Plan & { was: { date: Date } },
): Promise<void> {
  const ids = invoicesOf(kept);
  if (payment.date.getTime() === was.date.getTime() || ids.length === 0) return;
  const targets = await lockInvoices(em, locked, ids);
  for (const { invoice, moment } of targets) planDiscountReview(invoice, moment.now, payment.date);
  await replanInvoices(em, targets);
}

/**
 * Assigns the new values. If they change the ledger entries of the receipt, reverses and reposts these, and with a new date also the
 * entries of kept applications.
 */
function assignAndRepost(em: EntityManager, plan: Plan, now: Date): void {
  const { payment, from, to, fields, kept, cash } = plan;
  const { date, currency, amount } = fields;
  const isOther = from !== to || compare(cash.was, cash.is) !== 0 || differs(payment, { date, currency });
  const isPosted = payment.charge?.status !== 'pending';
  const repost = (how: 'reverse' | 'post') => {
    if (!isOther || !isPosted) return;
    if (how === 'post') postReceipt(em, { payment, cash: cash.is, how, now });
    for (const application of date ? kept : []) postApplication(em, { payment, application, how, postedAt: now });
    if (how === 'reverse') postReceipt(em, { payment, cash: cash.was, how, now });
  };
  repost('reverse');
  const used = subtract(payment.amount, payment.balance);
  assignChanges(payment, fields);
  if (amount !== undefined) payment.balance = roundMoney(subtract(amount, used), payment.currency);
  if (from !== to) payment.customer = to?.customer ?? null;
  repost('post');
}

/** Posts the ledger entries of a receipt, or of its reversal, at the payment's current date. */
function postReceipt(
  em: EntityManager,
  entry: { payment: Payment; cash: string; how: 'reverse' | 'post'; now: Date },
): void {
  const { payment, cash: amount, how, now } = entry;
  const { accountId, currency, id: paymentId, date: documentAt } = payment;
  const about = { customerId: payment.customer?.id ?? null, invoiceId: null, paymentId };
  const money = payment.charge ? ledger.clearing(payment.charge.gateway) : ledger.cash;
  const [debit, credit] = how === 'post' ? [money, ledger.unapplied] : [ledger.unapplied, money];
  post(em, { accountId, currency, reason: 'receipt', ...about, documentAt, postedAt: now }, [
    { debit, credit, amount },
  ]);
}
