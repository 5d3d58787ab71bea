import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';

const readOnly = ['id', 'object', 'created_at', 'updated_at'];

export const newNote = object(
  {
    notes: fields.required(fields.longText),
    customer: fields.described(fields.id, 'The customer; unless an invoice is given, it has to be'),
    customer_id: fields.described(fields.id, 'The same as `customer`'),
    invoice: fields.described(fields.id, 'The invoice that it is about'),
    invoice_id: fields.described(fields.id, 'The same as `invoice`'),
    user: fields.id,
  },
  { readOnly },
);

export const noteChange = object(
  { notes: fields.kept(fields.longText), user: fields.id },
  { readOnly, fixed: ['customer', 'customer_id', 'invoice', 'invoice_id'] },
);
