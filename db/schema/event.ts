import { defineEntity, p } from '@mikro-orm/core';
import type { Presented } from '../../billing/json.ts';
import { closedPolicies, named, policiesByType } from '../tenant.ts';
import { longId, longTenantKey } from './columns.ts';
import { partialIndex } from './indexes.ts';
import { writeMovements } from './mrrMovement.ts';

/** SQL: id of the customer that had the object before the event. */
export const FORMER_CUSTOMER = "previous -> 'customer' ->> 'id'";

/** Types of events' objects that belong to customers; their tables have the same names. */
export const subjectsOfCustomers = [
  'customer',
  'note',
  'task',
  'contact',
  'credit_balance_adjustment',
  'payment',
  'charge',
  'line_item',
  'estimate',
  'credit_note',
  'payment_plan',
  'invoice',
  'subscription',
  'payment_source',
] as const;

/** The API key or OAuth grant of a request, or the member who acts in a browser, with its name at that time: keys may be revoked and grants deleted. */
export interface UsedCredential {
  kind: 'api_key' | 'oauth_grant' | 'member';
  id: number;
  /** For a grant: the name of its application; for a member: its email address. */
  name: string;
}

/** Why an event happened. */
export type EventReason =
  /** Its customer did it on a page. */
  | 'on_page'
  /** A period started and was billed. */
  | 'period_started'
  /** A period started that is billed before or after it. */
  | 'period_began'
  /** A period ended and was billed in arrears. */
  | 'period_ended'
  | 'trial_began'
  | 'cycles_billed'
  | 'contract_renewed'
  | 'change_applied'
  /** A pause at the end of the period began. */
  | 'paused'
  | 'resumed'
  /** A backfill of past periods ended with an inactive customer. */
  | 'customer_inactive'
  | 'renewal_pending'
  /** A subscription was set to end with its period or contract. */
  | 'canceled_at_end'
  /** A charge failed for the last time, and the account cancels such subscriptions. */
  | 'canceled_unpaid'
  /** The next period would end after the latest supported time. */
  | 'latest_date'
  | 'invoice_past_due'
  | 'no_invoice_past_due'
  | 'due_date_passed'
  | 'late_fee_accrued'
  | 'promise_broken'
  /** Its customer disputes a line. */
  | 'line_disputed'
  /** Everything that a task of a cadence asks for is paid. */
  | 'paid_up'
  /** Nothing that a task of a cadence asks for is open any more. */
  | 'nothing_owed'
  | 'early_discount_ended'
  | 'early_discount_earned'
  | 'expiration_date_passed'
  | 'payment_pending'
  | 'charge_failed'
  /** Credit of its customer paid an open invoice by itself. */
  | 'credit_applied'
  /** A payment named its invoices, and its amount was the sum of their balances. */
  | 'match_certain'
  | 'no_payment_source';

/** Trigger that writes an outbox row for each event, without a statement of its own. */
const toOutbox = `create or replace function event_to_outbox() returns trigger as $$
begin
  insert into outbox (account_id, topic, event_id, subject_id, due_at)
    select account_id, 'event', id, 0, created_at from recorded order by id;
  return null;
end; $$ language plpgsql;
create trigger "event_to_outbox" after insert on "event" referencing new table as recorded
  for each statement execute function event_to_outbox();`;

/** Trigger that writes the movements of revenue that events of subscriptions tell of, without a statement of its own. */
const toMovements = `create or replace function event_to_mrr() returns trigger as $$
begin
  if exists (select from recorded where subject_type = 'subscription') then
    ${writeMovements('recorded')};
  end if;
  return null;
end; $$ language plpgsql;
create trigger "event_to_mrr" after insert on "event" referencing new table as recorded
  for each statement execute function event_to_mrr();`;

const EventSchema = defineEntity({
  name: 'Event',
  policies: policiesByType('event', { type: 'subject_type', id: 'subject_id', tables: named(subjectsOfCustomers) }),
  properties: {
    ...longTenantKey,
    type: p.string().length(64),
    subjectType: p.string().length(32),
    subjectId: p.string().length(64),
    /** Number of the event among those of its object: 1, 2, 3, … */
    sequence: p.integer(),
    /** `data.object`, as the account's version presents it; json, not jsonb: the order of its members is kept. */
    object: p.json().columnType('json').$type<Presented>(),
    /** `data.previous`: old values of what an update changed. */
    previous: p.json().columnType('json').$type<Presented>().nullable(),
    /** -2: API, -1: system. */
    userId: p.integer(),
    /** Credential of the request; null for other events. */
    credential: p.json().$type<UsedCredential>().nullable(),
    /** Null: its type and the caller say it all. */
    reason: p.string().length(32).$type<EventReason>().nullable(),
    /** Id of the request that caused it. */
    requestId: p.string().length(128).nullable(),
    /** Its place in the trace of that request. */
    traceparent: p.string().length(55).nullable(),
    /** The customer's time. */
    occurredAt: p.datetime(),
    /** Real time. */
    createdAt: p.datetime(),
  },
  triggers: [
    { name: 'event_to_outbox', timing: 'after', events: ['insert'], forEach: 'statement', expression: toOutbox },
    { name: 'event_to_mrr', timing: 'after', events: ['insert'], forEach: 'statement', expression: toMovements },
  ],
  indexes: [
    { name: 'event_by_type', properties: ['accountId', 'type', 'id'] },
    { name: 'event_by_occurred', properties: ['accountId', 'occurredAt', 'id'] },
    // Objects that moved to another customer, by their former customer.
    partialIndex('event', 'event_former_customer', [
      `"account_id", (${FORMER_CUSTOMER})`,
      `(${FORMER_CUSTOMER}) is not null`,
    ]),
  ],
  uniques: [{ name: 'event_sequence', properties: ['accountId', 'subjectType', 'subjectId', 'sequence'] }],
});
export class Event extends EventSchema.class {}
EventSchema.setClass(Event);

const EventLogSchema = defineEntity({
  name: 'EventLog',
  policies: closedPolicies,
  comment: 'Order of committed events: appended by one relay leader, so that a reader of positions misses none',
  properties: {
    position: p.bigint().primary().autoincrement(),
    accountId: p.integer(),
    eventId: longId(),
  },
  uniques: [{ name: 'event_log_event', properties: ['accountId', 'eventId'] }],
  indexes: [{ name: 'event_log_by_account', properties: ['accountId', 'position'] }],
});
export class EventLog extends EventLogSchema.class {}
EventLogSchema.setClass(EventLog);
