import { Invoice } from '../../../db/schema/invoice.ts';
import { presentCustomer } from '../../../present/customer.ts';
import { presentInvoice } from '../../../present/invoice.ts';
import { presentPlan } from '../../../present/plan.ts';
import { presentSubscription } from '../../../present/subscription.ts';
import type { Relations } from '../../expand.ts';
import * as fields from '../../fields.ts';
import { conditionsOn, type Listing } from '../../listing.ts';

const where = conditionsOn<Invoice>();
const statuses = fields.choice('draft', 'not_sent', 'sent', 'viewed', 'past_due', 'pending', 'paid', 'voided');

export const shownInvoice = (invoice: Invoice) => presentInvoice(invoice, invoice.lines.getItems());

export const invoiceRelations: Relations<Invoice> = {
  customer: {
    load: (em, rows) => em.populate(rows, ['customer.defaultSource']),
    present: ({ customer }) => presentCustomer(customer, customer.defaultSource ?? null),
  },
  subscription: {
    load: (em, rows) => em.populate(rows, ['subscription.plan']),
    present: ({ subscription }) => (subscription ? presentSubscription(subscription, subscription.plan) : null),
  },
  'subscription.plan': {
    load: (em, rows) => em.populate(rows, ['subscription.plan.item']),
    present: ({ subscription }) =>
      subscription ? presentPlan(subscription.plan, subscription.plan.item ?? null) : null,
  },
};

export const invoices: Listing<Invoice> = {
  row: Invoice,
  scope: ({ caller }) => ({ accountId: caller.account.id }),
  sort: {
    id: (to) => ({ id: to }),
    number: (to) => ({ number: to }),
    date: (to) => ({ date: to }),
    due_date: (to) => ({ dueAt: to }),
    status: (to) => ({ status: to }),
    total: (to) => ({ total: to }),
    balance: (to) => ({ balance: to }),
    created_at: (to) => ({ createdAt: to }),
    updated_at: (to) => ({ updatedAt: to }),
  },
  filter: {
    id: where(fields.id, (id) => ({ id })),
    customer: where(fields.id, (id) => ({ customer: { id } })),
    subscription: where(fields.id, (id) => ({ subscription: { id } })),
    number: where(fields.text(), (number) => ({ number })),
    status: where(statuses, (status) => ({ status })),
    currency: where(fields.currency, (currency) => ({ currency })),
    autopay: where(fields.boolean, (autopay) => ({ autopay })),
    paid: where(fields.boolean, (paid) => ({ paid })),
    closed: where(fields.boolean, (closed) => ({ closed })),
  },
  parameters: {
    start_date: where(fields.timestamp, (at) => ({ date: { $gte: at } })),
    end_date: where(fields.timestamp, (at) => ({ date: { $lte: at } })),
    updated_after: where(fields.timestamp, (at) => ({ updatedAt: { $gte: at } })),
    updated_before: where(fields.timestamp, (at) => ({ updatedAt: { $lte: at } })),
  },
  byId: (to) => ({ id: to }),
  find: (em, conditions, slice) => em.find(Invoice, conditions, { ...slice, populate: ['lines'] }),
  present: shownInvoice,
  relations: invoiceRelations,
};
