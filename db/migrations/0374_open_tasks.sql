create index "task_open_by_due" on "task" (account_id, due_at, id) where not complete;
