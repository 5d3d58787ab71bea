alter table "credit_balance_adjustment" add "credit_note_id" int null;
alter table "credit_note" add "force_reason" text null;
alter table "line_item" add "credited" jsonb null;
