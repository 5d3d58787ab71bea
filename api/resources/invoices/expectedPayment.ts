import { paymentMethods } from '../../../billing/paymentMethods.ts';
import { documentationOf, documented } from '../../body/documented.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';

const promise = object({
  date: fields.described(
    fields.required(fields.timestamp),
    'Time at which the payment is expected, UNIX time in seconds; its whole day counts',
  ),
  method: fields.choice(...paymentMethods),
  reference: fields.reference,
});

const read = promise.transform(({ date, method = null, reference = null }) => ({ date, method, reference }));

/** Replaces the promised payment as a whole. Null: the promise is withdrawn. */
export const expectedPayment = fields.described(
  fields.nested(documented(read, documentationOf(promise))),
  'Payment that the customer has promised; null: the promise is withdrawn',
);
