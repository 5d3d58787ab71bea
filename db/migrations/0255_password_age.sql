alter table "person" add "password_set_at" timestamptz null;
