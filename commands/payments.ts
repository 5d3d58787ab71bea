import { cashOf } from '../billing/credit.ts';
import { exactAmount } from '../billing/limits.ts';
import { roundMoney } from '../billing/money.ts';
import { Refusal } from '../billing/refusal.ts';
import { reserveIds } from '../db/ids.ts';
import { customerIdOf, lockRow } from '../db/lock.ts';
import type { EntityManager } from '../db/orm.ts';
import type { Charge } from '../db/schema/charge.ts';
import type { Customer } from '../db/schema/customer.ts';
import { Payment } from '../db/schema/payment.ts';
import { presentCustomer } from '../present/customer.ts';
import { presentPayment } from '../present/payment.ts';
import type { Caller } from './caller.ts';
import { Missing } from './missing.ts';
import { accountMoment, type CustomerMoment, lockMoment } from './moment.ts';
import { type Application, applicationsOf, checkApplications, named } from './paymentApplications.ts';
import { applyNew, takeOff } from './paymentCredits.ts';
import { ledger, post } from './posting.ts';
import { type Moment, record } from './record.ts';

export interface NewPayment {
  caller: Caller;
  /** Null: its origin is not known yet. */
  customerId: number | null;
  date: Date | null;
  method: string;
  currency: string | null;
  amount: string;
  reference: string | null;
  achSenderId: string | null;
  source: string;
  notes: string | null;
  metadata: Record<string, string>;
  applications: Application[];
}

/** Records money that arrived by other ways, and applies it. Refuses more applied than paid or than is owed. */
export async function createPayment(em: EntityManager, input: NewPayment, systemNow: Date): Promise<Payment> {
  const { caller, customerId } = input;
  const at = customerId === null ? null : await lockPayer(em, { caller, customerId }, systemNow);
  const moment = at?.moment ?? accountMoment(caller, systemNow);
  const currency = input.currency ?? at?.customer.currency ?? caller.account.currency;
  const amount = exactAmount(input.amount, currency, 'amount');
  checkApplications(input.applications, { currency, amount: input.amount, customerId });
  const cash = cashOf(amount, input.applications, currency);
  const payment = await writeReceipt(em, moment, { ...input, currency, cash, customer: at?.customer ?? null });
  if (at) await applyNew(em, at, { payment, applications: named(input.applications) });
  recordPayment(em, { moment, customer: at?.customer ?? null }, { payment, charge: null, type: 'payment.created' });
  return payment;
}

/** Locks the customer that a payment is to have. Refuses one that the account does not have. */
export async function lockPayer(
  em: EntityManager,
  who: { caller: Caller; customerId: number },
  systemNow: Date,
): Promise<CustomerMoment> {
  return lockMoment(em, who, systemNow).catch((error) => {
    throw error instanceof Missing ? new Refusal(error.message, 'customer') : error;
  });
}

async function writeReceipt(
  em: EntityManager,
  moment: Moment,
  input: Omit<NewPayment, 'currency'> & { currency: string; cash: string; customer: Customer | null },
): Promise<Payment> {
  const accountId = moment.caller.account.id;
  const { payment: id } = await reserveIds(em, 'payment');
  const { customer, currency, amount, method, reference, achSenderId, source, notes, metadata } = input;
  const payment = em.create(Payment, {
    ...{ accountId, id, customer, currency, amount, method, reference, achSenderId, source, notes, metadata },
    date: input.date ?? moment.now,
    balance: amount,
    voided: false,
    createdAt: moment.now,
    updatedAt: moment.now,
  });
  const about = { customerId: customer?.id ?? null, invoiceId: null, paymentId: id };
  const dates = { documentAt: payment.date, postedAt: moment.now };
  post(em, { accountId, currency, reason: 'receipt', ...about, ...dates }, [
    { debit: ledger.cash, credit: ledger.unapplied, amount: input.cash },
  ]);
  return payment;
}

