import * as fields from '../../framework/shape.ts';
import { lineItem } from '../documents/shape.ts';

export const pendingLineItem = fields.extended(lineItem, 'PendingLineItem', {
  customer: fields.id('Id of the customer whose next bill contains it'),
  currency: fields.currency(
    'Currency: three-letter ISO 4217 code; only bills in it contain the line. Default: the currency of the item, the customer or the account',
  ),
  updated_at: fields.updatedAt,
});
