create table "late_fee_schedule" ("account_id" int not null, "id" serial not null, "name" varchar(255) not null, "grace_period_days" int not null, "amount" numeric(25,10) not null, "is_percent" boolean not null, "recurring_days" int not null, "cap" numeric(18,4) null, "currency" varchar(3) not null, "is_default" boolean not null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "late_fee_schedule" is 'Terms of late fees; the default one of an account applies to its past-due invoices';
create unique index "late_fee_schedule_default" on "late_fee_schedule" ("account_id") where is_default;
create index "late_fee_schedule_by_name" on "late_fee_schedule" ("account_id", "name", "id");
create index "late_fee_schedule_by_created" on "late_fee_schedule" ("account_id", "created_at", "id");
create index "late_fee_schedule_by_updated" on "late_fee_schedule" ("account_id", "updated_at", "id");

alter table "late_fee_schedule" add constraint "late_fee_schedule_amount" check (amount > 0);
alter table "late_fee_schedule" add constraint "late_fee_schedule_percent" check (not is_percent or amount <= 100);
alter table "late_fee_schedule" add constraint "late_fee_schedule_cap" check (cap > 0 and (is_percent or cap >= amount));
alter table "late_fee_schedule" add constraint "late_fee_schedule_days" check (grace_period_days >= 0 and recurring_days >= 0);
alter table "late_fee_schedule" enable row level security;
create policy "tenant" on "late_fee_schedule" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "late_fee_schedule" to "perennial_system" using (true);
