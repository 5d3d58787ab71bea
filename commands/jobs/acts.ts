import type { BulkAction, BulkList, BulkParameters } from '../../billing/jobs/bulk.ts';
import { add, compare } from '../../billing/money/money.ts';
import type { EntityManager } from '../../db/orm.ts';
import { lockInvoice } from '../aggregates/invoice.ts';
import { sendCreditNote } from '../creditNotes/sending.ts';
import { voidCreditNote } from '../creditNotes/voiding.ts';
import { updateCustomer } from '../customers/customers.ts';
import { sendEstimate } from '../estimates/sending.ts';
import { voidEstimate } from '../estimates/voiding.ts';
import { updateInvoice } from '../invoices/changes.ts';
import { sendInvoice } from '../invoices/sending.ts';
import { writeOffOfInvoice } from '../invoices/writeOffs.ts';
import type { Caller } from '../kernel/caller.ts';
import type { Sending } from '../mail/sending.ts';
import type { AskedStatement } from '../statements/reading.ts';
import { sendStatement } from '../statements/sending.ts';
import { voidInvoiceWithUsage } from '../subscriptions/usage/correcting.ts';

/** One object of an act. */
interface Target {
  caller: Caller;
  id: number;
  parameters: BulkParameters;
}

/** What an act does to one object, by the command of the route that does the same. */
export interface Act {
  /** `operationId` of that route, for the audit log. */
  operation: string;
  /** Type of the object. */
  type: string;
  run(em: EntityManager, target: Target, systemNow: Date): Promise<unknown>;
}

const sendingOf = ({ template = null, subject = null, message = null }: BulkParameters): Sending => {
  return { to: null, bcc: [], template, subject, message };
};

const timeOf = (seconds: number | null | undefined): Date | null => (seconds == null ? null : new Date(seconds * 1000));

const askedOf = ({ type = null, items = null, currency = null, start, end }: BulkParameters): AskedStatement => {
  return { type, items, currency, start: timeOf(start), end: timeOf(end) };
};

/** Writes off all that an invoice owes: one on which nothing was paid is closed. */
async function writeOffWhole(em: EntityManager, { caller, id, parameters }: Target, systemNow: Date): Promise<unknown> {
  const { invoice } = await lockInvoice(em, { caller, id }, systemNow);
  const isUnpaid = compare(add(invoice.balance, invoice.writtenOff), invoice.total) === 0;
  const content = { lines: undefined, discounts: undefined, taxes: undefined };
  if (invoice.issuedAt && !invoice.closed && isUnpaid)
    return updateInvoice(
      em,
      { caller, id, isClosed: true, closingReason: parameters.reason ?? undefined, fields: {}, content },
      systemNow,
    );
  const part = { amount: invoice.balance, reason: parameters.reason ?? '' };
  return writeOffOfInvoice(em, { caller, id, ...part }, systemNow);
}

/** Acts by action and list. A file of a list is no act: it changes nothing. */
export const acts: Readonly<Record<Exclude<BulkAction, 'csv'>, Readonly<Partial<Record<BulkList, Act>>>>> = {
  send: {
    invoices: {
      operation: 'sendInvoice',
      type: 'invoice',
      run: (em, { parameters, ...key }, now) => sendInvoice(em, { ...key, sending: sendingOf(parameters) }, now),
    },
    estimates: {
      operation: 'sendEstimate',
      type: 'estimate',
      run: (em, { parameters, ...key }, now) => sendEstimate(em, { ...key, sending: sendingOf(parameters) }, now),
    },
    credit_notes: {
      operation: 'sendCreditNote',
      type: 'credit_note',
      run: (em, { parameters, ...key }, now) => sendCreditNote(em, { ...key, sending: sendingOf(parameters) }, now),
    },
  },
  remind: {
    invoices: {
      operation: 'sendInvoice',
      type: 'invoice',
      run: (em, { parameters, ...key }, now) => {
        const sending = sendingOf({ ...parameters, template: 'unpaid_invoice_email' });
        return sendInvoice(em, { ...key, sending, isReminder: true }, now);
      },
    },
  },
  assign: {
    customers: {
      operation: 'updateCustomer',
      type: 'customer',
      run: (em, { parameters: { owner = null }, ...key }, now) =>
        updateCustomer(em, { ...key, fields: { ownerId: owner } }, now),
    },
  },
  void: {
    invoices: {
      operation: 'voidInvoice',
      type: 'invoice',
      run: (em, { parameters, ...key }, now) =>
        voidInvoiceWithUsage(em, { ...key, rebillsUsage: parameters.rebill_usage ?? true }, now),
    },
    estimates: { operation: 'voidEstimate', type: 'estimate', run: (em, key, now) => voidEstimate(em, key, now) },
    credit_notes: {
      operation: 'voidCreditNote',
      type: 'credit_note',
      run: (em, key, now) => voidCreditNote(em, key, now),
    },
  },
  write_off: { invoices: { operation: 'writeOffInvoice', type: 'invoice', run: writeOffWhole } },
  statement: {
    customers: {
      operation: 'sendCustomerStatement',
      type: 'customer',
      run: (em, { parameters, ...key }, now) =>
        sendStatement(em, { ...key, sending: sendingOf(parameters), asked: askedOf(parameters) }, now),
    },
  },
};
