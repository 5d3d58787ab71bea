create table "usage_rate" ("account_id" int not null, "id" serial not null, "subscription_id" int not null, "addon_id" int null, "from_at" timestamptz not null, "until_at" timestamptz null, "billed_until" timestamptz null, "collected" jsonb null, "component" jsonb not null, primary key ("account_id", "id"));
comment on table "usage_rate" is 'A price at which the usage of a plan or add-on counts for some time; those of one component do not overlap';
create index "usage_rate_by_subscription" on "usage_rate" ("account_id", "subscription_id", "addon_id", "from_at");

create table "usage_record" ("account_id" int not null, "id" bigserial not null, "subscription_id" int not null, "addon_id" int null, "quantity" numeric(25,10) not null, "used_at" timestamptz not null, "key" varchar(255) not null, "total_id" bigint null, "created_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "usage_record" is 'Units that a subscription used, as a request reported them; it has no foreign keys, so that a report locks nothing';
create index "usage_record_by_time" on "usage_record" ("account_id", "subscription_id", "used_at", "id");
create index "usage_record_by_created" on "usage_record" using brin ("created_at");
create index "usage_record_unbilled" on "usage_record" (account_id, subscription_id, coalesce(addon_id, 0), used_at) where total_id is null;
alter table "usage_record" add constraint "usage_record_key" unique ("account_id", "subscription_id", "key");

create table "usage_total" ("account_id" int not null, "id" bigserial not null, "rate_id" int not null, "turn" int not null, "start_at" timestamptz not null, "end_at" timestamptz not null, "quantity" numeric not null, "records" int not null, "amount" numeric(18,4) not null, "free" boolean not null, "invoice_id" int null, "line_id" bigint null, "created_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "usage_total" is 'Usage of a rate in a span of time that one bill has taken; late usage of the span has totals of its own';
create index "usage_total_by_invoice" on "usage_total" (account_id, invoice_id) where invoice_id is not null;
create index "usage_total_by_line" on "usage_total" (account_id, line_id) where line_id is not null;
alter table "usage_total" add constraint "usage_total_turn" unique ("account_id", "rate_id", "start_at", "turn");

alter table "subscription" add "has_usage" boolean not null default false, add "usage_thresholds" jsonb null, add "usage_told" jsonb null, add "late_usage_at" timestamptz null;

alter table "usage_rate" add constraint "usage_rate_account_id_subscription_id_foreign" foreign key ("account_id", "subscription_id") references "subscription" ("account_id", "id") on update cascade on delete cascade;
alter table "usage_rate" add constraint "usage_rate_time" check (until_at is null or until_at >= from_at);
alter table "usage_rate" enable row level security;
create policy "tenant" on "usage_rate" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "usage_rate" to "perennial_system" using (true);

alter table "usage_record" add constraint "usage_record_quantity" check (quantity <> 0);
alter table "usage_record" enable row level security;
create policy "tenant" on "usage_record" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "usage_record" to "perennial_system" using (true);

alter table "usage_total" add constraint "usage_total_account_id_rate_id_foreign" foreign key ("account_id", "rate_id") references "usage_rate" ("account_id", "id") on update cascade on delete cascade;
alter table "usage_total" enable row level security;
create policy "tenant" on "usage_total" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "usage_total" to "perennial_system" using (true);
