import { z } from 'zod';
import { eventTypes } from '../../../billing/eventTypes.ts';
import { VERSIONS } from '../../../commands/version.ts';
import { documented, schemaOf } from '../../documented.ts';
import * as fields from '../../fields.ts';
import { nearest } from '../../nearest.ts';
import { readText, textOf, unfit } from '../../readers.ts';
import { object } from '../../request.ts';

const readEventType = (value: unknown) => {
  const given = readText(value, 255);
  if (eventTypes.includes(given)) return given;
  const meant = nearest(given, eventTypes);
  return unfit(`is not a type of event: ${given}${meant ? `; did you mean ${meant}?` : ''}`);
};
const eventType = fields.field(readEventType, { type: 'string', enum: [...eventTypes] });

const named = fields.list(fields.required(eventType), eventTypes.length);

/** Types of events, or "*" (also null): every one. */
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
    enabled: fields.otherwise(fields.boolean, true),
    description: fields.longText,
    api_version: fields.choice(...VERSIONS),
  },
  { readOnly },
);

export const webhookChange = object(
  { url: fields.kept(url), events, enabled: fields.resettable(fields.boolean, true), description: fields.longText },
  { readOnly: [...readOnly, 'api_version'] },
);
