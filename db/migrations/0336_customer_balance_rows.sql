insert into customer_balance (account_id, customer_id, currency, balance, overdue, oldest_due_at)
select account_id, customer_id, currency, sum(balance), coalesce(sum(balance) filter (where past_due), 0), min(due_at)
from invoice where issued_at is not null and not closed
group by account_id, customer_id, currency order by account_id, customer_id, currency
on conflict (account_id, customer_id, currency) do nothing;
