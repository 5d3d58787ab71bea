alter table "line_item" add "swept_at" timestamptz null;
