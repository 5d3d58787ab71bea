import { exactAmount } from '../billing/limits.ts';
import { compare, sum } from '../billing/money.ts';
import { Refusal } from '../billing/refusal.ts';
import { brokenUnique } from '../db/failure.ts';
import type { EntityManager } from '../db/orm.ts';
import type { Attempt } from '../db/schema/attempt.ts';
import { AttemptInvoice } from '../db/schema/attemptInvoice.ts';
import type { Invoice } from '../db/schema/invoice.ts';
import { PaymentSource } from '../db/schema/paymentSource.ts';
import type { Caller } from './caller.ts';
import { type InvoiceMoment, lockInvoice, lockInvoices } from './invoiceMoment.ts';
import { Missing } from './missing.ts';
import { type CustomerMoment, lockMoment } from './moment.ts';
import { type AttemptTiming, type NewAttempt, writeAttempt } from './newAttempt.ts';

export interface NewCharge extends AttemptTiming {
  caller: Caller;
  customerId: number;
  method: 'credit_card' | 'ach';
  currency: string;
  amount: string;
  applications: { invoiceId: number; amount: string }[];
  instrument: { sourceId: number; type: 'card' | 'bank_account' } | { sealedToken: string; gateway: string };
  vault: boolean;
  makeDefault: boolean;
  receiptEmail: string | null;
}

/**
 * First of the three steps of a charge: the attempt, committed before any gateway is asked. Refuses what could not be recorded
 * afterwards, and an invoice whose other charge has no outcome yet.
 */
export async function startCharge(em: EntityManager, input: NewCharge, systemNow: Date): Promise<Attempt> {
  const at = await lockMoment(em, input, systemNow).catch((error) => {
    throw error instanceof Missing ? new Refusal(error.message, 'customer') : error;
  });
  exactAmount(input.amount, input.currency, 'amount');
  const applied = sum(
    input.applications.map(({ amount }, index) => exactAmount(amount, input.currency, `applied_to[${index}][amount]`)),
    input.currency,
  );
  if (compare(applied, input.amount) > 0) {
    throw new Refusal(`Applications of ${applied} exceed the amount of ${input.amount}`, 'applied_to');
  }
  const ids = input.applications.map((application) => application.invoiceId);
  if (new Set(ids).size !== ids.length) throw new Refusal('An invoice is named twice', 'applied_to');
  const invoices = (await lockInvoices(em, at, ids)).map((target) => target.invoice);
  const planned = input.applications.map(({ invoiceId, amount }, index) => {
    const invoice = invoices.find((candidate) => candidate.id === invoiceId);
    checkCollectable(at, invoice, { amount, currency: input.currency, id: invoiceId, param: `applied_to[${index}]` });
    return { invoice, amount };
  });
  const stored = 'sourceId' in input.instrument ? await usableSource(em, at, input.instrument) : null;
  if (stored && methodOf(stored) !== input.method)
    throw new Refusal(`Method of this payment source is ${methodOf(stored)}`, 'method');
  const { instrument } = input;
  return writeCharge(em, at, {
    ...input,
    origin: 'api',
    source: stored,
    sealedToken: 'sealedToken' in instrument ? instrument.sealedToken : null,
    gateway: 'sealedToken' in instrument ? instrument.gateway : (stored?.gateway ?? ''),
    planned,
  });
}

/** The attempt that collection makes by itself: the whole balance from the customer's default source. */
export function startAutomaticCharge(em: EntityManager, at: InvoiceMoment, timing: AttemptTiming): Promise<Attempt> {
  return chargeBalance(em, at, { ...timing, origin: 'autopay' });
}

/** Collects an invoice now, by request. Refuses without AutoPay or a source, or with nothing left to collect. */
export async function startPay(
  em: EntityManager,
  input: { caller: Caller; id: number } & AttemptTiming,
  systemNow: Date,
): Promise<Attempt> {
  const at = await lockInvoice(em, input, systemNow);
  const { invoice } = at;
  if (!invoice.autopay) throw new Refusal('Invoice is not on AutoPay');
  if (!at.customer.defaultSource?.chargeable) throw new Refusal('Customer has no payment source');
  checkCollectable(at, invoice, { amount: invoice.balance, currency: invoice.currency, id: invoice.id, param: null });
  return chargeBalance(em, at, { lookUpDelay: input.lookUpDelay, origin: 'pay' });
}

