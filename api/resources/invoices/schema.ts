import type { z } from 'zod';
import * as fields from '../../fields.ts';
import { object } from '../../request.ts';
import { terms } from '../terms.ts';

const MOST_LINES = 1000;

const line = object(
  {
    catalog_item: fields.code,
    type: fields.text(),
    name: fields.text(),
    description: fields.longText,
    quantity: fields.otherwise(fields.exact, '1'),
    unit_cost: fields.exact,
    metadata: fields.otherwise(fields.metadata, {}),
  },
  {
    readOnly: ['id', 'object', 'amount', 'plan', 'period_start', 'period_end'],
    later: { discountable: true, discounts: [], taxable: true, taxes: [] },
  },
);

const computed = [
  'id',
  'object',
  'paid',
  'status',
  'attempt_count',
  'next_payment_attempt',
  'subscription',
  'subtotal',
  'total',
];

export const newInvoice = object(
  {
    customer: fields.required(fields.id),
    name: fields.text(),
    number: fields.text(),
    currency: fields.currency,
    autopay: fields.boolean,
    payment_terms: terms,
    purchase_order: fields.text(),
    date: fields.timestamp,
    due_date: fields.timestamp,
    items: fields.list(line, MOST_LINES),
    notes: fields.longText,
    metadata: fields.otherwise(fields.metadata, {}),
  },
  {
    readOnly: [...computed, 'balance', 'payment_plan', 'url', 'payment_url', 'pdf_url', 'created_at', 'updated_at'],
    later: {
      attachments: [],
      calculate_taxes: true,
      closed: false,
      disabled_payment_methods: [],
      discounts: [],
      draft: false,
      sent: false,
      ship_to: null,
      taxes: [],
    },
  },
);

/** The lines of a request, as commands take them. */
export function linesOf(items: z.output<typeof newInvoice>['items']) {
  return (items ?? []).map((line) => ({
    ...{ type: line.type ?? null, name: line.name ?? null, description: line.description ?? null },
    ...{ quantity: line.quantity, unitCost: line.unit_cost ?? null, metadata: line.metadata },
    itemCode: line.catalog_item ?? null,
  }));
}
