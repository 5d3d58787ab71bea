create index "credit_balance_adjustment_by_note" on "credit_balance_adjustment" (account_id, credit_note_id) where credit_note_id is not null;
create index "line_item_credited" on "line_item" using gin (jsonb_set('{}', array[account_id::text], credited) jsonb_path_ops) where credited is not null;
