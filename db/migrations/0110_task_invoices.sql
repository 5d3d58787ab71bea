create table "task_invoice" ("account_id" int not null, "id" serial not null, "task_id" int not null, "invoice_id" int not null, primary key ("account_id", "id"));
comment on table "task_invoice" is 'An invoice that the task of a cadence asks for';
create index "task_invoice_by_invoice" on "task_invoice" ("account_id", "invoice_id");
alter table "task_invoice" add constraint "task_invoice_once" unique ("account_id", "task_id", "invoice_id");

alter table "task_invoice" add constraint "task_invoice_account_id_task_id_foreign" foreign key ("account_id", "task_id") references "task" ("account_id", "id") on update cascade on delete cascade;
alter table "task_invoice" add constraint "task_invoice_account_id_invoice_id_foreign" foreign key ("account_id", "invoice_id") references "invoice" ("account_id", "id") on update cascade on delete cascade;
alter table "task_invoice" enable row level security;
create policy "tenant" on "task_invoice" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "task_invoice" to "perennial_system" using (true);
