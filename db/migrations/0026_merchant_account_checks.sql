alter table "customer" validate constraint "customer_account_id_card_merchant_account_id_foreign";
alter table "customer" validate constraint "customer_account_id_bank_merchant_account_id_foreign";
