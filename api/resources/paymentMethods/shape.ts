import { paymentMethods } from '../../../billing/paymentMethods.ts';
import * as fields from '../../framework/shape.ts';

export const paymentMethod = fields.shape(
  'PaymentMethod',
  'Payment method, and how your pages offer it to customers; requests of yours may use every method',
  {
    id: fields.oneOf('Name of the method: `ach` is a bank debit', 'check', paymentMethods),
    enabled: fields.flag('True: pages offer it, unless the customer or the document disables it', true),
    order: fields.integer('Place among the methods of a page, lowest first', 3),
    min: fields.nullable(fields.money('Smallest amount to pay with it; null: any', 5)),
    max: fields.nullable(fields.money('Largest amount to pay with it; null: any', 5000)),
    currency: fields.currency(
      'Currency of `min` and `max`, which do not limit amounts in others: three-letter ISO 4217 code',
    ),
    instructions: fields.nullable(
      fields.text(
        'Text for the payer, such as the bank account for a transfer',
        'Payable to Acme Inc., 1 Main Street, Austin',
      ),
    ),
  },
);