/**
 * Voids a payment and takes it off its invoices. Refuses a processed one: its money has to be refunded first; and one whose credit
 * was spent meanwhile.
 */
export async function voidPayment(
  em: EntityManager,
  input: { caller: Caller; id: number },
  systemNow: Date,
): Promise<Payment> {
  const { caller, id } = input;
  const accountId = caller.account.id;
  const { payment, payers } = await lockPayment(em, { caller, id, payerIds: [] }, systemNow);
  const customerId = payment.customer?.id ?? null;
  const at = payers.get(customerId) ?? null;
  const moment = at?.moment ?? accountMoment(caller, systemNow);
  if (payment.charge) throw new Refusal('A processed payment must be fully refunded before it can be voided');
  if (payment.voided) throw new Refusal('Payment is already voided');
  const who = { moment, customer: at?.customer ?? null };
  const before = paymentForEvent(who, payment, null);
  const applications = await applicationsOf(em, payment);
  const cash = cashOf(roundMoney(payment.amount, payment.currency), applications, payment.currency);
  if (at) await takeOff(em, at, { payment, applications });
  const about = { customerId, invoiceId: null, paymentId: id };
  const dates = { documentAt: payment.date, postedAt: moment.now };
  post(em, { accountId, currency: payment.currency, reason: 'void_payment', ...about, ...dates }, [
    { debit: ledger.unapplied, credit: ledger.cash, amount: cash },
  ]);
  Object.assign(payment, { voided: true, balance: '0', updatedAt: moment.now });
  recordPayment(em, who, { payment, charge: null, type: 'payment.deleted', before });
  return payment;
}

interface LockedPayment {
  payment: Payment;
  /** By id: its customer and those that were asked for, locked. */
  payers: ReadonlyMap<number | null, CustomerMoment>;
}

/** Locks a payment behind its customer and others, in id order. Throws Missing. */
export async function lockPayment(
  em: EntityManager,
  who: { caller: Caller; id: number; payerIds: readonly number[] },
  systemNow: Date,
): Promise<LockedPayment> {
  const { caller, id } = who;
  const accountId = caller.account.id;
  if ((await em.count(Payment, { accountId, id })) === 0) throw new Missing('Payment', id);
  const known = await customerIdOf(em, 'payment', { accountId, id });
  const payers = new Map<number | null, CustomerMoment>();
  const lock = async (customerId: number) =>
    payers.set(customerId, await lockPayer(em, { caller, customerId }, systemNow));
  const ids = new Set(known === null ? who.payerIds : [known, ...who.payerIds]);
  for (const customerId of [...ids].sort((a, b) => a - b)) await lock(customerId);
  const payment = await lockRow(em, Payment, { accountId, id });
  if (!payment) throw new Missing('Payment', id);
  const customerId = payment.customer?.id ?? null;
  if (customerId !== null && !payers.has(customerId)) await lock(customerId); // it was given one meanwhile; a deadlock is run again
  return { payment, payers };
}

interface PaymentContext {
  moment: Moment;
  customer: Customer | null;
}

/** A payment as events carry it: the customer in full. */
export function paymentForEvent(at: Pick<PaymentContext, 'customer'>, payment: Payment, charge: Charge | null) {
  const customer = at.customer ? presentCustomer(at.customer, at.customer.defaultSource ?? null) : null;
  return { ...presentPayment(payment, charge), customer };
}

export function recordPayment(
  em: EntityManager,
  at: PaymentContext,
  change: {
    payment: Payment;
    charge: Charge | null;
    type: 'payment.created' | 'payment.updated' | 'payment.deleted';
    before?: ReturnType<typeof paymentForEvent>;
  },
): void {
  const { payment, charge, type, before } = change;
  const subject = { type: 'payment', id: payment.id, row: payment };
  const object = paymentForEvent(at, payment, charge);
  record(em, at.moment, { type, subject, object, ...(before ? { before } : {}) });
}
