import * as fields from '../../framework/shape.ts';

export const note = fields.shape('Note', 'Internal note about a customer or an invoice', {
  id: fields.id('Id of the note', 6),
  notes: fields.text('Text of the note; not shown to the customer', 'Pays after the board meets'),
  customer: fields.id('Id of the customer'),
  customer_id: fields.id('Id of the customer, never expanded'),
  invoice: fields.nullable(fields.id('Id of the invoice that it is about; null: none', 77)),
  invoice_id: fields.nullable(fields.id('Id of the invoice, never expanded', 77)),
  user: fields.unset(fields.id('Id of the member who wrote it')),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
});
