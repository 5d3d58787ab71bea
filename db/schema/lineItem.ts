import { defineEntity, p } from '@mikro-orm/core';
import type { AppliedDiscount, AppliedTax } from '../../billing/document.ts';
import { tenantPolicies } from '../tenant.ts';
import { amount, eventCount, exact, longTenantKey, metadata, timestamps } from './columns.ts';
import { CreditNote } from './creditNote.ts';
import { Customer } from './customer.ts';
import { Estimate } from './estimate.ts';
import { partialIndex } from './indexes.ts';
import { Invoice } from './invoice.ts';

const LineItemSchema = defineEntity({
  name: 'LineItem',
  policies: tenantPolicies,
  comment: 'A line of a document; of no document yet: a pending line of its customer',
  properties: {
    ...longTenantKey,
    /** Of a pending line alone: the others have that of their document. */
    customer: () => p.manyToOne(Customer).joinColumns('account_id', 'customer_id').nullable().deleteRule('restrict'),
    invoice: () => p.manyToOne(Invoice).joinColumns('account_id', 'invoice_id').nullable().deleteRule('cascade'),
    estimate: () => p.manyToOne(Estimate).joinColumns('account_id', 'estimate_id').nullable().deleteRule('cascade'),
    creditNote: () =>
      p.manyToOne(CreditNote).joinColumns('account_id', 'credit_note_id').nullable().deleteRule('cascade'),
    position: p.integer(),
    /** The ids that clients know item and plan by, as they were when the line was made: a line never follows the catalog. */
    itemCode: p.string().length(64).nullable(),
    planCode: p.string().length(64).nullable(),
    type: p.string().length(255).nullable(),
    name: p.string().length(255).nullable(),
    description: p.text().nullable(),
    currency: p.string().length(3),
    quantity: exact(),
    unitCost: exact(),
    amount: amount(),
    /** What is posted as revenue: the amount less all discounts and the tax that it includes. Of a pending line: as if it were billed alone. */
    net: amount(),
    glAccount: p.string().length(255).nullable(),
    discountable: p.boolean(),
    taxable: p.boolean(),
    discounts: p.json().$type<AppliedDiscount[]>(),
    taxes: p.json().$type<AppliedTax[]>(),
    periodStartAt: p.datetime().nullable(),
    periodEndAt: p.datetime().nullable(),
    /** It was a pending line until its invoice took it; a draft that is deleted gives it back. */
    sweptAt: p.datetime().nullable(),
    metadata,
    /** Of a pending line: once it is on a document, that tells of it. */
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
    partialIndex('line_item', 'line_item_pending', ['account_id, customer_id, id', 'customer_id is not null']),
  ],
  checks: [
    { name: 'line_item_place', expression: 'num_nonnulls(customer_id, invoice_id, estimate_id, credit_note_id) = 1' },
  ],
});
export class LineItem extends LineItemSchema.class {}
LineItemSchema.setClass(LineItem);
