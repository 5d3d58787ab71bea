import { defineEntity, p } from '@mikro-orm/core';
import type { CreditedPart } from '../../billing/documents/creditedLines.ts';
import type { AppliedDiscount, AppliedTax } from '../../billing/documents/document.ts';
import { policiesThrough } from '../tenant.ts';
import { amount, eventCount, exact, longTenantKey, metadata, timestamps } from './columns.ts';
import { CreditNote } from './creditNote.ts';
import { Customer } from './customer.ts';
import { Estimate } from './estimate.ts';
import { partialIndex } from './indexes.ts';
import { Invoice } from './invoice.ts';

/** The credited invoices of a row as a document under its account: {"17": [{"invoice": 5}]}. */
export const CREDITED = "jsonb_set('{}', array[account_id::text], credited)";

const LineItemSchema = defineEntity({
  name: 'LineItem',
  policies: policiesThrough('line_item', 'customer', 'invoice', 'estimate', 'credit_note'),
  comment: 'A line of a document, or a pending line of a customer',
  properties: {
    ...longTenantKey,
    /** Set only on a pending line: other lines have the customer of their document. */
    customer: () => p.manyToOne(Customer).joinColumns('account_id', 'customer_id').nullable().deleteRule('restrict'),
    invoice: () => p.manyToOne(Invoice).joinColumns('account_id', 'invoice_id').nullable().deleteRule('cascade'),
    estimate: () => p.manyToOne(Estimate).joinColumns('account_id', 'estimate_id').nullable().deleteRule('cascade'),
    creditNote: () =>
      p.manyToOne(CreditNote).joinColumns('account_id', 'credit_note_id').nullable().deleteRule('cascade'),
    position: p.integer(),
    /** Public ids of item and plan when the line was created: a line never follows the catalog. */
    itemCode: p.string().length(64).nullable(),
    planCode: p.string().length(64).nullable(),
    /** Add-on that it bills; null: the plan of a subscription, or no subscription. */
    addonId: p.integer().nullable(),
    type: p.string().length(255).nullable(),
    name: p.string().length(255).nullable(),
    description: p.text().nullable(),
    currency: p.string().length(3),
    quantity: exact(),
    unitCost: exact(),
    amount: amount(),
    /** Posted revenue: the amount less all discounts and inclusive taxes. For a pending line: as if it were billed alone. */
    net: amount(),
    glAccount: p.string().length(255).nullable(),
    discountable: p.boolean(),
    taxable: p.boolean(),
    discounts: p.json().$type<AppliedDiscount[]>(),
    taxes: p.json().$type<AppliedTax[]>(),
    periodStartAt: p.datetime().nullable(),
    periodEndAt: p.datetime().nullable(),
    /** Whether it bills a share of a period. */
    prorated: p.boolean().default(false),
    /** The invoices whose lines it credits, with its part of each; null: it credits none. */
    credited: p.json().$type<CreditedPart[]>().nullable(),
    /** Time at which an invoice took this pending line. Deleting a draft gives the line back. */
    sweptAt: p.datetime().nullable(),
    metadata,
    /** Counts the events of a pending line; on a document, the document's events include it. */
    eventCount,
    ...timestamps,
  },
  indexes: [
    partialIndex('line_item', 'line_item_by_invoice', ['account_id, invoice_id, position', 'invoice_id is not null']),
    partialIndex('line_item', 'line_item_by_estimate', [
      'account_id, estimate_id, position',
      'estimate_id is not null',
    ]),
    partialIndex('line_item', 'line_item_by_credit_note', [
      'account_id, credit_note_id, position',
      'credit_note_id is not null',
    ]),
    {
      name: 'line_item_credited',
      expression: `create index "line_item_credited" on "line_item" using gin (${CREDITED} jsonb_path_ops) where credited is not null`,
    },
    partialIndex('line_item', 'line_item_pending', ['account_id, customer_id, id', 'customer_id is not null']),
  ],
  checks: [
    { name: 'line_item_place', expression: 'num_nonnulls(customer_id, invoice_id, estimate_id, credit_note_id) = 1' },
  ],
});
export class LineItem extends LineItemSchema.class {}
LineItemSchema.setClass(LineItem);
