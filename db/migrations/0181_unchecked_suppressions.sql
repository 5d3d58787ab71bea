create index "suppression_unchecked" on "suppression" (account_id, id) where lifted_at is null and not is_checked;
