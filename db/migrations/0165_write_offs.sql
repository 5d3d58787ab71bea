create table "write_off" ("account_id" int not null, "id" serial not null, "invoice_id" int not null, "kind" varchar(10) not null, "currency" varchar(3) not null, "amount" numeric(18,4) not null, "ledger_account" varchar(300) not null, "taxes" jsonb not null default '{}'::jsonb, "payment_id" int null, "reason" varchar(255) null, "reversed_at" timestamptz null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "write_off" is 'An amount of an invoice that is not collected';
create index "write_off_by_invoice" on "write_off" ("account_id", "invoice_id", "id");
create index "write_off_by_created" on "write_off" ("account_id", "created_at", "id");
create index "write_off_by_updated" on "write_off" ("account_id", "updated_at", "id");
create index "write_off_by_payment" on "write_off" (account_id, payment_id) where payment_id is not null;

alter table "write_off" add constraint "write_off_account_id_invoice_id_foreign" foreign key ("account_id", "invoice_id") references "invoice" ("account_id", "id") on update cascade on delete cascade;
alter table "write_off" add constraint "write_off_kind" check (kind in ('part', 'difference', 'whole'));
alter table "write_off" add constraint "write_off_amount" check (amount > 0);
alter table "write_off" enable row level security;
create policy "tenant" on "write_off" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "write_off" to "perennial_system" using (true);

alter table "invoice" add "written_off" numeric(18,4) not null default '0', add "write_off_reason" varchar(255) null;
alter table "invoice" add constraint "invoice_written_off" check (written_off >= 0 and balance + written_off <= total) not valid;
