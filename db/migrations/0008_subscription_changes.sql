alter table "subscription" add "changed_at" timestamptz null, add "prorations" jsonb not null default '[]', add "past_prices" jsonb null, add "pending_change" jsonb null;
