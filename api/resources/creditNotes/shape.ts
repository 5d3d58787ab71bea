import { creditNoteStatuses } from '../../../billing/creditNote.ts';
import * as fields from '../../framework/shape.ts';
import { discounts, lineItem, taxes } from '../documents/shape.ts';

export const creditNote = fields.shape('CreditNote', 'What a customer is credited', {
  id: fields.id('Its id', 9),
  customer: fields.id('Who is credited'),
  invoice: fields.unset(fields.id('The invoice that it corrects')),
  name: fields.text('Name for the seller', 'Credit Note'),
  number: fields.nullable(fields.text('The next of the series unless it is given', 'CN-00001')),
  purchase_order: fields.unset(fields.text('Purchase order of the customer', 'PO-1138')),
  currency: fields.currency(),
  draft: fields.flag('Whether it is not issued yet', false),
  closed: fields.flag('Whether nothing more of it can be applied: all is, or the rest is forfeited', false),
  paid: fields.flag('Whether all of it is applied', false),
  status: fields.oneOf('Where it is', 'open', creditNoteStatuses),
  date: fields.timestamp('Its date'),
  items: fields.listOf(lineItem, 'Its lines'),
  notes: fields.unset(fields.text('Printed at its end', 'Returned goods')),
  subtotal: fields.number('Sum of its lines', 240),
  discounts,
  taxes,
  total: fields.number('Subtotal less discounts and with taxes', 240),
  balance: fields.number('What of it is not applied yet', 240),
  url: fields.nullable(fields.documentUrl('Where the customer sees it; a draft is not shown', 'credit_note/9')),
  pdf_url: fields.nullable(fields.documentPdf('credit_note/9', '; null of a draft')),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
  metadata: fields.metadata,
});
