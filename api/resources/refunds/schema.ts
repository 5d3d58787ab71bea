import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';

export const newRefund = object(
  {
    amount: fields.required(
      fields.described(
        fields.positiveAmount,
        'Amount to refund, at most what earlier refunds left of the charge; in major currency units',
      ),
    ),
  },
  { readOnly: ['id', 'object'] },
);
