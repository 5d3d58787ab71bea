import { z } from 'zod';
import { eventTypes } from '../../../billing/eventTypes.ts';
import { VERSIONS } from '../../../commands/kernel/version.ts';
import { documented, schemaOf } from '../../body/documented.ts';
import * as fields from '../../body/fields.ts';
import { readText, textOf, unfit } from '../../body/readers.ts';
import { object } from '../../body/request.ts';
import { eventType } from '../events/type.ts';

const named = fields.list(fields.required(eventType), eventTypes.length);

/** Types of events. "*" and null mean all types. */
const events = documented(
  z
    .unknown()
    .transform((value) => (textOf(value) === '*' ? null : value))
    .pipe(named)
    .optional(),
  { schema: { anyOf: [schemaOf(named), { type: 'string', const: '*' }] } },
);

const url = fields.text(2048);
const readOnly = ['id', 'object', 'failing_since', 'disabled_reason', 'created_at', 'updated_at', 'secret'];

export const newWebhook = object(
  {
    url: fields.required(url),
    events,
    enabled: fields.withDefault(fields.boolean, true),
    description: fields.longText,
    api_version: fields.choice(...VERSIONS),
  },
  { readOnly },
);

export const webhookChange = object(
  { url: fields.kept(url), events, enabled: fields.resettable(fields.boolean, true), description: fields.longText },
  { readOnly, fixed: ['api_version'] },
);

/** Parses an object's type and id, such as `invoice,77`. */
const readSubject = (value: unknown) => {
  const [, type = '', id = ''] = /^([a-z_]{1,32}),([A-Za-z0-9_-]{1,64})$/.exec(readText(value, 255)) ?? [];
  return type ? { type, id } : unfit('must be <object type>,<object id>, such as invoice,77');
};

const related = fields.field(readSubject, {
  type: 'string',
  pattern: '^[a-z_]{1,32},[A-Za-z0-9_-]{1,64}$',
  examples: ['invoice,77'],
});

export const replay = object({
  start_date: fields.described(fields.timestamp, 'Only events at or after this time; UNIX time in seconds'),
  end_date: fields.described(fields.timestamp, 'Only events at or before this time; UNIX time in seconds'),
  type: fields.described(eventType, 'Only events of this type'),
  related_to: fields.described(
    related,
    'Only events of one object: its type and id, comma-separated, such as `invoice,77`',
  ),
});
