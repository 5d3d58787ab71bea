set local maintenance_work_mem = '256MB';
create index "invoice_search" on "invoice" using gin (routine.search_keys(account_id, '', name || ' ' || coalesce(number, '') || ' ' || coalesce(purchase_order, ''))) with (fastupdate = off);
