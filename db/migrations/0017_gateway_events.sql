create table "gateway_event" ("account_id" int not null, "id" bigserial not null, "configuration" varchar(64) not null, "event_id" varchar(255) not null, "type" varchar(100) not null, "reference" varchar(255) null, "attempt_id" int null, "body" text not null, "state" varchar(9) not null, "received_at" timestamptz not null, "processed_at" timestamptz null, primary key ("account_id", "id"));
comment on table "gateway_event" is 'An event that a gateway sent, stored once and as received';
create index "gateway_event_by_attempt" on "gateway_event" (account_id, attempt_id) where attempt_id is not null;
create index "gateway_event_unmatched" on "gateway_event" (account_id, reference) where state = 'unmatched';
create index "gateway_event_received" on "gateway_event" (received_at) where state = 'received';
alter table "gateway_event" add constraint "gateway_event_id" unique ("account_id", "configuration", "event_id");

create table "dispute" ("account_id" int not null, "id" serial not null, "charge_id" int not null, "gateway" varchar(32) not null, "gateway_id" varchar(255) not null, "currency" varchar(3) not null, "amount" numeric(18,4) not null, "status" varchar(9) not null, "reason" varchar(64) not null, "evidence_due_at" timestamptz null, "amount_lost" numeric(18,4) not null default '0', "from_payment" numeric(18,4) not null default '0', "expense" numeric(18,4) not null default '0', "fee" numeric(18,4) not null default '0', "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "dispute" is 'A dispute of a charge: its bank holds the money until it decides';
create index "dispute_by_charge" on "dispute" ("account_id", "charge_id", "id");
create index "dispute_by_status" on "dispute" ("account_id", "status", "id");
create index "dispute_by_currency" on "dispute" ("account_id", "currency", "id");
create index "dispute_by_gateway" on "dispute" ("account_id", "gateway", "id");
create index "dispute_by_created" on "dispute" ("account_id", "created_at", "id");
create index "dispute_by_updated" on "dispute" ("account_id", "updated_at", "id");
alter table "dispute" add constraint "dispute_gateway_id" unique ("account_id", "gateway", "gateway_id");

alter table "task" add "dispute_id" int null;
create index "task_by_dispute" on "task" (account_id, dispute_id) where dispute_id is not null;

alter table "attempt" add "reversal_look_ups" int not null default 0;

alter table "charge" add "amount_lost" numeric(18,4) not null default '0', add "disputed" boolean not null default false, add "returned_at" timestamptz null, add "gateway_fee" numeric(18,4) not null default '0';
alter table "charge" add constraint "charge_lost" check (amount_lost >= 0 and gateway_fee >= 0) not valid;

alter table "gateway_event" add constraint "gateway_event_account_id_attempt_id_foreign" foreign key ("account_id", "attempt_id") references "attempt" ("account_id", "id") on update cascade on delete cascade;
alter table "gateway_event" add constraint "gateway_event_state" check (state in ('received', 'processed', 'unmatched', 'ignored'));
alter table "gateway_event" add constraint "gateway_event_attempt" check (state in ('unmatched', 'ignored') or attempt_id is not null);
alter table "gateway_event" add constraint "gateway_event_processed" check ((state = 'processed') = (processed_at is not null));
alter table "gateway_event" enable row level security;
create policy "tenant" on "gateway_event" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "gateway_event" to "perennial_system" using (true);

alter table "dispute" add constraint "dispute_account_id_charge_id_foreign" foreign key ("account_id", "charge_id") references "charge" ("account_id", "id") on update cascade on delete cascade;
alter table "dispute" add constraint "dispute_status" check (status in ('open', 'won', 'lost', 'partial', 'withdrawn'));
alter table "dispute" add constraint "dispute_amount" check (amount > 0 and fee >= 0);
alter table "dispute" add constraint "dispute_lost" check (least(amount_lost, from_payment, expense) >= 0 and amount_lost = from_payment + expense);
alter table "dispute" add constraint "dispute_lost_status" check (case status when 'lost' then amount_lost = amount when 'partial' then amount_lost > 0 and amount_lost < amount else amount_lost = 0 end);
alter table "dispute" enable row level security;
create policy "tenant" on "dispute" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "dispute" to "perennial_system" using (true);
