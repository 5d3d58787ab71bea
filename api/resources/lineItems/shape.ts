import * as fields from '../../shape.ts';
import { lineItem } from '../documents/shape.ts';

export const pendingLineItem = fields.extended(lineItem, 'PendingLineItem', {
  customer: fields.id('Who is billed for it by its next invoice'),
  currency: fields.currency('That of its item, else of the customer, else of the account: invoices in it bill it'),
  updated_at: fields.updatedAt,
});
