import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';

const MOST_CURRENCIES = 200;
const key = fields.text(255);

const publishableKey = fields.described(key, 'Publishable key of the account at the gateway, such as `pk_live_…`');
const eventSecret = fields.described(
  key,
  'Secret that signs the events of the gateway, such as `whsec_…`; never returned; null: no events are received',
);
const secretKey = fields.described(
  key,
  'Secret key of the account at the gateway, such as `sk_live_…`; checked at the gateway, stored encrypted, never returned',
);
const currencies = fields.list(fields.required(fields.currency), MOST_CURRENCIES);
const readOnly = ['id', 'object', 'gateway_account', 'receives_events', 'events_url', 'created_at', 'updated_at'];

export const newMerchantAccount = object(
  {
    gateway: fields.required(fields.choice('stripe')),
    name: fields.required(fields.name),
    secret_key: fields.required(secretKey),
    event_secret: eventSecret,
    publishable_key: publishableKey,
    currencies,
  },
  { readOnly },
);

export const merchantAccountChange = object(
  {
    name: fields.kept(fields.name),
    secret_key: fields.kept(secretKey),
    event_secret: eventSecret,
    publishable_key: publishableKey,
    currencies,
  },
  { readOnly, fixed: ['gateway'] },
);
