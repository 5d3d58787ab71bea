alter table "subscription" add "changed_at" timestamptz null, add "prorations" jsonb not null default '[]', add "pending_change" jsonb null;
