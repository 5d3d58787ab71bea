import { invoiceStatuses } from '../../../billing/documents/invoice.ts';
import type { Presented } from '../../../billing/json.ts';
import type { Caller } from '../../../commands/kernel/caller.ts';
import { type Reading, readingOf } from '../../../db/queries/kernel/reading.ts';
import { Invoice } from '../../../db/schema/invoice.ts';
import type { Payment } from '../../../db/schema/payment.ts';
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
  customer: shown.id('Id of its customer', 15),
  currency: shown.currency(),
  balance_before: shown.money('What it owes now', 240),
  balance: shown.money('What it would owe', 0),
  status_before: shown.oneOf('Its status now', 'sent', invoiceStatuses),
  status: shown.oneOf('Its status then', 'paid', invoiceStatuses),
});

const foreseen = shown.value('PaymentDryRun', 'Payment as the request would leave it; nothing is stored', {
  payment: shown.one(foreseenPayment, 'Payment as the request would leave it'),
  invoices: shown.listOf(paid, 'Invoices that it pays or paid, before and after'),
});

interface Asked {
  caller: Caller;
  id?: number;
  body: unknown;
}

/** The dry run of routes that record, change or void a payment: the payment, and what its invoices would owe. */
export const paymentDryRun: DryRun<Asked, Payment> = {
  kind: { shape: foreseen },
  isCounted: false,
  answer: async (em, { input, change }) => {
    const { caller, id = null, body } = input;
    const reading = readingOf(em, caller.account.id);
    const paidBefore = id === null ? [] : await invoicesOf(reading, id);
    const touched = [...new Set([...paidBefore, ...namedIn(body)])];
    const before = await reading.byId(Invoice, touched);
    const { result: made } = await change();
    const applied = await applicationsOf(reading, made.id);
    const after = await reading.byId(Invoice, touched);
    const ofNew = id === null ? { id: null, receipt_number: null, pdf_url: null } : {};
    return {
      payment: {
        ...presentPayment(made, made.charge ?? null),
        ...ofNew,
        applied_to: presentApplications(applied).map((one) => ({ ...one, id: id === null ? null : (one.id ?? null) })),
      },
      invoices: touched.flatMap((invoiceId): Presented[] => {
        const [was, is] = [before.get(invoiceId), after.get(invoiceId)];
        if (!was || !is) return [];
        return [
          {
            id: invoiceId,
            number: orNull(is.number),
            customer: is.customer.id,
            currency: is.currency,
            balance_before: number(was.balance),
            balance: number(is.balance),
            status_before: was.status,
            status: is.status,
          },
        ];
      }),
    };
  },
};

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
