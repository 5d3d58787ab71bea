import * as fields from '../../framework/shape.ts';

export const note = fields.shape('Note', 'What somebody wrote down about a customer or an invoice', {
  id: fields.id('Its id', 6),
  notes: fields.text('Its words; the seller alone sees them', 'Pays after the board meets'),
  customer: fields.id('The customer'),
  customer_id: fields.id('The same, and always the id'),
  invoice: fields.nullable(fields.id('The invoice that it is about', 77)),
  invoice_id: fields.nullable(fields.id('The same, and always the id', 77)),
  user: fields.unset(fields.id('The member who wrote it')),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
});
