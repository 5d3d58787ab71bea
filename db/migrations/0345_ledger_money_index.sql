set local maintenance_work_mem = '256MB';
create index "ledger_entry_of_money" on "ledger_entry" (account_id, document_at) where ledger_account = 'cash' or ledger_account like 'clearing:%';
