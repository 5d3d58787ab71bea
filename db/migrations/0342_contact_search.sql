set local maintenance_work_mem = '256MB';
create index "task_search" on "task" using gin (routine.search_keys(account_id, '', name)) with (fastupdate = off);
create index "contact_search" on "contact" using gin (routine.search_keys(account_id, '', name || ' ' || coalesce(email, ''))) with (fastupdate = off);
