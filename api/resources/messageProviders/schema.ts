import { messageProviders as names } from '../../../billing/messageProviders.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';

const MOST_CHARACTERS = 34;
const sid = fields.described(fields.text(MOST_CHARACTERS), 'Id of the account at the provider');
const token = fields.described(
  fields.text(),
  'Secret of the account at the provider; checked there, stored encrypted, never returned. It also signs events',
);
const sender = fields.described(
  fields.text(MOST_CHARACTERS),
  'Number that texts come from, such as `+15555550100`, or id of a messaging service `MG…`',
);
const readOnly = ['id', 'object', 'events_url', 'created_at', 'updated_at'];

export const newMessageProvider = object(
  {
    provider: fields.required(fields.choice(...names)),
    name: fields.required(fields.name),
    account_sid: fields.required(sid),
    auth_token: fields.required(token),
    sender: fields.required(sender),
  },
  { readOnly },
);

export const messageProviderChange = object(
  { name: fields.kept(fields.name), auth_token: fields.kept(token), sender: fields.kept(sender) },
  { readOnly, fixed: ['provider', 'account_sid'] },
);
