alter table "subscription" add "prorated_prices" jsonb null;
