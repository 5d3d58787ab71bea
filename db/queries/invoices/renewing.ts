/**
 * SQL: when the first due step of a customer's subscriptions became due, UNIX time in milliseconds. Steps that are due for more than an hour or
 * whose process is stuck do not count. Null: there is none. Takes the account, the customer, and the time twice.
 */
export const SUBSCRIPTION_DUE_AT = `(
  select (extract(epoch from min(w.at)) * 1000)::float8 from subscription s
  join wakeup w on w.account_id = s.account_id and w.process = 'subscription' and w.subject_id = s.id
  where s.account_id = ? and s.customer_id = ? and s.status not in ('finished', 'canceled')
    and w.at <= ? and w.at > ?::timestamptz - interval '1 hour'
    and not exists (select 1 from wakeup p where p.account_id = w.account_id and p.process = w.process
      and p.subject_id = w.subject_id and p.rule = 'problem'))`;
