/**
 * SQL: monthly recurring revenue of the subscription after an event of it. What is paused, in trial, ended or not begun earns nothing. `event`:
 * alias of the event.
 */
export const revenueAfter = (event: string): string =>
  `case when ${event}.object ->> 'status' in ('active', 'past_due') and not (${event}.object ->> 'paused')::boolean
          then (${event}.object ->> 'mrr')::numeric else 0 end`;

/**
 * SQL: writes the movements of events of subscriptions: revenue after each event less revenue after the one before it. `events`: a table or
 * relation with events. Events of earlier versions may name only the id of the plan.
 */
export const writeMovements = (events: string): string =>
  `insert into mrr_movement (account_id, subscription_id, event_id, currency, amount, occurred_at, created_at)
    select account_id, subscription_id, event_id, currency, earns - earned, occurred_at, created_at from (
      select e.account_id, e.subject_id::int as subscription_id, e.id as event_id, e.occurred_at, e.created_at,
        coalesce(e.object -> 'plan' ->> 'currency', (
          select p.currency from subscription s join plan p on p.account_id = s.account_id and p.id = s.plan_id
          where s.account_id = e.account_id and s.id = e.subject_id::int
        )) as currency,
        ${revenueAfter('e')} as earns, ${revenueAfter('f')} as earned
      from ${events} e left join event f on f.account_id = e.account_id and f.subject_type = e.subject_type and f.subject_id = e.subject_id
        and f.sequence = e.sequence - 1
      where e.subject_type = 'subscription'
      order by e.id
    ) change where earns <> earned`;
