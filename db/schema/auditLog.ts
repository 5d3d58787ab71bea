import { defineEntity, p } from '@mikro-orm/core';
import type { Presented } from '../../billing/json.ts';
import { addingTwinPolicies, tenantPolicies } from '../tenant.ts';
import { longId, oneOf, tenantKey } from './columns.ts';
import { partialIndex } from './indexes.ts';

/** What an act is. `failure`: a sign-in, code or credential that was wrong; `refusal`: the caller may not do it. */
export const actKinds = ['change', 'export', 'secret', 'sign_in', 'failure', 'refusal'] as const;
export type ActKind = (typeof actKinds)[number];

/** Kinds of which repetitions within a minute are counted in one row. */
export const countedKinds: readonly ActKind[] = ['failure', 'refusal'];

/** Who acts. `visitor`: nobody knows who. */
export const actors = ['member', 'api_key', 'application', 'customer', 'operator', 'visitor', 'system'] as const;
export type Actor = (typeof actors)[number];

/** The months of a table are partitions in the schema `audit`: `db/auditMonths.ts`. */
const toQueue = `create or replace function audit_log_to_queue() returns trigger as $$
begin
  insert into audit_queue (account_id, entry_id, created_at, due_at)
    select account_id, id, created_at,
      case when kind in ('failure', 'refusal') then date_trunc('minute', created_at) + interval '61 s' else created_at end from logged;
  return null;
end; $$ language plpgsql;
create trigger "audit_log_to_queue" after insert on "audit_log" referencing new table as logged
  for each statement execute function audit_log_to_queue();`;

const AuditLogSchema = defineEntity({
  name: 'AuditLog',
  tableName: 'audit_log',
  policies: addingTwinPolicies,
  comment: 'Acts: who did what, when and from where; rows are never changed, and are dropped by months',
  properties: {
    accountId: tenantKey.accountId,
    id: longId().primary().autoincrement(),
    /** Real time. */
    createdAt: p.datetime().primary(),
    kind: p.string().length(8).$type<ActKind>(),
    actor: p.string().length(11).$type<Actor>(),
    /** Id of the key, grant, customer or member that acts. */
    actorId: p.integer().nullable(),
    /** Its name at that time: of the key or application, or an email address. */
    actorName: p.string().length(255).nullable(),
    /** The member who acts, or to whom the key or grant belongs. */
    memberId: p.integer().nullable(),
    /** `operationId` of the API, or the name of an act on a page. */
    operation: p.string().length(64),
    /** Null: the act is about no single object. */
    objectType: p.string().length(32).nullable(),
    objectId: p.string().length(64).nullable(),
    ip: p.string().length(45).nullable(),
    userAgent: p.string().length(255).nullable(),
    requestId: p.string().length(128).nullable(),
    /** For failures and refusals: why. */
    reason: p.string().length(255).nullable(),
    /** Values of changed settings before and after, by field; never secrets. */
    before: p.json().$type<Presented>().nullable(),
    after: p.json().$type<Presented>().nullable(),
    /** How often it happened within its minute. */
    count: p.integer().default(1),
  },
  triggers: [
    { name: 'audit_log_to_queue', timing: 'after', events: ['insert'], forEach: 'statement', expression: toQueue },
  ],
  indexes: [
    { name: 'audit_log_by_kind', properties: ['accountId', 'kind', 'id'] },
    { name: 'audit_log_by_operation', properties: ['accountId', 'operation', 'id'] },
    partialIndex('audit_log', 'audit_log_by_member', ['"account_id", "member_id", "id"', 'member_id is not null']),
    partialIndex('audit_log', 'audit_log_by_object', [
      '"account_id", "object_type", "object_id", "id"',
      'object_id is not null',
    ]),
    { name: 'audit_log_by_actor', properties: ['accountId', 'actor', 'actorId', 'id'] },
  ],
  checks: [oneOf('audit_log', 'kind', actKinds), oneOf('audit_log', 'actor', actors)],
});
export class AuditLog extends AuditLogSchema.class {}
AuditLogSchema.setClass(AuditLog);

const AuditLinkSchema = defineEntity({
  name: 'AuditLink',
  tableName: 'audit_link',
  policies: tenantPolicies,
  comment:
    'The chain of an account: one link for each row of its audit log, in the order in which the relay found them',
  properties: {
    accountId: tenantKey.accountId,
    position: longId().primary(),
    /** Real time; never before that of the link before. */
    createdAt: p.datetime().primary(),
    entryId: longId(),
    entryCreatedAt: p.datetime(),
    /** HMAC of the row, of the position and of the link before; hexadecimal. */
    mac: p.string().length(64),
  },
  indexes: [{ name: 'audit_link_entry', properties: ['accountId', 'entryId'] }],
});
export class AuditLink extends AuditLinkSchema.class {}
AuditLinkSchema.setClass(AuditLink);

const AuditHeadSchema = defineEntity({
  name: 'AuditHead',
  tableName: 'audit_head',
  policies: tenantPolicies,
  comment: 'The last link of the chain of an account',
  properties: {
    accountId: p.integer().primary().autoincrement(false),
    position: longId(),
    mac: p.string().length(64),
    linkedAt: p.datetime(),
    /** HMAC of this row: without it, the last links could be cut off unnoticed. */
    signature: p.string().length(64),
  },
});
export class AuditHead extends AuditHeadSchema.class {}
AuditHeadSchema.setClass(AuditHead);

const AuditAnchorSchema = defineEntity({
  name: 'AuditAnchor',
  tableName: 'audit_anchor',
  policies: tenantPolicies,
  comment: 'What is left of dropped months of an account: their last link',
  properties: {
    accountId: tenantKey.accountId,
    /** Rows and links from before are dropped. */
    through: p.datetime().primary(),
    position: longId(),
    mac: p.string().length(64),
    signature: p.string().length(64),
  },
});
export class AuditAnchor extends AuditAnchorSchema.class {}
AuditAnchorSchema.setClass(AuditAnchor);

const AuditQueueSchema = defineEntity({
  name: 'AuditQueue',
  tableName: 'audit_queue',
  policies: addingTwinPolicies,
  comment: 'Rows of the audit log that have no link yet; a trigger adds them, the leading relay deletes them',
  properties: {
    accountId: tenantKey.accountId,
    entryId: longId().primary(),
    createdAt: p.datetime(),
    /** Real time: for a row that still counts repetitions, the end of its minute. */
    dueAt: p.datetime(),
  },
  indexes: [{ name: 'audit_queue_due', properties: ['dueAt'] }],
});
export class AuditQueue extends AuditQueueSchema.class {}
AuditQueueSchema.setClass(AuditQueue);
