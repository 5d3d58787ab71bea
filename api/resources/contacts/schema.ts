import { z } from 'zod';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';

const details = {
  title: fields.text(),
  email: fields.email,
  phone: fields.text(),
  department: fields.text(),
  ...fields.address,
};

const detailsShape = z.object(details);
export type ContactDetails = z.output<typeof detailsShape>;

const readOnly = ['id', 'object', 'created_at', 'updated_at'];

export const newContact = object(
  {
    name: fields.required(fields.name),
    primary: fields.withDefault(fields.boolean, false),
    sms_enabled: fields.withDefault(fields.boolean, false),
    ...details,
  },
  { readOnly },
);

export const contactChange = object(
  {
    name: fields.kept(fields.name),
    primary: fields.resettable(fields.boolean, false),
    sms_enabled: fields.resettable(fields.boolean, false),
    ...details,
  },
  { readOnly },
);
