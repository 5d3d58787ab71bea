alter table "invoice" validate constraint "invoice_written_off";
