/**
 * SQL: since when a step of a subscription of a customer has been due, UNIX time in milliseconds. Null: none is that is at most an hour old and
 * not stuck. Steps of its invoices wait for it. Takes the account, the customer, and the time twice.
 */
export const RENEWAL_AT = `(
  select (extract(epoch from max(w.at)) * 1000)::float8 from subscription s
  join wakeup w on w.account_id = s.account_id and w.process = 'subscription' and w.subject_id = s.id
  where s.account_id = ? and s.customer_id = ? and s.status not in ('finished', 'canceled')
    and w.at <= ? and w.at > ?::timestamptz - interval '1 hour'
    and not exists (select 1 from wakeup p where p.account_id = w.account_id and p.process = w.process
      and p.subject_id = w.subject_id and p.rule = 'problem'))`;
