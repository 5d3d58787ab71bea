create index "attempt_not_made" on "attempt" (account_id, gateway, reference) where state in ('failed', 'abandoned') and reference is not null;
