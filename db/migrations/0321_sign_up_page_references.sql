alter table "customer" validate constraint "customer_account_id_sign_up_page_id_foreign";
