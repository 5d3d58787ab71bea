import { defineEntity, p } from '@mikro-orm/core';
import type { Presented } from '../../billing/json.ts';
import { tenantPolicies } from '../tenant.ts';
import { longTenantKey } from './columns.ts';
import { partialIndex } from './indexes.ts';

/** Whose an object was before an event. */
export const FORMER_CUSTOMER = "previous -> 'customer' ->> 'id'";

/** The key or the grant of a request, with its name as it was then: keys are revoked, and grants deleted. */
export interface UsedCredential {
  kind: 'api_key' | 'oauth_grant';
  id: number;
  /** Of a grant: that of its application. */
  name: string;
}

/** No event without its outbox row, and no statement for it. */
const toOutbox = `create or replace function event_to_outbox() returns trigger as $$
begin
  insert into outbox (account_id, topic, event_id, subject_id, due_at)
    select account_id, 'event', id, 0, created_at from recorded order by id;
  return null;
end; $$ language plpgsql;
create trigger "event_to_outbox" after insert on "event" referencing new table as recorded
  for each statement execute function event_to_outbox();`;

const EventSchema = defineEntity({
  name: 'Event',
  policies: tenantPolicies,
  properties: {
    ...longTenantKey,
    type: p.string().length(64),
    subjectType: p.string().length(32),
    subjectId: p.string().length(64),
    /** 1, 2, 3, … of its object. */
    sequence: p.integer(),
    /** `data.object`, as the account's version presents it; json, not jsonb: the order of its members is kept. */
    object: p.json().columnType('json').$type<Presented>(),
    /** `data.previous`: old values of what an update changed. */
    previous: p.json().columnType('json').$type<Presented>().nullable(),
    /** -2: API, -1: system. */
    userId: p.integer(),
    /** What the request was sent with; null of other events. */
    credential: p.json().$type<UsedCredential>().nullable(),
    /** The customer's time. */
    occurredAt: p.datetime(),
    /** Real time. */
    createdAt: p.datetime(),
  },
  triggers: [
    { name: 'event_to_outbox', timing: 'after', events: ['insert'], forEach: 'statement', expression: toOutbox },
  ],
  indexes: [
    { name: 'event_by_type', properties: ['accountId', 'type', 'id'] },
    { name: 'event_by_occurred', properties: ['accountId', 'occurredAt', 'id'] },
    // Of what was given to another customer: whose it was.
    partialIndex('event', 'event_former_customer', [
      `"account_id", (${FORMER_CUSTOMER})`,
      `(${FORMER_CUSTOMER}) is not null`,
    ]),
  ],
  uniques: [{ name: 'event_sequence', properties: ['accountId', 'subjectType', 'subjectId', 'sequence'] }],
});
export class Event extends EventSchema.class {}
EventSchema.setClass(Event);
