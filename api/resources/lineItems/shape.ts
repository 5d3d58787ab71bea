import * as fields from '../../framework/shape.ts';
import { lineItem } from '../documents/shape.ts';

export const pendingLineItem = fields.extended(lineItem, 'PendingLineItem', {
  customer: fields.id('Who is billed for it by its next invoice'),
  currency: fields.currency(
    'That which it was given, else of its item, of the customer, of the account: bills in it have it',
  ),
  updated_at: fields.updatedAt,
});
