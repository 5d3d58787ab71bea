alter table "usage_total" add "terms" jsonb null, add "billed" jsonb null;
