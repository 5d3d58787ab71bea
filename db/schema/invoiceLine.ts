import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { amount, exact, metadata, tenantKey } from './columns.ts';
import { Invoice } from './invoice.ts';

const InvoiceLineSchema = defineEntity({
  name: 'InvoiceLine',
  policies: tenantPolicies,
  properties: {
    ...tenantKey,
    invoice: () => p.manyToOne(Invoice).joinColumns('account_id', 'invoice_id').deleteRule('cascade'),
    position: p.integer(),
    /** The ids that clients know item and plan by, as they were when the line was made: a line never follows the catalog. */
    itemCode: p.string().length(64).nullable(),
    planCode: p.string().length(64).nullable(),
    type: p.string().length(255).nullable(),
    name: p.string().length(255).nullable(),
    description: p.text().nullable(),
    quantity: exact(),
    unitCost: exact(),
    amount: amount(),
    glAccount: p.string().length(255).nullable(),
    periodStartAt: p.datetime().nullable(),
    periodEndAt: p.datetime().nullable(),
    metadata,
  },
  uniques: [{ name: 'invoice_line_position', properties: ['accountId', 'invoice', 'position'] }],
});
export class InvoiceLine extends InvoiceLineSchema.class {}
InvoiceLineSchema.setClass(InvoiceLine);
