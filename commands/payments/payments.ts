import { whyNoReceipt } from '../../billing/documents/receipt.ts';
import { exactAmount } from '../../billing/limits.ts';
import { add, amountText, compare, isZero, type Money, roundMoney } from '../../billing/money/money.ts';
import { cashOf } from '../../billing/payments/credit.ts';
import { Refusal } from '../../billing/refusal.ts';
import { Overtaken } from '../../db/failure.ts';
import { reserveIds } from '../../db/ids.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { descendantsAmong } from '../../db/queries/customers/tree.ts';
import { ownersOf, partiesOf } from '../../db/queries/invoices/paidParts.ts';
import type { Charge } from '../../db/schema/charge.ts';
import { Payment } from '../../db/schema/payment.ts';
import { switchOffAutopayOf } from '../customers/autopayOff.ts';
import { lockCustomers, lockPayer } from '../customers/parents.ts';
import { accountMoment, type Caller } from '../kernel/caller.ts';
import { type LockedCustomer, MergedCustomer, retryOnOwnerChange } from '../kernel/lockedCustomer.ts';
import { Missing } from '../kernel/missing.ts';
import {
  type Application,
  applicationsOf,
  asRequested,
  checkApplications,
  invoicesOf,
  withParams,
} from './applications.ts';
import { applyNewPayment, reverseApplications } from './credits.ts';
import { refuseFee } from './fees.ts';
import { planMatching, updateMatched } from './matching.ts';
import { paymentEventObject, recordPayment, recordReceived } from './paymentEvents.ts';
import { addReceipt } from './receipts.ts';
import { appliedMoney, type Payer, releaseRefundExpense } from './refunds.ts';
import { payOpenInvoices } from './spending.ts';
import { markVoided, postVoid } from './voiding.ts';
import { addsCredit, withholdUndone } from './withholding.ts';

export interface NewPayment {
  caller: Caller;
  /** Null: that of the invoices to which it is applied; without invoices, the customer is not known yet. */
  customerId: number | null;
  /** Null: now. */
  date: Date | null;
  method: string;
  /** Null: the customer's currency, else the account's. */
  currency: string | null;
  /** Decimal text: the money plus the credit applied with it. */
  amount: string;
  reference: string | null;
  achSenderId: string | null;
  source: string;
  notes: string | null;
  metadata: Record<string, string>;
  applications: Application[];
}

/**
 * Records a payment that was received outside the gateways, and applies it. Credit that it adds pays open invoices. Refuses what
 * `checkApplications` and `applyNewPayment` refuse.
 */
export async function createPayment(em: EntityManager, input: NewPayment, systemNow: Date): Promise<Payment> {
  const { caller } = input;
  const invoiceIds = input.applications.flatMap(({ invoiceId }) => invoiceId ?? []);
  const customerId = input.customerId ?? (await customerOf(em, { accountId: caller.account.id, invoiceIds }));
  const locked = customerId === null ? null : await lockPayer(em, { caller, customerId, invoiceIds }, systemNow);
  const moment = locked?.moment ?? accountMoment(caller, systemNow);
  const currency = input.currency ?? locked?.customer.currency ?? caller.account.currency;
  const amount = exactAmount(input.amount, currency, 'amount');
  checkApplications(input.applications, { currency, amount: input.amount, customerId });
  refuseFee(withParams(input.applications));
  const cash = cashOf(amount, input.applications, currency);
  const { payment: id } = await reserveIds(em, 'payment');
  const payment = addReceipt(em, moment, { ...input, id, currency, cash, customer: locked?.customer ?? null });
  if (locked) await applyNewPayment(em, locked, { payment, applications: withParams(input.applications) });
  await updateMatched(em, payment, { isApplied: input.applications.length > 0 });
  if (payment.matched) await planMatching(em, { moment, clockId: locked?.clockId ?? null }, [payment]);
  if (locked && addsCredit(input.applications)) {
    const owner = { customer: locked.customer, currency };
    await withholdUndone(em, moment, { was: owner, is: owner, undone: [], made: input.applications });
    await payOpenInvoices(em, locked, { currency });
  }
  const created = { payment, charge: null, type: 'payment.created' } as const;
  const who = { moment, customer: locked?.customer ?? null };
  if (whyNoReceipt(payment, null) === null) await recordReceived(em, who, [created]);
  else recordPayment(em, who, created);
  return payment;
}

/** The id of the customer whom invoices belong to, or null if there are none. Refuses invoices of several customers. */
export async function customerOf(
  em: EntityManager,
  { accountId, invoiceIds }: { accountId: number; invoiceIds: readonly number[] },
): Promise<number | null> {
  const [owner = null, ...others] = await ownersOf(em, { accountId, invoiceIds, besides: null });
  if (others.length === 0) return owner;
  throw new Refusal(
    'parameter_missing',
    'Customer missing: the invoices of applied_to belong to several customers',
    'customer',
  );
}

/**
 * Voids a payment and reverses its applications. Refuses a processed payment that is not fully refunded, and a payment whose added credit
 * has been spent. Throws Missing.
 */
