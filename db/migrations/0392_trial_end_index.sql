create index "subscription_current_by_trial_end" on "subscription" (account_id, trial_end_at, id) where status not in ('canceled', 'finished');
