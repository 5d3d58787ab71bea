set local maintenance_work_mem = '256MB';
create index "estimate_search" on "estimate" using gin (routine.search_keys(account_id, '', name || ' ' || coalesce(number, '') || ' ' || coalesce(purchase_order, ''))) with (fastupdate = off);
create index "credit_note_search" on "credit_note" using gin (routine.search_keys(account_id, '', name || ' ' || coalesce(number, '') || ' ' || coalesce(purchase_order, ''))) with (fastupdate = off);
