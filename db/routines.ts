/**
 * Functions that replace several statements of a transaction by one round trip: each statement of a function sees all commits before it
 * began. They run with the caller's rights, and policies apply. Each `migrate` recreates them, in a schema of their own: in ours, the
 * schema diff would drop objects that no entity declares. A function with changed parameters or results needs a new name, because versions
 * of the product run side by side.
 */
export const ROUTINE_SCHEMA = 'routine';

/** Locks a lane against the fan-out, records a successful delivery, and schedules the lane. Returns whether more waits on it. */
const DELIVERY_MADE = `${ROUTINE_SCHEMA}.delivery_made(account int, endpoint int, lane_type varchar, lane_id varchar,
  delivery bigint, status int, answered text, latency int, at timestamptz)`;

export const routines = [
  {
    signature: DELIVERY_MADE,
    create: `
      create or replace function ${DELIVERY_MADE} returns boolean language plpgsql as $$
      declare is_due boolean;
      begin
        perform from public.webhook_lane l
          where l.account_id = account and l.webhook_id = endpoint and l.subject_type = lane_type and l.subject_id = lane_id for update;
        with made as (
          update public.webhook_delivery d set attempts = d.attempts + 1, state = 'delivered', ended_at = at
          where d.account_id = account and d.id = delivery and d.state = 'waiting' returning d.id, d.event_id, d.attempts
        ), noted as (
          insert into public.webhook_attempt
            (account_id, webhook_id, delivery_id, event_id, attempt, status_code, answer, latency_milliseconds, created_at)
          select account, endpoint, made.id, made.event_id, made.attempts, status, answered, latency, at from made
        ), healed as (
          update public.webhook w set failing_since = null
          where w.account_id = account and w.id = endpoint and w.failing_since is not null and exists (select from made)
        )
        update public.webhook_lane l set due_at = (
          select at from public.webhook_delivery d
          where d.account_id = account and d.webhook_id = endpoint and d.subject_type = lane_type and d.subject_id = lane_id
            and d.state = 'waiting' and d.id <> delivery limit 1)
        where l.account_id = account and l.webhook_id = endpoint and l.subject_type = lane_type and l.subject_id = lane_id
          and exists (select from made)
        returning l.due_at is not null into is_due;
        return coalesce(is_due, true);
      end; $$;`,
  },
];
