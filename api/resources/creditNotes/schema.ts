import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';
import { discounts, taxes } from '../documents/adjustments.ts';
import { changedLines, newLines } from '../documents/lines.ts';
import { attachments } from '../documents/lists.ts';

const readOnly = [
  'id',
  'object',
  'paid',
  'status',
  'subtotal',
  'total',
  'balance',
  'url',
  'pdf_url',
  'created_at',
  'updated_at',
];

const invoice = fields.described(
  fields.id,
  'The invoice that it corrects: it is applied there first, the rest goes to the credit balance',
);

export const newCreditNote = object(
  {
    customer: fields.required(fields.id),
    invoice,
    name: fields.name,
    number: fields.number,
    purchase_order: fields.reference,
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
    attachments,
    metadata: fields.otherwise(fields.metadata, {}),
  },
  { readOnly },
);

export const creditNoteChange = object(
  {
    customer: fields.described(fields.kept(fields.id), 'Whose a draft is to be; what is issued keeps its own'),
    invoice: fields.described(fields.id, 'The invoice that a draft is to correct; one that is issued keeps its own'),
    name: fields.resettable(fields.name, 'Credit Note'),
    number: fields.number,
    purchase_order: fields.reference,
    currency: fields.kept(fields.currency),
    date: fields.kept(fields.timestamp),
    draft: fields.described(fields.kept(fields.boolean), 'False issues a draft'),
    sent: fields.described(fields.kept(fields.boolean), 'Whether the customer has it; not in responses'),
    closed: fields.described(fields.kept(fields.boolean), 'True forfeits what is left of it, false takes that back'),
    items: changedLines,
    notes: fields.longText,
    discounts,
    taxes,
    calculate_taxes: fields.described(
      fields.otherwise(fields.boolean, false),
      'True finds the rates of customer or place anew; else amounts are computed by the rates that are there',
    ),
    attachments,
    metadata: fields.resettable(fields.metadata, {}),
  },
  { readOnly },
);
