create table "account" ("id" serial primary key, "environment" varchar(7) not null, "twin_id" int null, "name" varchar(255) not null, "email" varchar(255) null, "address1" varchar(255) null, "address2" varchar(255) null, "city" varchar(255) null, "state" varchar(255) null, "postal_code" varchar(255) null, "country" varchar(2) null, "tax_id" varchar(255) null, "language" varchar(2) not null, "currency" varchar(3) not null, "time_zone" varchar(64) not null, "api_version" varchar(10) not null, "settings" jsonb not null, "created_at" timestamptz not null, "updated_at" timestamptz not null);
comment on table "account" is 'One business in one environment';

create table "api_key" ("account_id" int not null, "id" serial not null, "name" varchar(255) not null, "hash" varchar(64) not null, "last4" varchar(4) not null, "scope" varchar(10) not null, "expires_at" timestamptz null, "revoked_at" timestamptz null, "created_at" timestamptz not null, primary key ("account_id", "id"));
alter table "api_key" add constraint "api_key_hash" unique ("hash");

create table "deployment" ("singleton" serial primary key, "id" varchar(32) not null, "key_fingerprint" varchar(16) not null, "temporal_namespace_id" varchar(64) null, "created_at" timestamptz not null);
comment on table "deployment" is 'One row, written at first start: a database cloned from a template gets its own id';

create table "event" ("account_id" int not null, "id" serial not null, "type" varchar(64) not null, "subject_type" varchar(32) not null, "subject_id" varchar(64) not null, "sequence" int not null, "object" json not null, "previous" json null, "user_id" int not null, "occurred_at" timestamptz not null, "created_at" timestamptz not null, primary key ("account_id", "id"));
alter table "event" add constraint "event_sequence" unique ("account_id", "subject_type", "subject_id", "sequence");

create table "event_log" ("position" bigserial primary key, "account_id" int not null, "event_id" int not null);
comment on table "event_log" is 'Order of committed events: appended by one relay leader, so that a reader of positions misses none';
create index "event_log_by_account" on "event_log" ("account_id", "position");
alter table "event_log" add constraint "event_log_event" unique ("account_id", "event_id");

create table "idempotency" ("account_id" int not null, "credential_id" int not null, "key" varchar(255) not null, "fingerprint" varchar(64) not null, "attempt_id" int null, "status_code" int null, "body" text null, "sealed" boolean not null default false, "created_at" timestamptz not null, primary key ("account_id", "credential_id", "key"));
comment on table "idempotency" is 'A request that has had its effect, and its answer; written in the transaction of the effect';
create index "idempotency_created" on "idempotency" ("created_at");
create index "idempotency_attempt" on "idempotency" ("account_id", "attempt_id") where attempt_id is not null;

