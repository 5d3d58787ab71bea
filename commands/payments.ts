import { exactAmount } from '../billing/limits.ts';
import { compare, sum } from '../billing/money.ts';
import { Refusal } from '../billing/refusal.ts';
import { reserveIds } from '../db/ids.ts';
import { customerIdOf, lockRow } from '../db/lock.ts';
import type { EntityManager } from '../db/orm.ts';
import type { Charge } from '../db/schema/charge.ts';
import type { Customer } from '../db/schema/customer.ts';
import { Payment } from '../db/schema/payment.ts';
import { PaymentApplication } from '../db/schema/paymentApplication.ts';
import { presentCustomer } from '../present/customer.ts';
import { presentPayment } from '../present/payment.ts';
import { applyPayment, unapplyPayment } from './applying.ts';
import type { Caller } from './caller.ts';
import { checkCollectable } from './charges.ts';
import { lockInvoices } from './invoiceMoment.ts';
import { Missing } from './missing.ts';
import { accountMoment, type CustomerMoment, lockMoment } from './moment.ts';
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
  applications: { invoiceId: number; amount: string }[];
}

/** Records money that arrived by other ways, and applies it. Refuses more applied than paid or than is owed. */
export async function createPayment(em: EntityManager, input: NewPayment, systemNow: Date): Promise<Payment> {
  const { caller, customerId } = input;
  const at = customerId === null ? null : await lockPayer(em, { caller, customerId }, systemNow);
  const moment = at?.moment ?? accountMoment(caller, systemNow);
  const currency = input.currency ?? at?.customer.currency ?? caller.account.currency;
  exactAmount(input.amount, currency, 'amount');
  const applied = sum(
    input.applications.map(({ amount }, index) => exactAmount(amount, currency, `applied_to[${index}][amount]`)),
    currency,
  );
  if (compare(applied, input.amount) > 0) {
    throw new Refusal(`Applications of ${applied} exceed the amount of ${input.amount}`, 'applied_to');
  }
  if (!at && input.applications.length > 0)
    throw new Refusal('A payment without a customer cannot be applied', 'applied_to');
  const payment = await writeReceipt(em, moment, { ...input, currency, customer: at?.customer ?? null });
  if (at) await applyAll(em, at, { payment, applications: input.applications });
  recordPayment(em, { moment, customer: at?.customer ?? null }, { payment, charge: null, type: 'payment.created' });
  return payment;
}

async function lockPayer(
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
  input: Omit<NewPayment, 'currency'> & { currency: string; customer: Customer | null },
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
    { debit: ledger.cash, credit: ledger.unapplied, amount },
  ]);
  return payment;
}

async function applyAll(
  em: EntityManager,
  at: CustomerMoment,
  what: { payment: Payment; applications: NewPayment['applications'] },
): Promise<void> {
  const { payment, applications } = what;
  const ids = applications.map((application) => application.invoiceId);
  if (new Set(ids).size !== ids.length) throw new Refusal('An invoice is named twice', 'applied_to');
  const targets = await lockInvoices(em, at, ids);
  for (const [index, { invoiceId, amount }] of applications.entries()) {
    const target = targets.find((candidate) => candidate.invoice.id === invoiceId);
    const wanted = { id: invoiceId, amount, currency: payment.currency, param: `applied_to[${index}]` };
    checkCollectable(at, target?.invoice, wanted);
    if (target) await applyPayment(em, target, { payment, amount });
  }
}

/** Voids a payment and takes it off its invoices. Refuses a processed one: its money has to be refunded first. */
export async function voidPayment(
  em: EntityManager,
  input: { caller: Caller; id: number },
  systemNow: Date,
): Promise<Payment> {
  const { caller, id } = input;
  const accountId = caller.account.id;
  const exists = await em.count(Payment, { accountId, id });
  if (exists === 0) throw new Missing('Payment', id);
  const customerId = await customerIdOf(em, 'payment', { accountId, id });
  const at = customerId === null ? null : await lockMoment(em, { caller, customerId }, systemNow);
  const moment = at?.moment ?? accountMoment(caller, systemNow);
  const payment = await lockRow(em, Payment, { accountId, id });
  if (!payment) throw new Missing('Payment', id);
  if (payment.charge) throw new Refusal('A processed payment must be fully refunded before it can be voided');
  if (payment.voided) throw new Refusal('Payment is already voided');
  const who = { moment, customer: at?.customer ?? null };
  const before = paymentForEvent(who, payment, null);
  if (at) await unapplyAll(em, at, payment);
  const about = { customerId, invoiceId: null, paymentId: id };
  const dates = { documentAt: payment.date, postedAt: moment.now };
  post(em, { accountId, currency: payment.currency, reason: 'void_payment', ...about, ...dates }, [
    { debit: ledger.unapplied, credit: ledger.cash, amount: payment.amount },
  ]);
  Object.assign(payment, { voided: true, balance: '0', updatedAt: moment.now });
  recordPayment(em, who, { payment, charge: null, type: 'payment.deleted', before });
  return payment;
}

async function unapplyAll(em: EntityManager, at: CustomerMoment, payment: Payment): Promise<void> {
  const { accountId } = payment;
  const applications = await em.find(PaymentApplication, { accountId, payment }, { orderBy: { id: 'asc' } });
  const ids = applications.map((application) => application.invoice.id);
  const targets = await lockInvoices(em, at, ids);
  for (const application of applications) {
    const target = targets.find((candidate) => candidate.invoice.id === application.invoice.id);
    if (target) await unapplyPayment(em, target, { payment, application });
  }
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
