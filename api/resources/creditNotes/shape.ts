import { creditNoteStatuses } from '../../../billing/creditNote.ts';
import * as fields from '../../framework/shape.ts';
import { discounts, lineItem, taxes } from '../documents/shape.ts';

export const creditNote = fields.shape('CreditNote', 'Credit note: reverses revenue and tax in favour of a customer', {
  id: fields.id('Id of the credit note', 9),
  customer: fields.id('Id of the credited customer'),
  invoice: fields.unset(fields.id('Id of the invoice that it corrects; null: none')),
  name: fields.text('Internal name; not printed', 'Credit Note'),
  number: fields.nullable(fields.text('Number of the document; null for a draft without one', 'CN-00001')),
  purchase_order: fields.unset(fields.text('Purchase order number of the customer', 'PO-1138')),
  currency: fields.currency(),
  draft: fields.flag('True until it is issued', false),
  closed: fields.flag('True: no more of it can be applied, because it was used up, voided or forfeited', false),
  paid: fields.flag('True: all of it is applied', false),
  status: fields.oneOf('Status of the credit note', 'open', creditNoteStatuses),
  date: fields.timestamp('Date of the document'),
  items: fields.listOf(lineItem, 'Lines of the document'),
  notes: fields.unset(fields.text('Notes, printed at the end of the document', 'Returned goods')),
  force: fields.flag('True: it may exceed what is left of its invoice', false),
  reason: fields.unset(fields.text('Reason for `force`', 'Goodwill after an outage')),
  subtotal: fields.money('Sum of the lines before discounts, without taxes contained in prices', 240),
  discounts,
  taxes,
  total: fields.money('Subtotal less discounts plus taxes', 240),
  balance: fields.money('Amount that is not applied yet', 240),
  url: fields.nullable(
    fields.documentUrl('URL of its page for the customer; needs no key; null for a draft', 'credit_note/9'),
  ),
  pdf_url: fields.nullable(fields.documentPdf('credit_note/9', '; null for a draft')),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
  metadata: fields.metadata,
});
