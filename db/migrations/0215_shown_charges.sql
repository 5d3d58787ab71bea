alter table "attempt" add "shown" jsonb null;
