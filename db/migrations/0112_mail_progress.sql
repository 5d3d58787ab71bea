alter table "email" add "progress" jsonb null;
