import * as fields from '../../fields.ts';
import { object } from '../../request.ts';
import { discounts, taxes } from '../documents/adjustments.ts';
import { newLines } from '../documents/lines.ts';

const readOnly = [
  ...['id', 'object', 'paid', 'status', 'subtotal', 'total', 'balance', 'url', 'pdf_url', 'created_at', 'updated_at'],
];

const invoice = fields.described(
  fields.id,
  'The invoice that it corrects: it is applied there first, the rest goes to the credit balance',
);

export const newCreditNote = object(
  {
    customer: fields.required(fields.id),
    invoice,
    name: fields.text(),
    number: fields.text(),
    purchase_order: fields.text(),
    currency: fields.currency,
    date: fields.timestamp,
    draft: fields.described(fields.otherwise(fields.boolean, false), 'True: it is not issued yet'),
    sent: fields.described(fields.otherwise(fields.boolean, false), 'True: the customer has it already'),
    closed: fields.described(fields.otherwise(fields.boolean, false), 'True: what is not applied at once is forfeited'),
    items: newLines,
    notes: fields.longText,
    discounts,
    taxes,
    calculate_taxes: fields.described(
      fields.otherwise(fields.boolean, true),
      'False: it has no tax rates, neither those of its items nor of customer or place',
    ),
    metadata: fields.otherwise(fields.metadata, {}),
  },
  { readOnly, later: { attachments: [] } },
);