export async function voidPayment(
  em: EntityManager,
  input: { caller: Caller; id: number },
  systemNow: Date,
): Promise<Payment> {
  const { payment, payer } = await lockPaymentOfPayer(em, input, systemNow);
  const { moment, customer } = payer;
  await em.populate(payment, ['charge']);
  const { charge = null } = payment;
  if (payment.voided) throw new Refusal('state_conflict', 'Payment is already voided');
  refuseUnlessRefunded(charge);
  const before = paymentEventObject(payer, payment, charge);
  const applications = await applicationsOf(em, payment);
  const cash = cashOf(roundMoney(payment.amount, payment.currency), applications.map(asRequested), payment.currency);
  const applied = appliedMoney(payment);
  const isRefunded = refuseHalfRefunded(payment, cash);
  if (payer.customer) await reverseApplications(em, payer, { payment, applications });
  const owner = { customer, currency: payment.currency };
  await withholdUndone(em, moment, { was: owner, is: owner, undone: applications, made: [] });
  // Refunded money has left the books with its refunds. AutoPay does not collect it again.
  if (charge || isRefunded) {
    releaseRefundExpense(em, moment, { payment, before: applied });
    if (payer.customer) await switchOffAutopayOf(em, payer, invoicesOf(applications));
  } else postVoid(em, moment, { payment, customerId: customer?.id ?? null, cash });
  markVoided(em, payer, { payment, charge, before });
  return payment;
}

/** Whether all money of a payment was refunded. Refuses one of which a part was. */
function refuseHalfRefunded({ id, charge, currency, refundedOwn, refundExpense }: Payment, cash: Money): boolean {
  const refunded = add(refundedOwn, refundExpense);
  if (charge || isZero(refunded)) return false;
  if (compare(refunded, cash) === 0) return true;
  const [part, whole] = [amountText(refunded, currency), amountText(cash, currency)];
  const message = `Of ${whole} of payment ${id}, ${part} were refunded: refund the rest, or delete its refunds, before it is voided`;
  throw new Refusal('state_conflict', message);
}

/** Refuses a charge of which money is left, or a refund is on its way. Null: there is no charge. */
function refuseUnlessRefunded(charge: Charge | null): void {
  if (!charge) return;
  if (compare(charge.amountRefunded, charge.amount) < 0)
    throw new Refusal('state_conflict', 'A processed payment must be fully refunded before it can be voided');
  if (charge.refunds.some(({ status }) => status === 'pending'))
    throw new Refusal(
      'state_conflict',
      'A refund of the payment is pending: it can be voided once the gateway has made the refund',
    );
}

interface LockedPayment {
  payment: Payment;
  /** The locked customers by id; among them the payment's current and new one. Each has the same family. */
  payers: ReadonlyMap<number | null, LockedCustomer>;
}

/**
 * Locks a payment with its customer, its new customer, and the customers whose invoices it pays or is to pay; these are the family of the
 * payer. Among the owners of invoices to pay, only descendants of the payer are locked. Throws Missing.
 */
export async function lockPayment(
  em: EntityManager,
  who: { caller: Caller; id: number; payerId: number | null; invoiceIds: readonly number[] },
  systemNow: Date,
): Promise<LockedPayment> {
  const { caller, id } = who;
  const accountId = caller.account.id;
  const { owners, locked } = await retryOnOwnerChange(() => lockParties(em, who, systemNow)).catch((error) => {
    throw error instanceof MergedCustomer && who.payerId !== null
      ? new Refusal('state_conflict', error.message, 'customer')
      : error;
  });
  const payment = await lockRow(em, Payment, { accountId, id });
  if (!payment) throw new Missing('Payment', id);
  const customerId = payment.customer?.id ?? null;
  // Customers are locked before payments: the transaction starts again when the payment has got a customer meanwhile.
  if (customerId !== null && !locked.has(customerId))
    throw new Overtaken(`Payment ${id} has got customer ${customerId}`);
  const family = new Map([...locked].filter(([other]) => owners.has(other)));
  return { payment, payers: new Map([...locked].map(([payerId, one]) => [payerId, { ...one, family }])) };
}

/** Locks a payment with its payer, and with the customers whose invoices it pays. Throws Missing. */
export async function lockPaymentOfPayer(
  em: EntityManager,
  { caller, id }: { caller: Caller; id: number },
  systemNow: Date,
): Promise<{ payment: Payment; payer: Payer }> {
  const { payment, payers } = await lockPayment(em, { caller, id, payerId: null, invoiceIds: [] }, systemNow);
  const known = payers.get(payment.customer?.id ?? null);
  return { payment, payer: known ?? { moment: accountMoment(caller, systemNow), customer: null } };
}

async function lockParties(
  em: EntityManager,
  who: { caller: Caller; id: number; payerId: number | null; invoiceIds: readonly number[] },
  systemNow: Date,
): Promise<{ owners: Set<number>; locked: Map<number, LockedCustomer> }> {
  const { caller, id, payerId, invoiceIds } = who;
  const accountId = caller.account.id;
  const parties = await partiesOf(em, { accountId, id });
  if (!parties) throw new Missing('Payment', id);
  const payer = payerId ?? parties.customerId;
  const others = payer === null ? [] : await ownersOf(em, { accountId, invoiceIds, besides: payer });
  const below = payer === null ? [] : await descendantsAmong(em, { accountId, id: payer, among: others });
  const owners = new Set([...parties.owners, ...below]);
  const ids = [parties.customerId, payerId].flatMap((customerId) => customerId ?? []);
  const locked = await lockCustomers(em, { caller, ids: [...ids, ...owners] }, systemNow).catch((error) => {
    throw error instanceof Missing ? new Refusal('resource_missing', error.message, 'customer') : error;
  });
  return { owners, locked };
}
