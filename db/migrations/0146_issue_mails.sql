alter table "customer" add "email_new_invoices" varchar(13) null;

alter table "invoice" add "issue_mailed_at" timestamptz null, add "unmailed_task_id" int null;

alter table "task" add "unmailed_invoice_id" int null;
