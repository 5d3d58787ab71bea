create index "invoice_open_by_due" on "invoice" (account_id, customer_id, currency, due_at) where issued_at is not null and not closed;
create index "invoice_by_total" on "invoice" (account_id, total, id) where deleted_at is null;
create index "invoice_by_balance" on "invoice" (account_id, balance, id) where deleted_at is null;
