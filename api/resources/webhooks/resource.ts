import { z } from 'zod';
import { eventTypes } from '../../../billing/eventTypes.ts';
import { CURRENT_VERSION, VERSIONS } from '../../../commands/kernel/caller.ts';
import { condition } from '../../../db/queries/kernel/sql.ts';
import { Webhook } from '../../../db/schema/webhook.ts';
import { presentWebhook } from '../../../present/webhooks/webhook.ts';
import { documented, schemaOf } from '../../body/documented.ts';
import * as fields from '../../body/fields.ts';
import { readText, textOf, unfit } from '../../body/readers.ts';
import { object } from '../../body/request.ts';
import { column, filtered, type Resource, sorted, updatedBetween } from '../../framework/resource.ts';
import * as shown from '../../framework/shape.ts';
import { eventType } from '../events.ts';

const webhook = shown.shape('Webhook', 'Webhook endpoint: a URL of yours to which events are sent', {
  id: shown.id('Id of the webhook endpoint', 3),
  url: shown.text('URL to which events are sent', 'https://example.com/hooks'),
  events: {
    schema: {
      anyOf: [
        { type: 'array', items: { type: 'string' } },
        { type: 'string', const: '*' },
      ],
      description: 'Types of events to send; `*`: all',
    },
    example: ['invoice.paid'],
  },
  enabled: shown.flag('True: events are sent to it', true),
  description: shown.unset(shown.text('Description of the endpoint, for your own use', 'Ledger')),
  api_version: shown.choice(
    'API version of the events that are sent; fixed at creation',
    CURRENT_VERSION,
    ...VERSIONS.filter((one) => one !== CURRENT_VERSION),
  ),
  failing_since: shown.unset(shown.timestamp('When deliveries began to fail; null: they succeed')),
  disabled_reason: shown.unset(shown.text('Reason why it was disabled; null: it was not', 'It failed for 5 days')),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
});

export const createdWebhook = shown.extended(webhook, 'NewWebhook', {
  secret: shown.text(
    'Secret that signs deliveries; returned only by this request',
    'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  ),
});

export const webhookReplay = shown.shape('WebhookReplay', 'Replay: events that are sent to an endpoint again', {
  id: shown.id('Id of the replay', 812),
  webhook: shown.id('Id of the webhook endpoint', 3),
  events: shown.integer('Number of events that are sent again', 12),
});

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

export const webhooks: Resource<Webhook, 'id'> = {
  name: 'Webhook',
  area: 'developers',
  shape: webhook,
  row: Webhook,
  idColumn: 'id',
  exists: condition('deleted_at is null'),
  columns: {
    id: column('id', fields.id),
    enabled: filtered('enabled', fields.boolean),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: updatedBetween,
  present: async (_reading, rows) => rows.map(presentWebhook),
};
