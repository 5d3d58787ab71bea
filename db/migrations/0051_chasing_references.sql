alter table "customer" validate constraint "customer_account_id_chasing_cadence_id_foreign";
