create table "late_fee" ("account_id" int not null, "id" serial not null, "invoice_id" int not null, "fee_invoice_id" int null, "accrued_on" date not null, "accrued_at" timestamptz not null, "currency" varchar(3) not null, "principal" numeric(18,4) not null, "rate" numeric(25,10) not null, "is_percent" boolean not null, "cap" numeric(18,4) null, "amount" numeric(18,4) not null, "created_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "late_fee" is 'A late fee of a past-due invoice, with the terms and the principal that it was computed from; append-only';
create index "late_fee_by_fee_invoice" on "late_fee" ("account_id", "fee_invoice_id");
alter table "late_fee" add constraint "late_fee_once" unique ("account_id", "invoice_id", "accrued_on");

alter table "invoice" add "late_fee_at" timestamptz null, add "late_fees_planned" boolean not null default false;

alter table "late_fee" add constraint "late_fee_account_id_invoice_id_foreign" foreign key ("account_id", "invoice_id") references "invoice" ("account_id", "id") on update cascade on delete cascade;
alter table "late_fee" add constraint "late_fee_account_id_fee_invoice_id_foreign" foreign key ("account_id", "fee_invoice_id") references "invoice" ("account_id", "id") on update cascade on delete cascade;
alter table "late_fee" add constraint "late_fee_amount" check (amount > 0 and principal > 0);
alter table "late_fee" enable row level security;
create policy "tenant" on "late_fee" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "late_fee" to "perennial_system" using (true);
