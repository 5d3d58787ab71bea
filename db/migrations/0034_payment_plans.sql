create table "payment_plan" ("account_id" int not null, "id" serial not null, "customer_id" int not null, "invoice_id" int not null, "status" varchar(14) not null, "installments" jsonb not null, "current_id" int null, "attempts_before" int not null default 0, "former_terms" varchar(64) null, "former_due_at" timestamptz null, "event_count" int not null default 0, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "payment_plan" is 'Installments in which the balance of an invoice is paid; an invoice refers to its latest plan';
create index "payment_plan_by_invoice" on "payment_plan" ("account_id", "invoice_id", "id");
create index "payment_plan_by_customer" on "payment_plan" ("account_id", "customer_id", "id");

alter table "invoice" add "payment_plan_id" int null;

alter table "payment_plan" add constraint "payment_plan_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete restrict;
alter table "payment_plan" add constraint "payment_plan_account_id_invoice_id_foreign" foreign key ("account_id", "invoice_id") references "invoice" ("account_id", "id") on update cascade on delete restrict;
alter table "payment_plan" add constraint "payment_plan_status" check (status in ('pending_signup', 'active', 'finished', 'canceled'));
alter table "payment_plan" add constraint "payment_plan_attempts" check (attempts_before >= 0);
alter table "payment_plan" enable row level security;
create policy "tenant" on "payment_plan" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "payment_plan" to "perennial_system" using (true);
