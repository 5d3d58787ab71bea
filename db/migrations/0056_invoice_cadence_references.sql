alter table "chasing_cadence" validate constraint "chasing_cadence_kind";
alter table "chasing_cadence" validate constraint "chasing_cadence_of_invoices";
alter table "chasing_cadence" validate constraint "chasing_cadence_of_customers";
alter table "invoice" validate constraint "invoice_account_id_chasing_cadence_id_foreign";
