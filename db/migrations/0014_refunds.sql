create table "refund" ("account_id" int not null, "id" serial not null, "charge_id" int not null, "attempt_id" int not null, "currency" varchar(3) not null, "amount" numeric(18,4) not null, "from_unapplied" numeric(18,4) not null, "from_credit" numeric(18,4) not null, "from_deposits" numeric(18,4) not null, "expense" numeric(18,4) not null, "gateway" varchar(32) not null, "gateway_id" varchar(255) not null, "status" varchar(9) not null, "failure_message" varchar(255) null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "refund" is 'Money of a charge that was given back, or is being given back';
create index "refund_by_charge" on "refund" ("account_id", "charge_id", "id");
create index "refund_by_status" on "refund" ("account_id", "status", "id");
create index "refund_by_currency" on "refund" ("account_id", "currency", "id");
create index "refund_by_gateway" on "refund" ("account_id", "gateway", "id");
create index "refund_by_created" on "refund" ("account_id", "created_at", "id");
create index "refund_by_updated" on "refund" ("account_id", "updated_at", "id");
alter table "refund" add constraint "refund_attempt" unique ("account_id", "attempt_id");
alter table "refund" add constraint "refund_gateway_id" unique ("account_id", "gateway", "gateway_id");

create table "attempt_refund" ("account_id" int not null, "id" serial not null, "attempt_id" int not null, "charge_id" int not null, primary key ("account_id", "id"));
comment on table "attempt_refund" is 'The charge that an attempt refunds';
create index "attempt_refund_by_charge" on "attempt_refund" ("account_id", "charge_id");
alter table "attempt_refund" add constraint "attempt_refund_attempt" unique ("account_id", "attempt_id");

alter table "attempt" drop constraint "attempt_amount";
alter table "attempt" drop constraint "attempt_kind";
alter table "attempt" add constraint "attempt_amount" check ((kind in ('charge', 'refund')) = (amount is not null and currency is not null)) not valid;
alter table "attempt" add constraint "attempt_kind" check (kind in ('charge', 'vault', 'verify_source', 'delete_source', 'refund')) not valid;

alter table "charge" add "amount_refunded" numeric(18,4) not null default '0', add "refund_reserved" numeric(18,4) not null default '0', add "refunds" jsonb not null default '[]'::jsonb;
alter table "charge" add constraint "charge_refunded" check (amount_refunded >= 0 and refund_reserved >= 0 and amount_refunded + refund_reserved <= amount) not valid;

alter table "payment" add "refunded_own" numeric(18,4) not null default '0', add "refund_expense" numeric(18,4) not null default '0';
alter table "payment" add constraint "payment_refunded" check (refunded_own >= 0 and refund_expense >= 0 and balance + refunded_own <= amount) not valid;

alter table "refund" add constraint "refund_account_id_charge_id_foreign" foreign key ("account_id", "charge_id") references "charge" ("account_id", "id") on update cascade on delete cascade;
alter table "refund" add constraint "refund_account_id_attempt_id_foreign" foreign key ("account_id", "attempt_id") references "attempt" ("account_id", "id") on update cascade on delete restrict;
alter table "refund" add constraint "refund_status" check (status in ('succeeded', 'pending', 'failed'));
alter table "refund" add constraint "refund_amount" check (amount > 0);
alter table "refund" add constraint "refund_parts" check (least(from_unapplied, from_credit, from_deposits, expense) >= 0 and amount = from_unapplied + from_credit + from_deposits + expense);
alter table "refund" enable row level security;
create policy "tenant" on "refund" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "refund" to "perennial_system" using (true);

alter table "attempt_refund" add constraint "attempt_refund_account_id_attempt_id_foreign" foreign key ("account_id", "attempt_id") references "attempt" ("account_id", "id") on update cascade on delete cascade;
alter table "attempt_refund" add constraint "attempt_refund_account_id_charge_id_foreign" foreign key ("account_id", "charge_id") references "charge" ("account_id", "id") on update cascade on delete cascade;
alter table "attempt_refund" enable row level security;
create policy "tenant" on "attempt_refund" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "attempt_refund" to "perennial_system" using (true);
