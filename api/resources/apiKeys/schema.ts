import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';

export const newApiKey = object(
  {
    name: fields.required(fields.name),
    kind: fields.withDefault(fields.choice('secret', 'publishable'), 'secret'),
    scope: fields.withDefault(fields.choice('read', 'read_write'), 'read_write'),
    expires_at: fields.timestamp,
  },
  { readOnly: ['id', 'object', 'last4', 'last_used_at', 'revoked_at', 'created_at', 'key'] },
);
