alter table "invoice" validate constraint "invoice_promise";
alter table "invoice" validate constraint "invoice_promised";
