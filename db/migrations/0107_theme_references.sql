alter table "customer" validate constraint "customer_account_id_theme_id_foreign";
