set local maintenance_work_mem = '256MB';
create index "customer_search" on "customer" using gin ((routine.search_keys(account_id, '', name || ' ' || coalesce(email, '')) || routine.search_keys(account_id, '#', number))) with (fastupdate = off);
