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
  'Id of the invoice that it corrects. It is applied to that invoice first; the rest goes to the credit balance',
);

const reason = fields.described(
  fields.reference,
  'Reason for `force`, required with it. The credit adjustment of the excess has it as notes',
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
    draft: fields.described(fields.withDefault(fields.boolean, false), 'True: create a draft instead of issuing it'),
    sent: fields.described(fields.withDefault(fields.boolean, false), 'True: mark it as sent to the customer'),
    closed: fields.described(
      fields.withDefault(fields.boolean, false),
      'True: forfeit the amount that is not applied at once',
    ),
    items: newLines,
    notes: fields.longText,
    force: fields.described(
      fields.withDefault(fields.boolean, false),
      'True: it may exceed what is left of its invoice; the excess is added to the credit balance, without tax',
    ),
    reason,
    discounts,
    taxes,
    calculate_taxes: fields.described(
      fields.withDefault(fields.boolean, true),
      'False: apply no tax rates, not even those of items, customer or place',
    ),
    attachments,
    metadata: fields.withDefault(fields.metadata, {}),
  },
  { readOnly },
);

export const creditNoteChange = object(
  {
    customer: fields.described(
      fields.kept(fields.id),
      'Id of the new customer of a draft; an issued credit note keeps its customer',
    ),
    invoice: fields.described(
      fields.id,
      'Id of the invoice that a draft will correct; an issued credit note keeps its invoice',
    ),
    name: fields.resettable(fields.name, 'Credit Note'),
    number: fields.number,
    purchase_order: fields.reference,
    currency: fields.kept(fields.currency),
    date: fields.kept(fields.timestamp),
    draft: fields.described(fields.kept(fields.boolean), 'False: issue the draft'),
    sent: fields.described(
      fields.kept(fields.boolean),
      'True: mark it as sent to the customer; false: as not sent. Not in responses',
    ),
    closed: fields.described(fields.kept(fields.boolean), 'True: forfeit its balance; false: undo that'),
    items: changedLines,
    notes: fields.longText,
    force: fields.described(
      fields.kept(fields.boolean),
      'True: a draft may exceed what is left of its invoice when it is issued; false: it may not',
    ),
    reason,
    discounts,
    taxes,
    calculate_taxes: fields.described(
      fields.withDefault(fields.boolean, false),
      'True: look up the tax rates of customer or place again; false: keep the current rates',
    ),
    attachments,
    metadata: fields.resettable(fields.metadata, {}),
  },
  { readOnly },
);
