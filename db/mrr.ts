/** SQL: a field of the subscription of event `e` before it. */
const former = (field: string): string => `coalesce(e.previous ->> '${field}', e.object ->> '${field}')`;

/** SQL: revenue of a subscription with this status, pause and `mrr`. What is paused, in trial, ended or not begun earns nothing. */
const earned = (status: string, paused: string, mrr: string): string =>
  `case when ${status} in ('active', 'past_due') and not (${paused})::boolean then (${mrr})::numeric else 0 end`;

/** SQL: revenue of the subscription of event `e` after it. */
export const AFTER = earned("e.object ->> 'status'", "e.object ->> 'paused'", "e.object ->> 'mrr'");
const BEFORE = `case when e.type = 'subscription.created' then 0 else ${earned(former('status'), former('paused'), former('mrr'))} end`;

/**
 * SQL: writes the movements of events of subscriptions. `events`: a table or relation with events. `where`: a condition on `e`. Events of
 * earlier versions may name only the id of the plan.
 */
export const writeMovements = (events: string, where: string): string =>
  `insert into mrr_movement (account_id, subscription_id, event_id, currency, amount, occurred_at, created_at)
    select account_id, subscription_id, event_id, currency, earns - earned, occurred_at, created_at from (
      select e.account_id, e.subject_id::int as subscription_id, e.id as event_id, coalesce(e.object -> 'plan' ->> 'currency', (
          select p.currency from subscription s join plan p on p.account_id = s.account_id and p.id = s.plan_id
          where s.account_id = e.account_id and s.id = e.subject_id::int
        )) as currency,
        ${AFTER} as earns, ${BEFORE} as earned, e.occurred_at, e.created_at
      from ${events} e where e.subject_type = 'subscription' and ${where}
      order by e.id
    ) change where earns <> earned`;