function chargeBalance(
  em: EntityManager,
  at: InvoiceMoment,
  how: AttemptTiming & { origin: 'autopay' | 'pay' },
): Promise<Attempt> {
  const { invoice, customer } = at;
  const source = customer.defaultSource;
  if (!source) throw new Refusal('Customer has no payment source');
  return writeCharge(em, at, {
    ...how,
    method: methodOf(source),
    currency: invoice.currency,
    amount: invoice.balance,
    source,
    gateway: source.gateway,
    planned: [{ invoice, amount: invoice.balance }],
  });
}

function methodOf(source: PaymentSource): 'credit_card' | 'ach' {
  return source.type === 'card' ? 'credit_card' : 'ach';
}

interface PlannedCharge extends Omit<NewAttempt, 'kind'> {
  planned: { invoice: Invoice; amount: string }[];
}

/** The attempt and what it is to pay; the database refuses an invoice that another attempt holds. */
async function writeCharge(em: EntityManager, at: CustomerMoment, plan: PlannedCharge): Promise<Attempt> {
  const receiptEmail = plan.receiptEmail ?? at.customer.email ?? null;
  const attempt = await writeAttempt(em, at, { ...plan, kind: 'charge', receiptEmail });
  const { accountId } = attempt;
  for (const { invoice, amount } of plan.planned) {
    em.create(AttemptInvoice, { accountId, attempt, invoice, amount, undecided: true });
  }
  try {
    await em.flush();
  } catch (error) {
    if (brokenUnique(error) !== 'attempt_invoice_undecided') throw error;
    throw new Refusal('Another charge of this invoice is under way', 'applied_to');
  }
  return attempt;
}

interface Wanted {
  id: number;
  amount: string;
  currency: string;
  /** The application as the request names it, `applied_to[0]`; null: it names none. */
  param: string | null;
}

/** Refuses what may not be paid: unknown, another customer's, another currency, over, or more than is owed. */
export function checkCollectable(
  at: CustomerMoment,
  invoice: Invoice | undefined,
  wanted: Wanted,
): asserts invoice is Invoice {
  const refuse = (message: string, field = 'invoice'): never => {
    throw new Refusal(message, wanted.param === null ? undefined : `${wanted.param}[${field}]`);
  };
  if (!invoice || invoice.customer.id !== at.customer.id) return refuse(`Invoice was not found: ${wanted.id}`);
  if (invoice.currency !== wanted.currency)
    return refuse(`Invoice ${invoice.number} is in ${invoice.currency}, not ${wanted.currency}`);
  if (invoice.status === 'voided') return refuse(`Invoice ${invoice.number} is voided`);
  if (invoice.paid || invoice.closed) return refuse(`Invoice ${invoice.number} is ${invoice.paid ? 'paid' : 'closed'}`);
  if (compare(wanted.amount, invoice.balance) > 0) {
    return refuse(
      `Invoice ${invoice.number} has a balance of ${invoice.balance}, less than ${wanted.amount}`,
      'amount',
    );
  }
}

async function usableSource(
  em: EntityManager,
  at: CustomerMoment,
  wanted: { sourceId: number; type: 'card' | 'bank_account' },
): Promise<PaymentSource> {
  const { accountId, id: customerId } = at.customer;
  const source = await em.findOne(PaymentSource, {
    accountId,
    id: wanted.sourceId,
    type: wanted.type,
    deletedAt: null,
  });
  if (!source || source.customer.id !== customerId) {
    throw new Refusal(`Payment source was not found: ${wanted.sourceId}`, 'payment_source_id');
  }
  if (!source.chargeable)
    throw new Refusal(`Payment source ${source.id} can no longer be charged`, 'payment_source_id');
  return source;
}
