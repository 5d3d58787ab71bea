import { condition } from '../../db/queries/kernel/sql.ts';
import { AuditLog, actKinds, actors } from '../../db/schema/auditLog.ts';
import { presentAct } from '../../present/kernel/auditLog.ts';
import * as fields from '../body/fields.ts';
import { readText, unfit } from '../body/readers.ts';
import { between, column, equals, type Resource, where } from '../framework/resource.ts';
import type { Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { listRoute } from '../reading/readRoutes.ts';

const actor = shown.value('Actor', 'Actor of an entry of the audit log', {
  type: shown.oneOf('`visitor`: nobody knows who', 'member', actors),
  id: shown.nullable(shown.integer('Id of the member, key, grant of an application, or customer', 3)),
  name: shown.nullable(
    shown.text('Email address of that member, or name of the key or application', 'ada@acme.example'),
  ),
  member: shown.nullable(
    shown.integer(
      'Id of the member to whom the key or grant belongs, who acted, or to whom the system mailed a file',
      3,
    ),
  ),
});

const entry = shown.shape('AuditLogEntry', 'Entry of the audit log: something that somebody did or was refused', {
  id: shown.id('Id of the entry', 815),
  created_at: shown.timestamp('When it happened'),
  kind: shown.oneOf('`failure`: a wrong credential or code; `secret`: a secret was shown', 'change', actKinds),
  operation: shown.text('The `operationId` of the API, or the name of an act on a page', 'updateAccount'),
  actor: shown.one(actor, 'Member, key, application, customer or system that acted'),
  object_type: shown.nullable(shown.text('Type of the object that it is about', 'account')),
  object_id: shown.nullable(shown.text('Id of that object', '7')),
  reason: shown.unset(shown.text('Reason of a failure or refusal', 'API key may only read')),
  before: shown.nullable(shown.record('For changed settings: former values of the changed fields', { footer: null })),
  after: shown.nullable(shown.record('For changed settings: new values of these fields', { footer: 'Thank you' })),
  count: shown.integer('Number of times within its minute: repeated failures and refusals are counted', 1),
  ip: shown.nullable(shown.text('Address that it came from', '192.0.2.7')),
  user_agent: shown.nullable(shown.text('Browser or program, as it named itself', 'curl/8.5.0')),
  request_id: shown.nullable(shown.text('`Request-Id` of the request', '0b2f6c1e-8f0a-4b59-9a43-5d0c1c9f0e77')),
});

const readObject = (value: unknown) => {
  const parts = /^([a-z_]{1,32}),([A-Za-z0-9_-]{1,64})$/.exec(readText(value, 255));
  return parts
    ? condition('object_type = ? and object_id = ?', parts[1] ?? '', parts[2] ?? '')
    : unfit('must be <object type>,<object id>, such as invoice,77');
};
const related = fields.field(readObject, {
  type: 'string',
  pattern: '^[a-z_]{1,32},[A-Za-z0-9_-]{1,64}$',
  examples: ['webhook,77'],
  description: 'Only entries about one object: its type and id, comma-separated, such as `webhook,77`',
});

const member = fields.described(fields.id, 'Only acts of this member, also by keys and applications', 3);
const apiKey = fields.described(fields.id, 'Only acts with this API key', 4);

/** Acts, newest first. */
const auditLog: Resource<AuditLog, 'id'> = {
  name: 'Audit log entry',
  area: 'people',
  shape: entry,
  row: AuditLog,
  idColumn: 'id',
  hasLongIds: true,
  columns: { id: column('id', fields.longId) },
  parameters: {
    kind: equals('kind', fields.choice(...actKinds)),
    operation: equals('operation', fields.text(64)),
    member: where(member, (id) => condition('member_id = ? and member_id is not null', id)),
    api_key: where(apiKey, (id) => condition("actor = 'api_key' and actor_id = ?", id)),
    related_to: where(related, (object) => object),
    ...between('created_at', fields.timestamp, ['start_date', 'end_date']),
    ...between('created_at', fields.timestamp, ['updated_after', 'updated_before']),
  },
  order: [{ column: 'id', direction: 'desc' }],
  csvColumns: [
    'id',
    'created_at',
    'kind',
    'operation',
    'actor.type',
    'actor.id',
    'actor.name',
    'actor.member',
    'object_type',
    'object_id',
    'reason',
    'before',
    'after',
    'count',
    'ip',
    'user_agent',
    'request_id',
  ],
  present: async (_reading, rows) => rows.map(presentAct),
};

export const auditLogRoutes: Route[] = [
  listRoute({
    path: '/audit_log',
    resource: auditLog,
    summary: 'List who did what, newest first; `format=csv` exports all of it',
  }),
];
