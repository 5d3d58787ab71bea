create index "sign_up_not_done" on "sign_up" (account_id, page_id, started_at) where state <> 'done';
