create index "estimate_by_total" on "estimate" (account_id, total, id) where deleted_at is null;
create index "credit_note_by_total" on "credit_note" (account_id, total, id) where deleted_at is null;
create index "credit_note_by_balance" on "credit_note" (account_id, balance, id) where deleted_at is null;
