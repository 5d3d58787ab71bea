alter table "attempt" add "credential" jsonb null;
alter table "event" add "credential" jsonb null;