create table "item" ("account_id" int not null, "id" serial not null, "code" varchar(64) not null, "name" varchar(255) not null, "currency" varchar(3) null, "unit_cost" numeric(25,10) not null, "description" text null, "type" varchar(255) null, "gl_account" varchar(255) null, "metadata" jsonb not null, "archived_at" timestamptz null, "event_count" int not null default 0, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "item" is 'Catalog item; `code` is the id that clients see, free again once archived';
create unique index "item_code" on "item" ("account_id", "code") where archived_at is null;

create table "ledger_entry" ("account_id" int not null, "id" serial not null, "posting" uuid not null, "ledger_account" varchar(300) not null, "currency" varchar(3) not null, "amount" numeric(18,4) not null, "reason" varchar(32) not null, "customer_id" int null, "invoice_id" int null, "payment_id" int null, "document_at" timestamptz not null, "posted_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "ledger_entry" is 'Double entry, append-only; debit positive, credit negative; a posting sums to zero per currency';
create index "ledger_entry_by_invoice" on "ledger_entry" ("account_id", "invoice_id");
create index "ledger_entry_by_payment" on "ledger_entry" ("account_id", "payment_id");
create index "ledger_entry_by_account" on "ledger_entry" ("account_id", "ledger_account", "currency", "id");

create table "numbering" ("account_id" int not null, "series" varchar(16) not null, "prefix" varchar(16) not null, "next" int not null, primary key ("account_id", "series"));
comment on table "numbering" is 'Number series of an account; `next` is taken, last of all, in the transaction that uses it';

create table "outbox" ("id" bigserial primary key, "account_id" int not null, "topic" varchar(16) not null, "event_id" int null, "subject_id" int not null, "shard" int not null default 0, "due_at" timestamptz not null, "start_at" timestamptz null, "clock_id" int null, "leased_until" timestamptz null);
comment on table "outbox" is 'What a transaction wants to happen after it; the relay does it and deletes the row';
create index "outbox_event" on "outbox" ("id") where topic = 'event';
create index "outbox_process" on "outbox" ("due_at") where topic <> 'event';
create index "outbox_subject" on "outbox" ("account_id", "subject_id") where topic = 'charge';

create table "plan" ("account_id" int not null, "id" serial not null, "code" varchar(64) not null, "item_id" int null, "name" varchar(255) not null, "currency" varchar(3) not null, "amount" numeric(25,10) not null, "pricing_mode" varchar(8) not null, "quantity_type" varchar(8) not null, "interval" varchar(5) not null, "interval_count" int not null, "metadata" jsonb not null, "archived_at" timestamptz null, "event_count" int not null default 0, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "plan" is 'Price and interval of a subscription; `code` is the id that clients see, free again once archived';
create unique index "plan_code" on "plan" ("account_id", "code") where archived_at is null;
create index "plan_by_item" on "plan" ("account_id", "item_id");

create table "problem" ("account_id" int not null, "id" serial not null, "subject_type" varchar(32) not null, "subject_id" int not null, "step" varchar(255) not null, "message" text not null, "money_at_risk" numeric(18,4) null, "currency" varchar(3) null, "since" timestamptz not null, "tries" int not null, "next_try_at" timestamptz null, "closed_at" timestamptz null, primary key ("account_id", "id"));
comment on table "problem" is 'A process step that was refused, failed or is overdue; closes itself when solved';
create unique index "problem_open" on "problem" ("account_id", "subject_type", "subject_id") where closed_at is null;

create table "test_clock" ("account_id" int not null, "id" serial not null, "name" varchar(255) null, "frozen_at" timestamptz not null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "test_clock" is 'Time of the sandbox customers that live on it';

create table "customer" ("account_id" int not null, "id" serial not null, "test_clock_id" int null, "default_source_id" int null, "name" varchar(255) not null, "number" varchar(255) not null, "email" varchar(255) null, "autopay" boolean not null, "autopay_delay_days" int not null, "payment_terms" varchar(64) null, "attention_to" varchar(255) null, "address1" varchar(255) null, "address2" varchar(255) null, "city" varchar(255) null, "state" varchar(255) null, "postal_code" varchar(255) null, "country" varchar(2) null, "language" varchar(2) null, "currency" varchar(3) null, "phone" varchar(255) null, "tax_id" varchar(255) null, "type" varchar(7) not null, "notes" text null, "metadata" jsonb not null, "event_count" int not null default 0, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
create index "customer_by_name" on "customer" ("account_id", "name");
create index "customer_by_email" on "customer" ("account_id", "email");
create index "customer_by_updated" on "customer" ("account_id", "updated_at");
alter table "customer" add constraint "customer_number" unique ("account_id", "number");

create table "subscription" ("account_id" int not null, "id" serial not null, "customer_id" int not null, "plan_id" int not null, "status" varchar(11) not null, "quantity" int not null, "anchor_at" timestamptz not null, "time_zone" varchar(64) not null, "segment" int not null default 0, "next_period" int not null default 0, "cycles_billed" int not null default 0, "cycles" int null, "period_start_at" timestamptz null, "period_end_at" timestamptz null, "cancel_at_period_end" boolean not null, "canceled_at" timestamptz null, "finished_at" timestamptz null, "paused" boolean not null, "metadata" jsonb not null, "event_count" int not null default 0, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
create index "subscription_by_customer" on "subscription" ("account_id", "customer_id");
create index "subscription_by_plan" on "subscription" ("account_id", "plan_id");
create index "subscription_by_status" on "subscription" ("account_id", "status", "id");

create table "payment_source" ("account_id" int not null, "id" serial not null, "customer_id" int not null, "type" varchar(12) not null, "gateway" varchar(32) not null, "gateway_id" varchar(255) not null, "gateway_customer" varchar(255) null, "last4" varchar(4) not null, "brand" varchar(32) null, "exp_month" int null, "exp_year" int null, "funding" varchar(7) null, "bank_name" varchar(255) null, "routing_number" varchar(32) null, "verified" boolean null, "currency" varchar(3) null, "failure_reason" varchar(255) null, "chargeable" boolean not null, "deleted_at" timestamptz null, "event_count" int not null default 0, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "payment_source" is 'A card or bank account stored at a gateway; its number never is here';
create index "payment_source_by_customer" on "payment_source" ("account_id", "customer_id");
alter table "payment_source" add constraint "payment_source_gateway_id" unique ("account_id", "gateway", "gateway_id");

create table "invoice" ("account_id" int not null, "id" serial not null, "customer_id" int not null, "subscription_id" int null, "segment" int null, "period" int null, "name" varchar(255) not null, "number" varchar(255) null, "currency" varchar(3) not null, "status" varchar(8) not null, "autopay" boolean not null, "attempt_count" int not null default 0, "next_payment_attempt_at" timestamptz null, "autopay_stopped" boolean not null default false, "date" timestamptz not null, "issued_at" timestamptz not null, "due_at" timestamptz null, "time_zone" varchar(64) not null, "payment_terms" varchar(64) null, "purchase_order" varchar(255) null, "notes" text null, "subtotal" numeric(18,4) not null, "total" numeric(18,4) not null, "balance" numeric(18,4) not null, "paid" boolean not null, "closed" boolean not null, "voided_at" timestamptz null, "past_due" boolean not null default false, "pending" boolean not null default false, "metadata" jsonb not null, "event_count" int not null default 0, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
create index "invoice_by_customer" on "invoice" ("account_id", "customer_id", "id");
create index "invoice_by_status" on "invoice" ("account_id", "status", "id");
create index "invoice_by_date" on "invoice" ("account_id", "date", "id");
create index "invoice_by_updated" on "invoice" ("account_id", "updated_at", "id");
alter table "invoice" add constraint "invoice_number" unique ("account_id", "number");
alter table "invoice" add constraint "invoice_period" unique ("account_id", "subscription_id", "segment", "period");

create table "invoice_line" ("account_id" int not null, "id" serial not null, "invoice_id" int not null, "position" int not null, "item_code" varchar(64) null, "plan_code" varchar(64) null, "type" varchar(255) null, "name" varchar(255) null, "description" text null, "quantity" numeric(25,10) not null, "unit_cost" numeric(25,10) not null, "amount" numeric(18,4) not null, "gl_account" varchar(255) null, "period_start_at" timestamptz null, "period_end_at" timestamptz null, "metadata" jsonb not null, primary key ("account_id", "id"));
alter table "invoice_line" add constraint "invoice_line_position" unique ("account_id", "invoice_id", "position");

create table "email" ("account_id" int not null, "id" serial not null, "customer_id" int null, "clock_id" int null, "template" varchar(64) not null, "cause" varchar(128) not null, "to_name" varchar(255) not null, "to_address" varchar(255) not null, "subject" varchar(500) not null, "html" text not null, "text" text not null, "message_id" varchar(255) not null, "state" varchar(7) not null, "attempts" int not null default 0, "next_attempt_at" timestamptz null, "give_up_at" timestamptz not null, "failure_reason" text null, "sent_at" timestamptz null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "email" is 'The row is the record: written with its cause, sent by the mail pump';
create index "email_queued" on "email" ("account_id", "next_attempt_at") where state = 'queued';
create index "email_by_customer" on "email" ("account_id", "customer_id", "id");
alter table "email" add constraint "email_cause" unique ("account_id", "template", "cause");

create table "attempt" ("account_id" int not null, "id" serial not null, "customer_id" int not null, "kind" varchar(13) not null, "origin" varchar(8) not null, "state" varchar(9) not null, "key" uuid not null, "gateway" varchar(32) not null, "reference" varchar(255) null, "amount" numeric(18,4) null, "currency" varchar(3) null, "method" varchar(12) null, "source_id" int null, "sealed_token" text null, "vault" boolean not null default false, "make_default" boolean not null default false, "receipt_email" varchar(255) null, "failure_code" varchar(64) null, "failure_message" varchar(255) null, "decline_kind" varchar(14) null, "ended_at" timestamptz null, "started_at" timestamptz not null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "attempt" is 'One operation at a gateway: written before it is asked, closed by its outcome';
create index "attempt_by_customer" on "attempt" ("account_id", "customer_id", "id");
create index "attempt_undecided" on "attempt" ("account_id", "id") where state in ('open', 'unknown', 'pending');
alter table "attempt" add constraint "attempt_key" unique ("key");

create table "charge" ("account_id" int not null, "id" serial not null, "attempt_id" int not null, "customer_id" int not null, "currency" varchar(3) not null, "amount" numeric(18,4) not null, "gateway" varchar(32) not null, "gateway_id" varchar(255) not null, "status" varchar(9) not null, "receipt_email" varchar(255) null, "failure_message" varchar(255) null, "source" jsonb null, "event_count" int not null default 0, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
create index "charge_by_customer" on "charge" ("account_id", "customer_id", "id");
alter table "charge" add constraint "charge_attempt" unique ("account_id", "attempt_id");
alter table "charge" add constraint "charge_gateway_id" unique ("account_id", "gateway", "gateway_id");

create table "payment" ("account_id" int not null, "id" serial not null, "customer_id" int null, "charge_id" int null, "date" timestamptz not null, "currency" varchar(3) not null, "amount" numeric(18,4) not null, "balance" numeric(18,4) not null, "method" varchar(13) not null, "ach_sender_id" varchar(255) null, "reference" varchar(255) null, "source" varchar(64) not null, "notes" text null, "voided" boolean not null, "metadata" jsonb not null, "event_count" int not null default 0, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
create index "payment_by_customer" on "payment" ("account_id", "customer_id", "id");
create index "payment_by_date" on "payment" ("account_id", "date", "id");
create index "payment_by_updated" on "payment" ("account_id", "updated_at", "id");
alter table "payment" add constraint "payment_charge" unique ("account_id", "charge_id");

create table "payment_application" ("account_id" int not null, "id" serial not null, "payment_id" int not null, "invoice_id" int not null, "type" varchar(15) not null, "amount" numeric(18,4) not null, "created_at" timestamptz not null, primary key ("account_id", "id"));
create index "payment_application_by_payment" on "payment_application" ("account_id", "payment_id");
create index "payment_application_by_invoice" on "payment_application" ("account_id", "invoice_id");

create table "attempt_invoice" ("account_id" int not null, "id" serial not null, "attempt_id" int not null, "invoice_id" int not null, "amount" numeric(18,4) not null, "undecided" boolean not null, primary key ("account_id", "id"));
comment on table "attempt_invoice" is 'What a charge is meant to pay; at most one undecided attempt per invoice, by unique index';
create unique index "attempt_invoice_undecided" on "attempt_invoice" ("account_id", "invoice_id") where undecided;
create index "attempt_invoice_by_attempt" on "attempt_invoice" ("account_id", "attempt_id");
create index "attempt_invoice_by_invoice" on "attempt_invoice" ("account_id", "invoice_id");

create table "wakeup" ("account_id" int not null, "process" varchar(16) not null, "subject_id" int not null, "rule" varchar(32) not null, "at" timestamptz not null, "step" varchar(255) not null, "clock_id" int null, "time_base" varchar(5) not null, "sweeps" int not null default 0, primary key ("account_id", "process", "subject_id", "rule"));
comment on table "wakeup" is 'Every wait: whose, until when, why; in real time or in the time of a clock';
create index "wakeup_due" on "wakeup" ("at") where time_base = 'real';
create index "wakeup_clock" on "wakeup" ("account_id", "clock_id", "at") where clock_id is not null;

create table "webhook" ("account_id" int not null, "id" serial not null, "url" varchar(2048) not null, "events" text[] null, "enabled" boolean not null, "description" text null, "api_version" varchar(10) not null, "sealed_secret" text not null, "failing_since" timestamptz null, "disabled_reason" varchar(255) null, "deleted_at" timestamptz null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "webhook" is 'An endpoint of a client that events are delivered to';
create index "webhook_enabled" on "webhook" ("account_id", "enabled");

create table "webhook_attempt" ("account_id" int not null, "id" serial not null, "webhook_id" int not null, "delivery_id" int not null, "event_id" int not null, "attempt" int not null, "status_code" int null, "error" varchar(255) null, "answer" text not null, "latency_milliseconds" int not null, "next_attempt_at" timestamptz null, "created_at" timestamptz not null, primary key ("account_id", "id"));
create index "webhook_attempt_by_webhook" on "webhook_attempt" ("account_id", "webhook_id", "id");

create table "webhook_delivery" ("account_id" int not null, "id" serial not null, "webhook_id" int not null, "event_id" int not null, "position" bigint not null, "subject_type" varchar(32) not null, "subject_id" varchar(64) not null, "sequence" int not null, "previous_sequence" int null, "state" varchar(9) not null, "attempts" int not null default 0, "created_at" timestamptz not null, "ended_at" timestamptz null, primary key ("account_id", "id"));
comment on table "webhook_delivery" is 'One event for one endpoint; the body is the event, stored once';
create index "webhook_delivery_waiting" on "webhook_delivery" ("account_id", "webhook_id", "subject_type", "subject_id", "position") where state = 'waiting';
alter table "webhook_delivery" add constraint "webhook_delivery_event" unique ("account_id", "webhook_id", "event_id");

create table "webhook_lane" ("account_id" int not null, "webhook_id" int not null, "subject_type" varchar(32) not null, "subject_id" varchar(64) not null, "shard" int not null, "last_sequence" int not null, "due_at" timestamptz null, primary key ("account_id", "webhook_id", "subject_type", "subject_id"));
comment on table "webhook_lane" is 'The events of one object on their way to one endpoint, in order; due while something waits';
create index "webhook_lane_due" on "webhook_lane" ("account_id", "webhook_id", "shard", "due_at") where due_at is not null;

alter table "account" add constraint "account_environment" check (environment in ('live', 'sandbox'));

alter table "deployment" add constraint "deployment_singleton" check (singleton = 1);

create or replace function event_to_outbox() returns trigger as $$begin
  insert into outbox (account_id, topic, event_id, subject_id, due_at)
    select account_id, 'event', id, 0, created_at from recorded order by id;   return null; end; $$ language plpgsql;
create trigger "event_to_outbox" after insert on "event" referencing new table as recorded
  for each statement execute function event_to_outbox();

create or replace function ledger_entry_balanced() returns trigger as $$begin
  if exists (select 1 from posted group by account_id, posting, currency having sum(amount) <> 0) then
    raise exception 'ledger posting does not sum to zero' using errcode = 'check_violation';   end if;   return null; end; $$ language plpgsql;
create trigger "ledger_entry_balanced" after insert on "ledger_entry" referencing new table as posted
  for each statement execute function ledger_entry_balanced();
create or replace function "ledger_entry_ledger_entry_append_only_fn"() returns trigger as $$ begin raise exception 'ledger entries are append-only' using errcode = 'check_violation'; end; $$ language plpgsql;
create trigger "ledger_entry_append_only" BEFORE UPDATE OR DELETE on "ledger_entry" for each STATEMENT execute function "ledger_entry_ledger_entry_append_only_fn"();

alter table "plan" add constraint "plan_account_id_item_id_foreign" foreign key ("account_id", "item_id") references "item" ("account_id", "id") on update cascade on delete restrict;
alter table "plan" add constraint "plan_interval" check (interval in ('day', 'week', 'month', 'year'));
alter table "plan" add constraint "plan_interval_count" check (interval_count > 0);

alter table "customer" add constraint "customer_account_id_test_clock_id_foreign" foreign key ("account_id", "test_clock_id") references "test_clock" ("account_id", "id") on update cascade on delete restrict;
alter table "customer" add constraint "customer_account_id_default_source_id_foreign" foreign key ("account_id", "default_source_id") references "payment_source" ("account_id", "id") on update cascade on delete restrict;
alter table "customer" add constraint "customer_type" check (type in ('company', 'person'));
alter table "customer" add constraint "customer_autopay_delay" check (autopay_delay_days >= -1);

alter table "subscription" add constraint "subscription_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete restrict;
alter table "subscription" add constraint "subscription_account_id_plan_id_foreign" foreign key ("account_id", "plan_id") references "plan" ("account_id", "id") on update cascade on delete restrict;
alter table "subscription" add constraint "subscription_status" check (status in ('not_started', 'active', 'past_due', 'finished', 'canceled'));
alter table "subscription" add constraint "subscription_quantity" check (quantity >= 0);
alter table "subscription" add constraint "subscription_cycles" check (cycles is null or (cycles > 0 and cycles_billed <= cycles));

alter table "payment_source" add constraint "payment_source_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete restrict;
alter table "payment_source" add constraint "payment_source_type" check (type in ('card', 'bank_account'));

alter table "invoice" add constraint "invoice_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete restrict;
alter table "invoice" add constraint "invoice_account_id_subscription_id_foreign" foreign key ("account_id", "subscription_id") references "subscription" ("account_id", "id") on update cascade on delete restrict;
alter table "invoice" add constraint "invoice_total" check (total >= 0);
alter table "invoice" add constraint "invoice_balance" check (balance >= 0 and balance <= total);
alter table "invoice" add constraint "invoice_paid" check (not paid or balance = 0);
alter table "invoice" add constraint "invoice_status" check (status in ('draft', 'not_sent', 'sent', 'viewed', 'past_due', 'pending', 'paid', 'voided'));

alter table "invoice_line" add constraint "invoice_line_account_id_invoice_id_foreign" foreign key ("account_id", "invoice_id") references "invoice" ("account_id", "id") on update cascade on delete cascade;

alter table "email" add constraint "email_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete restrict;
alter table "email" add constraint "email_state" check (state in ('queued', 'sent', 'bounced', 'failed'));

alter table "attempt" add constraint "attempt_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete restrict;
alter table "attempt" add constraint "attempt_account_id_source_id_foreign" foreign key ("account_id", "source_id") references "payment_source" ("account_id", "id") on update cascade on delete restrict;
alter table "attempt" add constraint "attempt_state" check (state in ('open', 'unknown', 'pending', 'succeeded', 'failed', 'abandoned'));
alter table "attempt" add constraint "attempt_kind" check (kind in ('charge', 'vault', 'delete_source'));
alter table "attempt" add constraint "attempt_confirmed" check (reference is not null or state in ('open', 'abandoned'));
alter table "attempt" add constraint "attempt_amount" check ((kind = 'charge') = (amount is not null and currency is not null));

alter table "charge" add constraint "charge_account_id_attempt_id_foreign" foreign key ("account_id", "attempt_id") references "attempt" ("account_id", "id") on update cascade on delete restrict;
alter table "charge" add constraint "charge_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete restrict;
alter table "charge" add constraint "charge_status" check (status in ('succeeded', 'pending', 'failed'));
alter table "charge" add constraint "charge_amount" check (amount > 0);

alter table "payment" add constraint "payment_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete restrict;
alter table "payment" add constraint "payment_account_id_charge_id_foreign" foreign key ("account_id", "charge_id") references "charge" ("account_id", "id") on update cascade on delete restrict;
alter table "payment" add constraint "payment_amount" check (amount >= 0);
alter table "payment" add constraint "payment_balance" check (balance >= 0 and balance <= amount);

alter table "payment_application" add constraint "payment_application_account_id_payment_id_foreign" foreign key ("account_id", "payment_id") references "payment" ("account_id", "id") on update cascade on delete restrict;
alter table "payment_application" add constraint "payment_application_account_id_invoice_id_foreign" foreign key ("account_id", "invoice_id") references "invoice" ("account_id", "id") on update cascade on delete restrict;
alter table "payment_application" add constraint "payment_application_amount" check (amount > 0);

alter table "attempt_invoice" add constraint "attempt_invoice_account_id_attempt_id_foreign" foreign key ("account_id", "attempt_id") references "attempt" ("account_id", "id") on update cascade on delete cascade;
alter table "attempt_invoice" add constraint "attempt_invoice_account_id_invoice_id_foreign" foreign key ("account_id", "invoice_id") references "invoice" ("account_id", "id") on update cascade on delete restrict;
alter table "attempt_invoice" add constraint "attempt_invoice_amount" check (amount > 0);

alter table "wakeup" add constraint "wakeup_time_base" check (time_base = 'real' or (time_base = 'clock' and clock_id is not null));

alter table "webhook_delivery" add constraint "webhook_delivery_state" check (state in ('waiting', 'delivered', 'failed'));
