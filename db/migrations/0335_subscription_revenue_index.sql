create index "subscription_current_by_mrr" on "subscription" (account_id, mrr, id) where status not in ('canceled', 'finished');
