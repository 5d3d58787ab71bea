alter table "task" add "promised_invoice_id" int null;
create index "task_by_promise" on "task" (account_id, promised_invoice_id) where promised_invoice_id is not null;

alter table "invoice" add "promise" varchar(8) null, add "expected_payment_at" timestamptz null, add "expected_payment_method" varchar(16) null, add "expected_payment_reference" varchar(255) null;
alter table "invoice" add constraint "invoice_promise" check (promise in ('promised', 'kept', 'broken')) not valid;
alter table "invoice" add constraint "invoice_promised" check ((promise is null) = (expected_payment_at is null)) not valid;
