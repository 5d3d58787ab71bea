create index "customer_by_theme" on "customer" (account_id, theme_id, id) where theme_id is not null;
