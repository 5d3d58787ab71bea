import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';

const readOnly = ['id', 'object', 'created_at', 'updated_at'];

export const newNote = object(
  {
    notes: fields.required(fields.longText),
    customer: fields.described(fields.id, 'Id of the customer; required without an invoice'),
    customer_id: fields.described(fields.id, 'Alias of `customer`'),
    invoice: fields.described(fields.id, 'Id of the invoice that the note is about'),
    invoice_id: fields.described(fields.id, 'Alias of `invoice`'),
    user: fields.id,
  },
  { readOnly },
);

export const noteChange = object(
  { notes: fields.kept(fields.longText), user: fields.id },
  { readOnly, fixed: ['customer', 'customer_id', 'invoice', 'invoice_id'] },
);
