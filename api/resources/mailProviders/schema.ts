import { mailProviders as names } from '../../../billing/mailProviders.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';

const secret = fields.described(
  fields.text(),
  'Authenticates events; stored encrypted, never returned. `ses`: ARN of the topic; `sendgrid`: verification key; otherwise a password of at least 16 characters',
);
const readOnly = ['id', 'object', 'events_url', 'created_at', 'updated_at'];

export const newMailProvider = object(
  {
    provider: fields.required(fields.choice(...names)),
    name: fields.required(fields.name),
    secret: fields.required(secret),
  },
  { readOnly },
);

export const mailProviderChange = object(
  { name: fields.kept(fields.name), secret: fields.kept(secret) },
  { readOnly, fixed: ['provider'] },
);
