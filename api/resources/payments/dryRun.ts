import { invoiceStatuses } from '../../../billing/documents/invoice.ts';
import type { Presented } from '../../../billing/json.ts';
import type { Caller } from '../../../commands/kernel/caller.ts';
import type { EntityManager } from '../../../db/orm.ts';
import type { Plain } from '../../../db/queries/kernel/plain.ts';
import { type Reading, readingOf } from '../../../db/queries/kernel/reading.ts';
import { Invoice } from '../../../db/schema/invoice.ts';
import { Payment } from '../../../db/schema/payment.ts';
import { PaymentApplication } from '../../../db/schema/paymentApplication.ts';
import { number, orNull } from '../../../present/kernel/values.ts';
import { presentApplications, presentPayment } from '../../../present/payments/payment.ts';
import * as shown from '../../framework/shape.ts';
import type { DryRun } from '../../writing/dryRun.ts';
import { paymentApplication, paymentItself } from './resource.ts';

const noId = { id: shown.unset(shown.id('Id; null: it does not exist yet', 12)) };

const application = shown.extended(paymentApplication, 'ForeseenApplication', noId);

const foreseenPayment = shown.extended(paymentItself, 'ForeseenPayment', {
  ...noId,
  applied_to: shown.listOf(application, 'Applications of the payment'),
});

const paid = shown.value('ForeseenInvoice', 'Invoice before and after a change of a payment', {
  id: shown.id('Id of the invoice', 77),
  number: shown.nullable(shown.text('Number of the invoice', 'INV-00077')),
  customer: shown.id('Id of the customer of the invoice', 15),
  currency: shown.currency(),
  balance_before: shown.money('Open balance now', 240),
  balance: shown.money('Open balance after the change', 0),
  status_before: shown.oneOf('Status now', 'sent', invoiceStatuses),
  status: shown.oneOf('Status after the change', 'paid', invoiceStatuses),
});

const foreseen = shown.value('PaymentDryRun', 'Payment as the request would leave it; nothing is stored', {
  payment: shown.nullable(
    shown.one(foreseenPayment, 'Payment as the request would leave it; null: the request is about no payment'),
  ),
  invoices: shown.listOf(paid, 'Invoices that it pays or paid, before and after'),
});

interface Asked {
  caller: Caller;
  /** Id of the payment that is changed; null: the payment is new, or there is none. */
  id: number | null;
  /** Ids of further invoices that may be paid. */
  named: readonly number[];
}

/** The dry run of routes that record, change or void a payment: the payment, and what its invoices would owe. */
export const paymentDryRun: DryRun<{ caller: Caller; id?: number; body: unknown }, Payment> = {
  kind: { shape: foreseen },
  isCounted: false,
  answer: (em, { input: { caller, id = null, body }, change }) =>
    foresee(em, { caller, id, named: namedIn(body) }, async () => (await change()).result),
};

/** The dry run of a refund that is recorded. Of credit that is paid out, there is no payment. */
export const refundDryRun: DryRun<{ caller: Caller; body: { payment?: number | null | undefined } }, unknown> = {
  kind: { shape: foreseen },
  isCounted: false,
  answer: (em, { input: { caller, body }, change }) => {
    const id = body.payment ?? null;
    return foresee(em, { caller, id, named: [] }, async () => {
      await change();
      return id === null ? null : em.findOneOrFail(Payment, { accountId: caller.account.id, id });
    });
  },
};

/** Makes a change, and tells what it would leave of a payment and its invoices. */
async function foresee(
  em: EntityManager,
  { caller, id, named }: Asked,
  change: () => Promise<Payment | null>,
): Promise<Presented> {
  const reading = readingOf(em, caller.account.id);
  const paidBefore = id === null ? [] : await invoicesOf(reading, id);
  const touched = [...new Set([...paidBefore, ...named])];
  const before = await reading.byId(Invoice, touched);
  const made = await change();
  const after = await reading.byId(Invoice, touched);
  return {
    payment: made && presentForeseen(made, await applicationsOf(reading, made.id), id === null),
    invoices: touched.flatMap((invoiceId) => {
      const [was, is] = [before.get(invoiceId), after.get(invoiceId)];
      return was && is ? [presentChange(was, is)] : [];
    }),
  };
}

function presentForeseen(made: Payment, applied: readonly Plain<PaymentApplication>[], isNew: boolean): Presented {
  const shownPayment = presentPayment(made, made.charge ?? null);
  const applied_to = presentApplications(applied);
  if (!isNew) return { ...shownPayment, applied_to };
  const withoutId = applied_to.map((one) => ({ ...one, id: null }));
  return { ...shownPayment, id: null, receipt_number: null, pdf_url: null, applied_to: withoutId };
}

function presentChange(was: Plain<Invoice>, is: Plain<Invoice>): Presented {
  return {
    id: is.id,
    number: orNull(is.number),
    customer: is.customer.id,
    currency: is.currency,
    balance_before: number(was.balance),
    balance: number(is.balance),
    status_before: was.status,
    status: is.status,
  };
}

async function applicationsOf(reading: Reading, id: number) {
  const found = await reading.children(PaymentApplication, { column: 'payment_id', ids: [id], orderBy: 'id' });
  return found.get(id) ?? [];
}

async function invoicesOf(reading: Reading, id: number): Promise<number[]> {
  return (await applicationsOf(reading, id)).flatMap(({ invoice }) => invoice?.id ?? []);
}

/** Ids of the invoices in `applied_to` of a body. */
function namedIn(body: unknown): number[] {
  if (typeof body !== 'object' || body === null || !('applied_to' in body)) return [];
  const applied: unknown[] = Array.isArray(body.applied_to) ? body.applied_to : [];
  return applied.flatMap((one) => {
    const invoice = typeof one === 'object' && one !== null && 'invoiceId' in one ? one.invoiceId : null;
    return typeof invoice === 'number' ? [invoice] : [];
  });
}
