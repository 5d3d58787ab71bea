alter table "problem" add "told_at" timestamptz null;
