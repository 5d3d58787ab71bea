create index "tax_rate_by_gl_account" on "tax_rate" (account_id, gl_account, id) where archived_at is null;
create index "ledger_entry_late" on "ledger_entry" (account_id, invoice_id) where open_from is not null and reason in ('void', 'delete', 'change');
