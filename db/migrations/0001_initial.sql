create table "account" ("id" serial primary key, "environment" varchar(7) not null, "twin_id" int null, "name" varchar(255) not null, "email" varchar(255) null, "address1" varchar(255) null, "address2" varchar(255) null, "city" varchar(255) null, "state" varchar(255) null, "postal_code" varchar(255) null, "country" varchar(2) null, "tax_id" varchar(255) null, "accent_color" varchar(7) null, "logo_file_id" int null, "logo_hash" varchar(64) null, "language" varchar(2) not null, "currency" varchar(3) not null, "time_zone" varchar(64) not null, "api_version" varchar(10) not null, "settings" jsonb not null, "created_at" timestamptz not null, "updated_at" timestamptz not null);
comment on table "account" is 'One business in one environment';

create table "api_key" ("account_id" int not null, "id" serial not null, "name" varchar(255) not null, "hash" varchar(64) not null, "last4" varchar(4) not null, "kind" varchar(11) not null default 'secret', "scope" varchar(10) not null, "expires_at" timestamptz null, "last_used_at" timestamptz null, "revoked_at" timestamptz null, "created_at" timestamptz not null, primary key ("account_id", "id"));
create index "api_key_live" on "api_key" (account_id, id) where revoked_at is null;
create index "api_key_by_name" on "api_key" (account_id, name, id) where revoked_at is null;
create index "api_key_by_created" on "api_key" (account_id, created_at, id) where revoked_at is null;
alter table "api_key" add constraint "api_key_hash" unique ("hash");

create table "coupon" ("account_id" int not null, "id" serial not null, "code" varchar(64) not null, "name" varchar(255) not null, "value" numeric(25,10) not null, "is_percent" boolean not null, "currency" varchar(3) null, "exclusive" boolean not null, "expires_at" timestamptz null, "max_redemptions" int not null, "duration" int not null, "metadata" jsonb not null, "archived_at" timestamptz null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "coupon" is 'What takes something off; `code` is the id that clients see, free again once archived';
create index "coupon_by_code" on "coupon" ("account_id", "code");
create unique index "coupon_code" on "coupon" ("account_id", "code") where archived_at is null;
create index "coupon_live" on "coupon" (account_id, id) where archived_at is null;
create index "coupon_by_name" on "coupon" (account_id, name, id) where archived_at is null;
create index "coupon_by_currency" on "coupon" (account_id, currency, id) where archived_at is null;
create index "coupon_by_is_percent" on "coupon" (account_id, is_percent, id) where archived_at is null;
create index "coupon_by_exclusive" on "coupon" (account_id, exclusive, id) where archived_at is null;
create index "coupon_by_expiration" on "coupon" (account_id, expires_at, id) where archived_at is null;
create index "coupon_by_created" on "coupon" (account_id, created_at, id) where archived_at is null;
create index "coupon_by_updated" on "coupon" (account_id, updated_at, id) where archived_at is null;
create index "coupon_metadata" on "coupon" using gin (jsonb_set('{}', array[account_id::text], metadata) jsonb_path_ops) where metadata <> '{}';

create table "coupon_redemption" ("account_id" int not null, "id" serial not null, "coupon_id" int not null, "redeemer_type" varchar(12) not null, "redeemer_id" bigint not null, "ordinal" int null, "created_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "coupon_redemption" is 'A coupon attached to a document or subscription, which counts once however often it is attached again';
alter table "coupon_redemption" add constraint "coupon_redemption_redeemer" unique ("account_id", "redeemer_type", "redeemer_id", "coupon_id");
alter table "coupon_redemption" add constraint "coupon_redemption_ordinal" unique ("account_id", "coupon_id", "ordinal");

create table "deployment" ("singleton" serial primary key, "id" varchar(32) not null, "key_fingerprint" varchar(16) not null, "temporal_namespace_id" varchar(64) null, "swept_at" timestamptz null, "created_at" timestamptz not null);
comment on table "deployment" is 'One row, written at first start: a database cloned from a template gets its own id';

create table "document_pdf" ("account_id" int not null, "id" serial not null, "document_type" varchar(16) not null, "document_id" int not null, "content_hash" varchar(64) not null, "sha256" varchar(64) not null, "name" varchar(255) not null, "bytes" bytea not null, "created_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "document_pdf" is 'A PDF as it was first made: what is printed of the document is the same, so are the bytes, for ever';
alter table "document_pdf" add constraint "document_pdf_content" unique ("account_id", "document_type", "document_id", "content_hash");

create table "event" ("account_id" int not null, "id" bigserial not null, "type" varchar(64) not null, "subject_type" varchar(32) not null, "subject_id" varchar(64) not null, "sequence" int not null, "object" json not null, "previous" json null, "user_id" int not null, "occurred_at" timestamptz not null, "created_at" timestamptz not null, primary key ("account_id", "id"));
create index "event_by_type" on "event" ("account_id", "type", "id");
create index "event_by_occurred" on "event" ("account_id", "occurred_at", "id");
create index "event_former_customer" on "event" ("account_id", (previous -> 'customer' ->> 'id')) where (previous -> 'customer' ->> 'id') is not null;
alter table "event" add constraint "event_sequence" unique ("account_id", "subject_type", "subject_id", "sequence");

create table "event_log" ("position" bigserial primary key, "account_id" int not null, "event_id" bigint not null);
comment on table "event_log" is 'Order of committed events: appended by one relay leader, so that a reader of positions misses none';
create index "event_log_by_account" on "event_log" ("account_id", "position");
alter table "event_log" add constraint "event_log_event" unique ("account_id", "event_id");

create table "file" ("account_id" int not null, "id" serial not null, "name" varchar(255) not null, "size" int null, "type" varchar(255) null, "url" varchar(2048) null, "store_key" varchar(255) null, "token" varchar(64) null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "file" is 'A file: bytes in the file store, or a link to where somebody else keeps it';
create index "file_by_name" on "file" ("account_id", "name", "id");
create index "file_by_type" on "file" ("account_id", "type", "id");
create index "file_by_created" on "file" ("account_id", "created_at", "id");
create index "file_by_updated" on "file" ("account_id", "updated_at", "id");
alter table "file" add constraint "file_token" unique ("account_id", "token");

create table "idempotency" ("account_id" int not null, "credential_id" int not null, "key" varchar(255) not null, "fingerprint" varchar(64) not null, "attempt_id" int null, "status_code" int null, "customer_id" int null, "body" text null, "sealed" boolean not null default false, "created_at" timestamptz not null, primary key ("account_id", "credential_id", "key"));
comment on table "idempotency" is 'A request that has had its effect, and its answer; written in the transaction of the effect';
create index "idempotency_created" on "idempotency" ("created_at");
create index "idempotency_attempt" on "idempotency" ("account_id", "attempt_id") where attempt_id is not null;
create index "idempotency_customer" on "idempotency" ("account_id", "customer_id") where customer_id is not null;

create table "item" ("account_id" int not null, "id" serial not null, "code" varchar(64) not null, "name" varchar(255) not null, "currency" varchar(3) null, "unit_cost" numeric(25,10) not null, "description" text null, "type" varchar(255) null, "taxable" boolean not null, "tax_rate_ids" int[] not null, "taxengine_tax_code" varchar(255) null, "taxengine_location_code" varchar(255) null, "discountable" boolean not null, "gl_account" varchar(255) null, "metadata" jsonb not null, "archived_at" timestamptz null, "event_count" int not null default 0, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "item" is 'Catalog item; `code` is the id that clients see, free again once archived';
create index "item_by_code" on "item" ("account_id", "code");
create unique index "item_code" on "item" ("account_id", "code") where archived_at is null;
create index "item_live" on "item" (account_id, id) where archived_at is null;
create index "item_by_name" on "item" (account_id, name, id) where archived_at is null;
create index "item_by_type" on "item" (account_id, type, id) where archived_at is null;
create index "item_by_currency" on "item" (account_id, currency, id) where archived_at is null;
create index "item_by_gl_account" on "item" (account_id, gl_account, id) where archived_at is null;
create index "item_by_taxable" on "item" (account_id, taxable, id) where archived_at is null;
create index "item_by_discountable" on "item" (account_id, discountable, id) where archived_at is null;
create index "item_by_created" on "item" (account_id, created_at, id) where archived_at is null;
create index "item_by_updated" on "item" (account_id, updated_at, id) where archived_at is null;
create index "item_metadata" on "item" using gin (jsonb_set('{}', array[account_id::text], metadata) jsonb_path_ops) where metadata <> '{}';

create table "ledger_entry" ("account_id" int not null, "id" bigserial not null, "posting" uuid not null, "ledger_account" varchar(300) not null, "currency" varchar(3) not null, "amount" numeric(18,4) not null, "reason" varchar(32) not null, "customer_id" int null, "invoice_id" int null, "payment_id" int null, "credit_note_id" int null, "document_at" timestamptz not null, "posted_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "ledger_entry" is 'Double entry, append-only; debit positive, credit negative; a posting sums to zero per currency';
create index "ledger_entry_by_invoice" on "ledger_entry" ("account_id", "invoice_id");
create index "ledger_entry_by_payment" on "ledger_entry" ("account_id", "payment_id");
create index "ledger_entry_of_customer" on "ledger_entry" (account_id, customer_id) where invoice_id is null and payment_id is null;
create index "ledger_entry_by_account" on "ledger_entry" ("account_id", "ledger_account", "currency", "id");

create table "logo" ("account_id" int not null, "id" serial not null, "hash" varchar(64) not null, "type" varchar(10) not null, "bytes" bytea not null, "created_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "logo" is 'A picture of the seller, as it was when it was chosen: documents issued with it keep it, whatever becomes of the file';
alter table "logo" add constraint "logo_hash" unique ("account_id", "hash");

create table "member" ("account_id" int not null, "id" serial not null, "email" varchar(255) not null, "password_hash" varchar(255) not null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "member" is 'A person who acts for a business, in the live account and its sandbox twin; belongs to the live one';
alter table "member" add constraint "member_email" unique ("email", "account_id");

create table "member_session" ("account_id" int not null, "id" serial not null, "member_id" int not null, "environment" varchar(7) not null, "hash" varchar(64) not null, "uid" varchar(64) not null, "payload" jsonb not null, "expires_at" timestamptz not null, "created_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "member_session" is 'A browser in which a member is signed in; without its row it is signed out';
create index "member_session_uid" on "member_session" ("uid");
create index "member_session_member" on "member_session" ("account_id", "member_id");
create index "member_session_expiry" on "member_session" ("expires_at");
alter table "member_session" add constraint "member_session_hash" unique ("hash");

create table "numbering" ("account_id" int not null, "series" varchar(16) not null, "prefix" varchar(16) not null, "prefix_key" text not null, "first" int not null default 1, "next" int not null, "past" jsonb not null default '[]', primary key ("account_id", "series"));
comment on table "numbering" is 'Number series of an account; `next` is taken, last of all, in the transaction that uses it';

create table "numbering_gap" ("account_id" int not null, "id" serial not null, "series" varchar(16) not null, "prefix" text not null, "first" int not null, "last" int not null, "reason" varchar(16) not null, "document_id" int null, "created_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "numbering_gap" is 'Numbers that a series gave up, and why; those that a document has again do not count';
create index "numbering_gap_by_series" on "numbering_gap" ("account_id", "series", "prefix", "first");

create table "oauth_application" ("account_id" int not null, "id" serial not null, "name" varchar(255) not null, "client_id" varchar(64) not null, "redirect_uris" text[] not null, "confidential" boolean not null, "secret_hash" varchar(64) null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "oauth_application" is 'An OAuth client, registered by one business; any business of the same environment may grant it access';
create index "oauth_application_by_updated" on "oauth_application" ("account_id", "updated_at", "id");
alter table "oauth_application" add constraint "oauth_application_client_id" unique ("client_id");

create table "oauth_grant" ("account_id" int not null, "id" serial not null, "key" varchar(64) not null, "application_account_id" int not null, "application_id" int not null, "member_account_id" int not null, "member_id" int not null, "client_id" varchar(64) not null, "application_name" varchar(255) not null, "granted_by" varchar(255) not null, "scope" varchar(64) not null, "last_used_at" timestamptz null, "expires_at" timestamptz not null, "created_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "oauth_grant" is 'The access that a member gave an application to the account; ends with its row, and with it all of its tokens';
create index "oauth_grant_application" on "oauth_grant" ("application_account_id", "application_id");
create index "oauth_grant_member" on "oauth_grant" ("member_account_id", "member_id");
create index "oauth_grant_by_created" on "oauth_grant" ("account_id", "created_at", "id");
create index "oauth_grant_expiry" on "oauth_grant" ("expires_at");
alter table "oauth_grant" add constraint "oauth_grant_key" unique ("key");

create table "oauth_interaction" ("account_id" int not null, "id" serial not null, "application_id" int not null, "hash" varchar(64) not null, "payload" jsonb not null, "expires_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "oauth_interaction" is 'An authorization that waits for a person to sign in or to consent; belongs to the account of the application';
create index "oauth_interaction_application" on "oauth_interaction" ("account_id", "application_id");
create index "oauth_interaction_expiry" on "oauth_interaction" ("expires_at");
alter table "oauth_interaction" add constraint "oauth_interaction_hash" unique ("hash");

create table "oauth_token" ("account_id" int not null, "id" serial not null, "grant_id" int not null, "kind" varchar(7) not null, "hash" varchar(64) not null, "scope" varchar(64) not null, "payload" jsonb not null, "consumed_at" timestamptz null, "expires_at" timestamptz not null, "created_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "oauth_token" is 'Authorization codes, access and refresh tokens; revoking one deletes it';
create index "oauth_token_grant" on "oauth_token" ("account_id", "grant_id");
create index "oauth_token_expiry" on "oauth_token" ("expires_at");
alter table "oauth_token" add constraint "oauth_token_hash" unique ("hash");

create table "outbox" ("id" bigserial primary key, "account_id" int not null, "topic" varchar(16) not null, "event_id" bigint null, "subject_id" int not null, "shard" int not null default 0, "due_at" timestamptz not null, "start_at" timestamptz null, "clock_id" int null, "leased_until" timestamptz null, "recovered" boolean not null default false);
comment on table "outbox" is 'What a transaction wants to happen after it; the relay does it and deletes the row';
create index "outbox_event" on "outbox" ("id") where topic = 'event';
create index "outbox_process" on "outbox" ("account_id", "due_at") where topic <> 'event' and not recovered;
create index "outbox_recovered" on "outbox" (coalesce(start_at, due_at)) where recovered;
create index "outbox_clock" on "outbox" ("account_id", "clock_id") where clock_id is not null;
create index "outbox_subject" on "outbox" ("account_id", "subject_id") where topic <> 'event';

create table "plan" ("account_id" int not null, "id" serial not null, "code" varchar(64) not null, "item_id" int null, "name" varchar(255) not null, "currency" varchar(3) not null, "amount" numeric(25,10) null, "pricing_mode" varchar(8) not null, "tiers" jsonb null, "quantity_type" varchar(8) not null, "interval" varchar(5) not null, "interval_count" int not null, "metadata" jsonb not null, "archived_at" timestamptz null, "event_count" int not null default 0, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "plan" is 'Price and interval of a subscription; `code` is the id that clients see, free again once archived';
create index "plan_by_code" on "plan" ("account_id", "code");
create unique index "plan_code" on "plan" ("account_id", "code") where archived_at is null;
create index "plan_by_item" on "plan" ("account_id", "item_id", "id");
create index "plan_live" on "plan" (account_id, id) where archived_at is null;
create index "plan_by_name" on "plan" (account_id, name, id) where archived_at is null;
create index "plan_by_currency" on "plan" (account_id, currency, id) where archived_at is null;
create index "plan_by_interval" on "plan" (account_id, "interval", id) where archived_at is null;
create index "plan_by_pricing_mode" on "plan" (account_id, pricing_mode, id) where archived_at is null;
create index "plan_by_created" on "plan" (account_id, created_at, id) where archived_at is null;
create index "plan_by_updated" on "plan" (account_id, updated_at, id) where archived_at is null;
create index "plan_metadata" on "plan" using gin (jsonb_set('{}', array[account_id::text], metadata) jsonb_path_ops) where metadata <> '{}';

create table "problem" ("account_id" int not null, "id" serial not null, "subject_type" varchar(32) not null, "subject_id" int not null, "clock_id" int null, "step" varchar(255) not null, "message" text not null, "money_at_risk" numeric(18,4) null, "currency" varchar(3) null, "since" timestamptz not null, "tries" int not null, "next_try_at" timestamptz null, "closed_at" timestamptz null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "problem" is 'A process step that was refused, failed or is overdue; closes itself when solved';
create unique index "problem_open" on "problem" ("account_id", "subject_type", "subject_id") where closed_at is null;
create index "problem_clock" on "problem" (account_id, clock_id) where closed_at is null and clock_id is not null;
create index "problem_live" on "problem" (account_id, id) where closed_at is null;
create index "problem_by_subject_type" on "problem" (account_id, subject_type, id) where closed_at is null;
create index "problem_by_updated" on "problem" (account_id, updated_at, id) where closed_at is null;
create index "problem_by_since" on "problem" (account_id, since, id) where closed_at is null;

create table "queue_progress" ("id" bigserial primary key, "environment" varchar(7) not null, "since" timestamptz not null, "noted_at" timestamptz not null);
comment on table "queue_progress" is 'How far the queue of an environment has got, told by each worker; belongs to no account';
create index "queue_progress_noted" on "queue_progress" ("noted_at");

create table "rate_limit_bucket" ("account_id" int not null, "credential_id" int not null, "tokens" double precision not null, "refilled_at" timestamptz not null, "version" int not null, primary key ("account_id", "credential_id"));
comment on table "rate_limit_bucket" is 'What is left of the requests of a credential, after all that processes have leased; without a row the bucket is full';

create table "snapshot" ("account_id" int not null, "id" serial not null, "hash" varchar(64) not null, "seller" jsonb not null, "bill_to" jsonb not null, "language" varchar(2) not null, "created_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "snapshot" is 'Who sold to whom when documents were issued; what is the same is kept once';
alter table "snapshot" add constraint "snapshot_hash" unique ("account_id", "hash");

create table "stray_bytes" ("account_id" int not null, "id" serial not null, "store_key" varchar(255) not null, "due_at" timestamptz not null, "doomed" boolean not null, primary key ("account_id", "id"));
comment on table "stray_bytes" is 'Bytes in the file store that no file has: on their way in, or of a file that was deleted. Removed when due';
create index "stray_bytes_due" on "stray_bytes" ("due_at");

create table "tax_rate" ("account_id" int not null, "id" serial not null, "code" varchar(64) not null, "name" varchar(255) not null, "value" numeric(25,10) not null, "is_percent" boolean not null, "inclusive" boolean not null, "currency" varchar(3) null, "metadata" jsonb not null, "archived_at" timestamptz null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "tax_rate" is 'What taxes documents; `code` is the id that clients see, free again once archived';
create index "tax_rate_by_code" on "tax_rate" ("account_id", "code");
create unique index "tax_rate_code" on "tax_rate" ("account_id", "code") where archived_at is null;
create index "tax_rate_live" on "tax_rate" (account_id, id) where archived_at is null;
create index "tax_rate_by_name" on "tax_rate" (account_id, name, id) where archived_at is null;
create index "tax_rate_by_currency" on "tax_rate" (account_id, currency, id) where archived_at is null;
create index "tax_rate_by_is_percent" on "tax_rate" (account_id, is_percent, id) where archived_at is null;
create index "tax_rate_by_inclusive" on "tax_rate" (account_id, inclusive, id) where archived_at is null;
create index "tax_rate_by_created" on "tax_rate" (account_id, created_at, id) where archived_at is null;
create index "tax_rate_by_updated" on "tax_rate" (account_id, updated_at, id) where archived_at is null;
create index "tax_rate_metadata" on "tax_rate" using gin (jsonb_set('{}', array[account_id::text], metadata) jsonb_path_ops) where metadata <> '{}';

create table "tax_rule" ("account_id" int not null, "id" serial not null, "tax_rate_id" int not null, "country" varchar(2) null, "state" varchar(255) null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "tax_rule" is 'Where a tax rate applies by itself: null is any country, any state';
create index "tax_rule_by_rate" on "tax_rule" ("account_id", "tax_rate_id", "id");
create index "tax_rule_by_country" on "tax_rule" ("account_id", "country", "id");
create index "tax_rule_by_state" on "tax_rule" ("account_id", "state", "id");
create index "tax_rule_by_created" on "tax_rule" ("account_id", "created_at", "id");
create index "tax_rule_by_updated" on "tax_rule" ("account_id", "updated_at", "id");

create table "test_clock" ("account_id" int not null, "id" serial not null, "name" varchar(255) null, "frozen_at" timestamptz not null, "status" varchar(9) not null default 'ready', "target_at" timestamptz null, "stop_reason" text null, "advances" int not null default 0, "progressed_at" timestamptz null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "test_clock" is 'Time of the sandbox customers that live on it';
create index "test_clock_by_name" on "test_clock" ("account_id", "name", "id");
create index "test_clock_by_status" on "test_clock" ("account_id", "status", "id");
create index "test_clock_by_created" on "test_clock" ("account_id", "created_at", "id");
create index "test_clock_by_updated" on "test_clock" ("account_id", "updated_at", "id");
create index "test_clock_advancing" on "test_clock" ("progressed_at") where status = 'advancing';

create table "customer" ("account_id" int not null, "id" serial not null, "test_clock_id" int null, "default_source_id" int null, "name" varchar(255) not null, "number" varchar(255) not null, "number_key" text not null, "email" varchar(255) null, "autopay" boolean not null, "autopay_delay_days" int not null, "payment_terms" varchar(64) null, "attention_to" varchar(255) null, "address1" varchar(255) null, "address2" varchar(255) null, "city" varchar(255) null, "state" varchar(255) null, "postal_code" varchar(255) null, "country" varchar(2) null, "language" varchar(2) null, "currency" varchar(3) null, "phone" varchar(255) null, "tax_id" varchar(255) null, "type" varchar(7) not null, "notes" text null, "has_credit" boolean not null default false, "has_pending_lines" boolean not null default false, "active" boolean not null default true, "credit_hold" boolean not null default false, "credit_limit" numeric(18,4) null, "owner_id" int null, "taxable" boolean not null default true, "tax_rate_ids" int[] not null default '{}', "taxengine_entity_use_code" varchar(255) null, "taxengine_exemption_number" varchar(255) null, "parent_id" int null, "bill_to_parent" boolean not null default false, "consolidated" boolean not null default false, "merged_into_id" int null, "anonymized_at" timestamptz null, "disabled_payment_methods" text[] not null default '{}', "metadata" jsonb not null, "event_count" int not null default 0, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
create index "customer_by_clock" on "customer" (account_id, test_clock_id, id) where test_clock_id is not null;
create index "customer_by_name" on "customer" ("account_id", "name", "id");
create index "customer_by_email" on "customer" ("account_id", "email", "id");
create index "customer_by_updated" on "customer" ("account_id", "updated_at", "id");
create index "customer_by_created" on "customer" ("account_id", "created_at", "id");
create index "customer_by_autopay" on "customer" ("account_id", "autopay", "id");
create index "customer_by_type" on "customer" ("account_id", "type", "id");
create index "customer_by_currency" on "customer" ("account_id", "currency", "id");
create index "customer_by_country" on "customer" ("account_id", "country", "id");
create index "customer_by_active" on "customer" ("account_id", "active", "id");
create index "customer_by_credit_hold" on "customer" ("account_id", "credit_hold", "id");
create index "customer_by_owner" on "customer" (account_id, owner_id, id) where owner_id is not null;
create index "customer_by_parent" on "customer" (account_id, parent_id, id) where parent_id is not null;
create index "customer_metadata" on "customer" using gin (jsonb_set('{}', array[account_id::text], metadata) jsonb_path_ops) where metadata <> '{}';
alter table "customer" add constraint "customer_number" unique ("account_id", "number_key");

create table "task" ("account_id" int not null, "id" serial not null, "customer_id" int not null, "name" varchar(255) not null, "action" varchar(6) not null, "user_id" int null, "due_at" timestamptz null, "complete" boolean not null, "completed_at" timestamptz null, "completed_by_user_id" int null, "chase_step_id" int null, "held_invoice_id" int null, "event_count" int not null default 0, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "task" is 'What a person has to do about a customer';
create index "task_by_customer" on "task" ("account_id", "customer_id", "id");
create index "task_by_name" on "task" ("account_id", "name", "id");
create index "task_by_action" on "task" ("account_id", "action", "id");
create index "task_by_complete" on "task" ("account_id", "complete", "id");
create index "task_by_due" on "task" ("account_id", "due_at", "id");
create index "task_by_created" on "task" ("account_id", "created_at", "id");
create index "task_by_updated" on "task" ("account_id", "updated_at", "id");
create index "task_by_user" on "task" (account_id, user_id, id) where user_id is not null;
create index "task_by_held_invoice" on "task" (account_id, held_invoice_id) where held_invoice_id is not null;

create table "subscription" ("account_id" int not null, "id" serial not null, "customer_id" int not null, "plan_id" int not null, "status" varchar(11) not null, "quantity" int not null, "amount" numeric(25,10) null, "anchor_at" timestamptz not null, "time_zone" varchar(64) not null, "segment" int not null default 0, "next_period" int not null default 0, "cycles_billed" int not null default 0, "cycles" int null, "period_start_at" timestamptz null, "period_end_at" timestamptz null, "cancel_at_period_end" boolean not null, "canceled_at" timestamptz null, "finished_at" timestamptz null, "paused" boolean not null, "discounts" jsonb not null, "taxes" jsonb not null, "recurring_total" numeric(18,4) not null, "mrr" numeric(18,4) not null, "metadata" jsonb not null, "event_count" int not null default 0, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
create index "subscription_by_customer" on "subscription" ("account_id", "customer_id", "id");
create index "subscription_by_plan" on "subscription" ("account_id", "plan_id", "id");
create index "subscription_by_status" on "subscription" ("account_id", "status", "id");
create index "subscription_by_updated" on "subscription" ("account_id", "updated_at", "id");
create index "subscription_not_canceled" on "subscription" (account_id, id) where status not in ('canceled');
create index "subscription_not_finished" on "subscription" (account_id, id) where status not in ('finished');
create index "subscription_current" on "subscription" (account_id, id) where status not in ('canceled', 'finished');
create index "subscription_current_by_period_end" on "subscription" (account_id, period_end_at, id) where status not in ('canceled', 'finished');
create index "subscription_current_by_paused" on "subscription" (account_id, paused, id) where status not in ('canceled', 'finished');
create index "subscription_current_by_cancel" on "subscription" (account_id, cancel_at_period_end, id) where status not in ('canceled', 'finished');
create index "subscription_current_by_created" on "subscription" (account_id, created_at, id) where status not in ('canceled', 'finished');
create index "subscription_current_by_updated" on "subscription" (account_id, updated_at, id) where status not in ('canceled', 'finished');
create index "subscription_metadata" on "subscription" using gin (jsonb_set('{}', array[account_id::text], metadata) jsonb_path_ops) where metadata <> '{}';

create table "payment_source" ("account_id" int not null, "id" serial not null, "customer_id" int not null, "type" varchar(12) not null, "gateway" varchar(32) not null, "gateway_id" varchar(255) not null, "gateway_customer" varchar(255) null, "last4" varchar(4) not null, "brand" varchar(32) null, "exp_month" int null, "exp_year" int null, "funding" varchar(7) null, "bank_name" varchar(255) null, "routing_number" varchar(32) null, "verified" boolean null, "currency" varchar(3) null, "failure_reason" varchar(255) null, "chargeable" boolean not null, "deleted_at" timestamptz null, "event_count" int not null default 0, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "payment_source" is 'A card or bank account stored at a gateway; its number never is here';
create index "payment_source_by_customer" on "payment_source" ("account_id", "customer_id");
alter table "payment_source" add constraint "payment_source_gateway_id" unique ("account_id", "gateway", "gateway_id");

create table "invoice" ("account_id" int not null, "id" serial not null, "customer_id" int not null, "subscription_id" int null, "segment" int null, "period" int null, "name" varchar(255) not null, "number" varchar(255) null, "number_key" text null, "currency" varchar(3) not null, "status" varchar(8) not null, "autopay" boolean not null, "attempt_count" int not null default 0, "next_payment_attempt_at" timestamptz null, "autopay_stopped" boolean not null default false, "date" timestamptz not null, "issued_at" timestamptz null, "snapshot_id" int null, "due_at" timestamptz null, "time_zone" varchar(64) not null, "payment_terms" varchar(64) null, "purchase_order" varchar(255) null, "notes" text null, "ship_to" jsonb null, "disabled_payment_methods" text[] not null default '{}', "discounts" jsonb not null default '[]', "taxes" jsonb not null default '[]', "subtotal" numeric(18,4) not null, "total" numeric(18,4) not null, "balance" numeric(18,4) not null, "paid" boolean not null, "closed" boolean not null, "written_off_at" timestamptz null, "voided_at" timestamptz null, "consolidated_into_id" int null, "deleted_at" timestamptz null, "sent_at" timestamptz null, "viewed_at" timestamptz null, "past_due" boolean not null default false, "pending" boolean not null default false, "metadata" jsonb not null, "token" varchar(32) not null default replace((gen_random_uuid())::text, '-'::text, ''::text), "event_count" int not null default 0, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
create index "invoice_by_customer" on "invoice" ("account_id", "customer_id", "id");
create index "invoice_by_status" on "invoice" (account_id, status, id) where deleted_at is null;
create index "invoice_by_date" on "invoice" (account_id, date, id) where deleted_at is null;
create index "invoice_by_updated" on "invoice" (account_id, updated_at, id) where deleted_at is null;
create index "invoice_by_created" on "invoice" (account_id, created_at, id) where deleted_at is null;
create index "invoice_by_due" on "invoice" (account_id, due_at, id) where deleted_at is null;
create index "invoice_by_currency" on "invoice" (account_id, currency, id) where deleted_at is null;
create index "invoice_by_autopay" on "invoice" (account_id, autopay, id) where deleted_at is null;
create index "invoice_by_paid" on "invoice" (account_id, paid, id) where deleted_at is null;
create index "invoice_by_closed" on "invoice" (account_id, closed, id) where deleted_at is null;
create index "invoice_open" on "invoice" (account_id, customer_id, id) where not closed;
create index "invoice_metadata" on "invoice" using gin (jsonb_set('{}', array[account_id::text], metadata) jsonb_path_ops) where metadata <> '{}';
alter table "invoice" add constraint "invoice_number" unique ("account_id", "number_key");
alter table "invoice" add constraint "invoice_period" unique ("account_id", "subscription_id", "segment", "period");

create table "note" ("account_id" int not null, "id" serial not null, "customer_id" int not null, "invoice_id" int null, "user_id" int null, "notes" text not null, "event_count" int not null default 0, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "note" is 'What somebody wrote down about a customer or one of its invoices';
create index "note_by_customer" on "note" ("account_id", "customer_id", "id");
create index "note_by_invoice" on "note" (account_id, invoice_id, id) where invoice_id is not null;
create index "note_by_user" on "note" (account_id, user_id, id) where user_id is not null;
create index "note_by_created" on "note" ("account_id", "created_at", "id");
create index "note_by_updated" on "note" ("account_id", "updated_at", "id");

create table "estimate" ("account_id" int not null, "id" serial not null, "customer_id" int not null, "invoice_id" int null, "name" varchar(255) not null, "number" varchar(255) null, "number_key" text null, "currency" varchar(3) not null, "status" varchar(8) not null, "date" timestamptz not null, "expires_at" timestamptz null, "issued_at" timestamptz null, "snapshot_id" int null, "time_zone" varchar(64) not null, "payment_terms" varchar(64) null, "purchase_order" varchar(255) null, "notes" text null, "ship_to" jsonb null, "disabled_payment_methods" text[] not null default '{}', "discounts" jsonb not null default '[]', "taxes" jsonb not null default '[]', "subtotal" numeric(18,4) not null, "total" numeric(18,4) not null, "deposit" numeric(18,4) not null default '0', "deposit_paid" boolean not null default false, "deposit_said_paid" boolean not null default false, "deposit_received" numeric(18,4) not null default '0', "deposit_left" numeric(18,4) not null default '0', "closed" boolean not null, "approved_at" timestamptz null, "declined_at" timestamptz null, "answer" jsonb null, "expired_at" timestamptz null, "voided_at" timestamptz null, "deleted_at" timestamptz null, "sent_at" timestamptz null, "viewed_at" timestamptz null, "token" varchar(32) not null default replace((gen_random_uuid())::text, '-'::text, ''::text), "metadata" jsonb not null, "event_count" int not null default 0, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "estimate" is 'What something would cost: nothing of it is owed, and nothing of it is in the books but its deposit';
create index "estimate_by_customer" on "estimate" ("account_id", "customer_id", "id");
create index "estimate_by_status" on "estimate" (account_id, status, id) where deleted_at is null;
create index "estimate_by_date" on "estimate" (account_id, date, id) where deleted_at is null;
create index "estimate_by_expiration" on "estimate" (account_id, expires_at, id) where deleted_at is null;
create index "estimate_by_updated" on "estimate" (account_id, updated_at, id) where deleted_at is null;
create index "estimate_by_created" on "estimate" (account_id, created_at, id) where deleted_at is null;
create index "estimate_by_currency" on "estimate" (account_id, currency, id) where deleted_at is null;
create index "estimate_by_closed" on "estimate" (account_id, closed, id) where deleted_at is null;
create index "estimate_by_deposit_paid" on "estimate" (account_id, deposit_paid, id) where deleted_at is null;
create index "estimate_metadata" on "estimate" using gin (jsonb_set('{}', array[account_id::text], metadata) jsonb_path_ops) where metadata <> '{}';
alter table "estimate" add constraint "estimate_number" unique ("account_id", "number_key");
alter table "estimate" add constraint "estimate_invoice" unique ("account_id", "invoice_id");

create table "email" ("account_id" int not null, "id" serial not null, "customer_id" int null, "clock_id" int null, "template" varchar(64) not null, "cause" varchar(128) not null, "to_name" varchar(255) not null, "to_address" varchar(255) not null, "bcc" jsonb not null, "message" text not null, "subject" varchar(500) not null, "html" text not null, "text" text not null, "files" jsonb not null, "document" jsonb null, "message_id" varchar(255) not null, "open_token" varchar(64) null, "opens" int not null default 0, "openings" jsonb not null, "state" varchar(7) not null, "attempts" int not null default 0, "next_attempt_at" timestamptz null, "give_up_at" timestamptz not null, "failure_reason" text null, "sent_at" timestamptz null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "email" is 'The row is the record: written with its cause, sent by the mail pump';
create index "email_queued" on "email" ("account_id", "next_attempt_at") where state = 'queued';
create index "email_clock" on "email" ("account_id", "clock_id") where state = 'queued' and clock_id is not null;
create index "email_by_customer" on "email" ("account_id", "customer_id", "id");
create index "email_by_address" on "email" ("account_id", "to_address", "id");
create index "email_by_template" on "email" ("account_id", "template", "id");
create index "email_by_state" on "email" ("account_id", "state", "id");
create index "email_by_created" on "email" ("account_id", "created_at", "id");
create index "email_by_updated" on "email" ("account_id", "updated_at", "id");
alter table "email" add constraint "email_cause" unique ("account_id", "template", "cause");
alter table "email" add constraint "email_open_token" unique ("account_id", "open_token");

create table "credit_note" ("account_id" int not null, "id" serial not null, "customer_id" int not null, "invoice_id" int null, "name" varchar(255) not null, "number" varchar(255) null, "number_key" text null, "currency" varchar(3) not null, "status" varchar(6) not null, "date" timestamptz not null, "issued_at" timestamptz null, "snapshot_id" int null, "time_zone" varchar(64) not null, "purchase_order" varchar(255) null, "notes" text null, "discounts" jsonb not null default '[]', "taxes" jsonb not null default '[]', "subtotal" numeric(18,4) not null, "total" numeric(18,4) not null, "balance" numeric(18,4) not null, "paid" boolean not null, "closed" boolean not null, "forfeited_at" timestamptz null, "voided_at" timestamptz null, "deleted_at" timestamptz null, "sent_at" timestamptz null, "viewed_at" timestamptz null, "token" varchar(32) not null default replace((gen_random_uuid())::text, '-'::text, ''::text), "metadata" jsonb not null, "event_count" int not null default 0, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
create index "credit_note_by_customer" on "credit_note" ("account_id", "customer_id", "id");
create index "credit_note_by_status" on "credit_note" (account_id, status, id) where deleted_at is null;
create index "credit_note_by_date" on "credit_note" (account_id, date, id) where deleted_at is null;
create index "credit_note_by_updated" on "credit_note" (account_id, updated_at, id) where deleted_at is null;
create index "credit_note_by_created" on "credit_note" (account_id, created_at, id) where deleted_at is null;
create index "credit_note_by_currency" on "credit_note" (account_id, currency, id) where deleted_at is null;
create index "credit_note_by_paid" on "credit_note" (account_id, paid, id) where deleted_at is null;
create index "credit_note_by_closed" on "credit_note" (account_id, closed, id) where deleted_at is null;
create index "credit_note_by_invoice" on "credit_note" (account_id, invoice_id, id) where invoice_id is not null;
create index "credit_note_open" on "credit_note" (account_id, customer_id, currency, date, id) where status = 'open';
create index "credit_note_metadata" on "credit_note" using gin (jsonb_set('{}', array[account_id::text], metadata) jsonb_path_ops) where metadata <> '{}';
alter table "credit_note" add constraint "credit_note_number" unique ("account_id", "number_key");

create table "line_item" ("account_id" int not null, "id" bigserial not null, "customer_id" int null, "invoice_id" int null, "estimate_id" int null, "credit_note_id" int null, "position" int not null, "item_code" varchar(64) null, "plan_code" varchar(64) null, "type" varchar(255) null, "name" varchar(255) null, "description" text null, "currency" varchar(3) not null, "quantity" numeric(25,10) not null, "unit_cost" numeric(25,10) not null, "amount" numeric(18,4) not null, "net" numeric(18,4) not null, "gl_account" varchar(255) null, "discountable" boolean not null, "taxable" boolean not null, "discounts" jsonb not null, "taxes" jsonb not null, "period_start_at" timestamptz null, "period_end_at" timestamptz null, "metadata" jsonb not null, "event_count" int not null default 0, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "line_item" is 'A line of a document; of no document yet: a pending line of its customer';
create index "line_item_by_invoice" on "line_item" (account_id, invoice_id, position) where invoice_id is not null;
create index "line_item_by_estimate" on "line_item" (account_id, estimate_id, position) where estimate_id is not null;
create index "line_item_by_credit_note" on "line_item" (account_id, credit_note_id, position) where credit_note_id is not null;
create index "line_item_pending" on "line_item" (account_id, customer_id, id) where customer_id is not null;

create table "attachment" ("account_id" int not null, "id" serial not null, "file_id" int not null, "invoice_id" int null, "estimate_id" int null, "credit_note_id" int null, "position" int not null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "attachment" is 'A file that a document carries';
create index "attachment_by_file" on "attachment" ("account_id", "file_id");
create index "attachment_by_invoice" on "attachment" (account_id, invoice_id, position) where invoice_id is not null;
create index "attachment_by_credit_note" on "attachment" (account_id, credit_note_id, position) where credit_note_id is not null;
create index "attachment_by_estimate" on "attachment" (account_id, estimate_id, position) where estimate_id is not null;
alter table "attachment" add constraint "attachment_once" unique ("account_id", "invoice_id", "file_id");
alter table "attachment" add constraint "attachment_once_by_estimate" unique ("account_id", "estimate_id", "file_id");
alter table "attachment" add constraint "attachment_once_by_credit_note" unique ("account_id", "credit_note_id", "file_id");

create table "credit_balance_adjustment" ("account_id" int not null, "id" serial not null, "customer_id" int not null, "currency" varchar(3) not null, "amount" numeric(18,4) not null, "date" timestamptz not null, "notes" text null, "event_count" int not null default 0, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "credit_balance_adjustment" is 'A credit balance raised or lowered by hand';
create index "credit_balance_adjustment_by_customer" on "credit_balance_adjustment" ("account_id", "customer_id", "id");
create index "credit_balance_adjustment_by_currency" on "credit_balance_adjustment" ("account_id", "currency", "id");
create index "credit_balance_adjustment_by_date" on "credit_balance_adjustment" ("account_id", "date", "id");
create index "credit_balance_adjustment_by_created" on "credit_balance_adjustment" ("account_id", "created_at", "id");
create index "credit_balance_adjustment_by_updated" on "credit_balance_adjustment" ("account_id", "updated_at", "id");

create table "contact" ("account_id" int not null, "id" serial not null, "customer_id" int not null, "name" varchar(255) not null, "title" varchar(255) null, "email" varchar(255) null, "phone" varchar(255) null, "is_primary" boolean not null, "sms_enabled" boolean not null, "department" varchar(255) null, "address1" varchar(255) null, "address2" varchar(255) null, "city" varchar(255) null, "state" varchar(255) null, "postal_code" varchar(255) null, "country" varchar(2) null, "event_count" int not null default 0, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "contact" is 'Another recipient, or another address, of a customer';
create index "contact_by_customer" on "contact" ("account_id", "customer_id", "id");
create index "contact_primary" on "contact" (account_id, customer_id) where is_primary;

create table "attempt" ("account_id" int not null, "id" serial not null, "customer_id" int not null, "clock_id" int null, "kind" varchar(13) not null, "origin" varchar(8) not null, "state" varchar(9) not null, "key" uuid not null, "gateway" varchar(32) not null, "reference" varchar(255) null, "amount" numeric(18,4) null, "currency" varchar(3) null, "method" varchar(12) null, "source_id" int null, "sealed_token" text null, "vault" boolean not null default false, "make_default" boolean not null default false, "receipt_email" varchar(255) null, "failure_code" varchar(64) null, "failure_message" varchar(255) null, "decline_kind" varchar(14) null, "ended_at" timestamptz null, "looked_up_at" timestamptz null, "started_at" timestamptz not null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "attempt" is 'One operation at a gateway: written before it is asked, closed by its outcome';
create index "attempt_by_customer" on "attempt" ("account_id", "customer_id", "id");
create index "attempt_clock" on "attempt" ("account_id", "clock_id") where clock_id is not null and state in ('open', 'unknown');
create index "attempt_undecided" on "attempt" ("account_id", "id") where state in ('open', 'unknown', 'pending');
alter table "attempt" add constraint "attempt_key" unique ("key");

create table "charge" ("account_id" int not null, "id" serial not null, "attempt_id" int not null, "customer_id" int not null, "currency" varchar(3) not null, "amount" numeric(18,4) not null, "gateway" varchar(32) not null, "gateway_id" varchar(255) not null, "status" varchar(9) not null, "receipt_email" varchar(255) null, "failure_message" varchar(255) null, "source" jsonb null, "event_count" int not null default 0, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
create index "charge_by_customer" on "charge" ("account_id", "customer_id", "id");
create index "charge_by_status" on "charge" ("account_id", "status", "id");
create index "charge_by_currency" on "charge" ("account_id", "currency", "id");
create index "charge_by_gateway" on "charge" ("account_id", "gateway", "id");
create index "charge_by_created" on "charge" ("account_id", "created_at", "id");
create index "charge_by_updated" on "charge" ("account_id", "updated_at", "id");
alter table "charge" add constraint "charge_attempt" unique ("account_id", "attempt_id");
alter table "charge" add constraint "charge_gateway_id" unique ("account_id", "gateway", "gateway_id");

create table "payment" ("account_id" int not null, "id" serial not null, "customer_id" int null, "charge_id" int null, "date" timestamptz not null, "currency" varchar(3) not null, "amount" numeric(18,4) not null, "balance" numeric(18,4) not null, "credit" numeric(18,4) not null default '0', "method" varchar(13) not null, "ach_sender_id" varchar(255) null, "reference" varchar(255) null, "source" varchar(64) not null, "notes" text null, "voided" boolean not null, "metadata" jsonb not null, "token" varchar(32) not null default replace((gen_random_uuid())::text, '-'::text, ''::text), "event_count" int not null default 0, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
create index "payment_by_customer" on "payment" ("account_id", "customer_id", "id");
create index "payment_by_date" on "payment" ("account_id", "date", "id");
create index "payment_by_updated" on "payment" ("account_id", "updated_at", "id");
create index "payment_by_created" on "payment" ("account_id", "created_at", "id");
create index "payment_by_method" on "payment" ("account_id", "method", "id");
create index "payment_by_currency" on "payment" ("account_id", "currency", "id");
create index "payment_by_voided" on "payment" ("account_id", "voided", "id");
create index "payment_by_reference" on "payment" ("account_id", "reference", "id");
create index "payment_by_source" on "payment" ("account_id", "source", "id");
create index "payment_metadata" on "payment" using gin (jsonb_set('{}', array[account_id::text], metadata) jsonb_path_ops) where metadata <> '{}';
alter table "payment" add constraint "payment_charge" unique ("account_id", "charge_id");

create table "payment_application" ("account_id" int not null, "id" serial not null, "payment_id" int not null, "invoice_id" int null, "credit_note_id" int null, "estimate_id" int null, "type" varchar(15) not null, "amount" numeric(18,4) not null, "created_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "payment_application" is 'What a part of a payment does';
create index "payment_application_by_payment" on "payment_application" ("account_id", "payment_id");
create index "payment_application_by_invoice" on "payment_application" ("account_id", "invoice_id");
create index "payment_application_by_credit_note" on "payment_application" (account_id, credit_note_id) where credit_note_id is not null;
create index "payment_application_by_estimate" on "payment_application" (account_id, estimate_id) where estimate_id is not null;

create table "credit_balance_change" ("account_id" int not null, "id" serial not null, "customer_id" int not null, "currency" varchar(3) not null, "at" timestamptz not null, "amount" numeric(18,4) not null, "balance" numeric(18,4) not null, "application_id" int null, "adjustment_id" int null, primary key ("account_id", "id"));
comment on table "credit_balance_change" is 'What raised or lowered a credit balance, in the order of its dates, with the balance after it: never below zero';
create index "credit_balance_change_by_date" on "credit_balance_change" ("account_id", "customer_id", "currency", "at", "id");
alter table "credit_balance_change" add constraint "credit_balance_change_application" unique ("account_id", "application_id");
alter table "credit_balance_change" add constraint "credit_balance_change_adjustment" unique ("account_id", "adjustment_id");

create table "attempt_invoice" ("account_id" int not null, "id" serial not null, "attempt_id" int not null, "invoice_id" int not null, "amount" numeric(18,4) not null, "undecided" boolean not null, primary key ("account_id", "id"));
comment on table "attempt_invoice" is 'What a charge is meant to pay; at most one undecided attempt per invoice, by unique index';
create unique index "attempt_invoice_undecided" on "attempt_invoice" ("account_id", "invoice_id") where undecided;
create index "attempt_invoice_by_attempt" on "attempt_invoice" ("account_id", "attempt_id");
create index "attempt_invoice_by_invoice" on "attempt_invoice" ("account_id", "invoice_id");

create table "attempt_credit" ("account_id" int not null, "id" serial not null, "attempt_id" int not null, "type" varchar(15) not null, "amount" numeric(18,4) not null, "invoice_id" int null, "credit_note_id" int null, "estimate_id" int null, primary key ("account_id", "id"));
comment on table "attempt_credit" is 'What a charge is to do beside paying invoices with its money: credit and deposits that it adds, and credit that pays with it';
create index "attempt_credit_by_attempt" on "attempt_credit" ("account_id", "attempt_id");
create index "attempt_credit_by_invoice" on "attempt_credit" ("account_id", "invoice_id");
create index "attempt_credit_by_credit_note" on "attempt_credit" (account_id, credit_note_id) where credit_note_id is not null;
create index "attempt_credit_by_estimate" on "attempt_credit" (account_id, estimate_id) where estimate_id is not null;

create table "test_clock_step" ("account_id" int not null, "id" bigserial not null, "test_clock_id" int not null, "advance" int not null, "at" timestamptz not null, "subject_type" varchar(32) not null, "subject_id" int not null, "did" text not null, primary key ("account_id", "id"));
comment on table "test_clock_step" is 'What happened to the customers of a clock while it advanced; written by the step itself';
create index "test_clock_step_by_clock" on "test_clock_step" ("account_id", "test_clock_id", "id");
create index "test_clock_step_by_time" on "test_clock_step" ("account_id", "test_clock_id", "at", "id");
create index "test_clock_step_by_advance" on "test_clock_step" ("account_id", "test_clock_id", "advance", "id");

create table "throttle" ("key" varchar(64) not null, "count" int not null, "ends_at" timestamptz not null, primary key ("key"));
comment on table "throttle" is 'How often something was tried without a credential, such as to sign in; belongs to no account';
create index "throttle_end" on "throttle" ("ends_at");

create table "wakeup" ("account_id" int not null, "process" varchar(16) not null, "subject_id" int not null, "rule" varchar(32) not null, "at" timestamptz not null, "step" varchar(255) not null, "clock_id" int null, "time_base" varchar(5) not null, "put_at" timestamptz null, "sweeps" int not null default 0, "handed_at" timestamptz null, primary key ("account_id", "process", "subject_id", "rule"));
comment on table "wakeup" is 'Every wait: whose, until when, why; in real time or in the time of a clock';
create index "wakeup_due" on "wakeup" ("at") where time_base = 'real';
create index "wakeup_clock" on "wakeup" ("account_id", "clock_id", "at") where clock_id is not null;

create table "webhook" ("account_id" int not null, "id" serial not null, "url" varchar(2048) not null, "events" text[] null, "enabled" boolean not null, "description" text null, "api_version" varchar(10) not null, "sealed_secret" text not null, "sealed_old_secret" text null, "old_secret_ends_at" timestamptz null, "failing_since" timestamptz null, "disabled_reason" varchar(255) null, "deleted_at" timestamptz null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "webhook" is 'An endpoint of a client that events are delivered to';
create index "webhook_old_secret" on "webhook" ("old_secret_ends_at") where old_secret_ends_at is not null;
create index "webhook_enabled" on "webhook" ("account_id", "enabled", "id");
create index "webhook_live" on "webhook" (account_id, id) where deleted_at is null;
create index "webhook_by_created" on "webhook" (account_id, created_at, id) where deleted_at is null;
create index "webhook_by_updated" on "webhook" (account_id, updated_at, id) where deleted_at is null;

create table "webhook_attempt" ("account_id" int not null, "id" bigserial not null, "webhook_id" int not null, "delivery_id" bigint null, "event_id" bigint null, "attempt" int not null, "status_code" int null, "error" varchar(255) null, "answer" text not null, "latency_milliseconds" int not null, "next_attempt_at" timestamptz null, "created_at" timestamptz not null, primary key ("account_id", "id"));
create index "webhook_attempt_by_webhook" on "webhook_attempt" ("account_id", "webhook_id", "id");
create index "webhook_attempt_by_event" on "webhook_attempt" ("account_id", "event_id", "id");
create index "webhook_attempt_by_created" on "webhook_attempt" ("account_id", "created_at", "id");

create table "webhook_delivery" ("account_id" int not null, "id" bigserial not null, "webhook_id" int not null, "event_id" bigint not null, "position" bigint not null, "subject_type" varchar(32) not null, "subject_id" varchar(64) not null, "sequence" int not null, "previous_sequence" int null, "state" varchar(9) not null, "attempts" int not null default 0, "created_at" timestamptz not null, "ended_at" timestamptz null, primary key ("account_id", "id"));
comment on table "webhook_delivery" is 'One event for one endpoint; the body is the event, stored once';
create index "webhook_delivery_waiting" on "webhook_delivery" ("account_id", "webhook_id", "subject_type", "subject_id", "position") where state = 'waiting';
alter table "webhook_delivery" add constraint "webhook_delivery_event" unique ("account_id", "webhook_id", "event_id");

create table "webhook_lane" ("account_id" int not null, "webhook_id" int not null, "subject_type" varchar(32) not null, "subject_id" varchar(64) not null, "shard" int not null, "last_sequence" int not null, "due_at" timestamptz null, primary key ("account_id", "webhook_id", "subject_type", "subject_id"));
comment on table "webhook_lane" is 'The events of one object on their way to one endpoint, in order; due while something waits';
create index "webhook_lane_due" on "webhook_lane" ("account_id", "webhook_id", "shard", "due_at") where due_at is not null;

alter table "account" add constraint "account_environment" check (environment in ('live', 'sandbox'));
alter table "account" enable row level security;
create policy "tenant" on "account" using ((id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "account" to "perennial_system" using (true);

alter table "api_key" add constraint "api_key_kind" check (kind in ('secret', 'publishable'));
alter table "api_key" enable row level security;
create policy "tenant" on "api_key" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "api_key" to "perennial_system" using (true);

alter table "coupon" add constraint "coupon_value" check (value >= 0 and (not is_percent or value <= 100));
alter table "coupon" add constraint "coupon_currency" check (is_percent or currency is not null);
alter table "coupon" add constraint "coupon_limits" check (max_redemptions >= 0 and duration >= 0);
alter table "coupon" enable row level security;
create policy "tenant" on "coupon" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "coupon" to "perennial_system" using (true);

alter table "coupon_redemption" add constraint "coupon_redemption_account_id_coupon_id_foreign" foreign key ("account_id", "coupon_id") references "coupon" ("account_id", "id") on update cascade on delete restrict;
alter table "coupon_redemption" enable row level security;
create policy "tenant" on "coupon_redemption" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "coupon_redemption" to "perennial_system" using (true);

alter table "deployment" add constraint "deployment_singleton" check (singleton = 1);

alter table "document_pdf" enable row level security;
create policy "tenant" on "document_pdf" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "document_pdf" to "perennial_system" using (true);

create or replace function event_to_outbox() returns trigger as $$begin
  insert into outbox (account_id, topic, event_id, subject_id, due_at)
    select account_id, 'event', id, 0, created_at from recorded order by id;   return null; end; $$ language plpgsql;
create trigger "event_to_outbox" after insert on "event" referencing new table as recorded
  for each statement execute function event_to_outbox();
alter table "event" enable row level security;
create policy "tenant" on "event" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "event" to "perennial_system" using (true);

alter table "event_log" enable row level security;
create policy "tenant" on "event_log" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "event_log" to "perennial_system" using (true);

alter table "file" add constraint "file_somewhere" check ((url is null) = (store_key is not null and token is not null));
alter table "file" add constraint "file_size" check (size >= 0);
alter table "file" enable row level security;
create policy "tenant" on "file" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "file" to "perennial_system" using (true);

alter table "idempotency" enable row level security;
create policy "tenant" on "idempotency" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "idempotency" to "perennial_system" using (true);

alter table "item" enable row level security;
create policy "tenant" on "item" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "item" to "perennial_system" using (true);

create or replace function ledger_entry_balanced() returns trigger as $$begin
  if exists (select 1 from posted group by account_id, posting, currency having sum(amount) <> 0) then
    raise exception 'ledger posting does not sum to zero' using errcode = 'check_violation';   end if;   return null; end; $$ language plpgsql;
create trigger "ledger_entry_balanced" after insert on "ledger_entry" referencing new table as posted
  for each statement execute function ledger_entry_balanced();
create or replace function "ledger_entry_ledger_entry_append_only_fn"() returns trigger as $$ begin raise exception 'ledger entries are append-only' using errcode = 'check_violation'; end; $$ language plpgsql;
create trigger "ledger_entry_append_only" BEFORE UPDATE OR DELETE on "ledger_entry" for each STATEMENT execute function "ledger_entry_ledger_entry_append_only_fn"();
alter table "ledger_entry" enable row level security;
create policy "tenant" on "ledger_entry" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "ledger_entry" to "perennial_system" using (true);

alter table "logo" add constraint "logo_type" check (type in ('image/png', 'image/jpeg'));
alter table "logo" enable row level security;
create policy "tenant" on "logo" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "logo" to "perennial_system" using (true);

alter table "member" enable row level security;
create policy "tenant" on "member" using (((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer) or (account_id = ( select account.twin_id from account where (account.id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer)))));
create policy "system" on "member" to "perennial_system" using (true);

alter table "member_session" add constraint "member_session_account_id_member_id_foreign" foreign key ("account_id", "member_id") references "member" ("account_id", "id") on update cascade on delete cascade;
alter table "member_session" enable row level security;
create policy "tenant" on "member_session" using (((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer) or (account_id = ( select account.twin_id from account where (account.id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer)))));
create policy "system" on "member_session" to "perennial_system" using (true);

alter table "numbering" enable row level security;
create policy "tenant" on "numbering" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "numbering" to "perennial_system" using (true);

alter table "numbering_gap" enable row level security;
create policy "tenant" on "numbering_gap" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "numbering_gap" to "perennial_system" using (true);

alter table "oauth_application" add constraint "oauth_application_secret" check (confidential = (secret_hash is not null));
create or replace function oauth_application_renamed() returns trigger as $$begin
  update public.oauth_grant set application_name = new.name
    where application_account_id = new.account_id and application_id = new.id;   return null; end; $$ language plpgsql security definer set search_path = pg_catalog, pg_temp;
create trigger "oauth_application_renamed" after update on "oauth_application"
  for each row when (old.name is distinct from new.name) execute function oauth_application_renamed();
alter table "oauth_application" enable row level security;
create policy "tenant" on "oauth_application" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "oauth_application" to "perennial_system" using (true);

alter table "oauth_grant" add constraint "oauth_grant_application_account_id_application_id_foreign" foreign key ("application_account_id", "application_id") references "oauth_application" ("account_id", "id") on update cascade on delete cascade;
alter table "oauth_grant" add constraint "oauth_grant_member_account_id_member_id_foreign" foreign key ("member_account_id", "member_id") references "member" ("account_id", "id") on update cascade on delete cascade;
alter table "oauth_grant" enable row level security;
create policy "tenant" on "oauth_grant" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "oauth_grant" to "perennial_system" using (true);

alter table "oauth_interaction" add constraint "oauth_interaction_account_id_application_id_foreign" foreign key ("account_id", "application_id") references "oauth_application" ("account_id", "id") on update cascade on delete cascade;
alter table "oauth_interaction" enable row level security;
create policy "tenant" on "oauth_interaction" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "oauth_interaction" to "perennial_system" using (true);

alter table "oauth_token" add constraint "oauth_token_account_id_grant_id_foreign" foreign key ("account_id", "grant_id") references "oauth_grant" ("account_id", "id") on update cascade on delete cascade;
alter table "oauth_token" add constraint "oauth_token_kind" check (kind in ('code', 'access', 'refresh'));
alter table "oauth_token" enable row level security;
create policy "tenant" on "oauth_token" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "oauth_token" to "perennial_system" using (true);

alter table "outbox" enable row level security;
create policy "tenant" on "outbox" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "outbox" to "perennial_system" using (true);

alter table "plan" add constraint "plan_account_id_item_id_foreign" foreign key ("account_id", "item_id") references "item" ("account_id", "id") on update cascade on delete restrict;
alter table "plan" add constraint "plan_interval" check (interval in ('day', 'week', 'month', 'year'));
alter table "plan" add constraint "plan_pricing_mode" check (pricing_mode in ('per_unit', 'volume', 'tiered', 'custom'));
alter table "plan" add constraint "plan_price" check ((amount is not null) = (pricing_mode = 'per_unit') and (tiers is not null) = (pricing_mode in ('volume', 'tiered')));
alter table "plan" add constraint "plan_interval_count" check (interval_count > 0);
alter table "plan" enable row level security;
create policy "tenant" on "plan" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "plan" to "perennial_system" using (true);

alter table "problem" enable row level security;
create policy "tenant" on "problem" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "problem" to "perennial_system" using (true);

alter table "rate_limit_bucket" enable row level security;
create policy "tenant" on "rate_limit_bucket" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "rate_limit_bucket" to "perennial_system" using (true);

alter table "snapshot" enable row level security;
create policy "tenant" on "snapshot" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "snapshot" to "perennial_system" using (true);

alter table "stray_bytes" enable row level security;
create policy "tenant" on "stray_bytes" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "stray_bytes" to "perennial_system" using (true);

alter table "tax_rate" add constraint "tax_rate_value" check (value >= 0);
alter table "tax_rate" add constraint "tax_rate_currency" check (is_percent or currency is not null);
alter table "tax_rate" enable row level security;
create policy "tenant" on "tax_rate" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "tax_rate" to "perennial_system" using (true);

alter table "tax_rule" add constraint "tax_rule_account_id_tax_rate_id_foreign" foreign key ("account_id", "tax_rate_id") references "tax_rate" ("account_id", "id") on update cascade on delete restrict;
alter table "tax_rule" add constraint "tax_rule_state" check (state is null or country is not null);
alter table "tax_rule" enable row level security;
create policy "tenant" on "tax_rule" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "tax_rule" to "perennial_system" using (true);

alter table "test_clock" add constraint "test_clock_status" check (status in ('ready', 'advancing', 'stopped'));
alter table "test_clock" add constraint "test_clock_target" check ((status = 'advancing') = (target_at is not null));
alter table "test_clock" enable row level security;
create policy "tenant" on "test_clock" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "test_clock" to "perennial_system" using (true);

alter table "customer" add constraint "customer_account_id_test_clock_id_foreign" foreign key ("account_id", "test_clock_id") references "test_clock" ("account_id", "id") on update cascade on delete restrict;
alter table "customer" add constraint "customer_account_id_default_source_id_foreign" foreign key ("account_id", "default_source_id") references "payment_source" ("account_id", "id") on update cascade on delete restrict;
alter table "customer" add constraint "customer_account_id_parent_id_foreign" foreign key ("account_id", "parent_id") references "customer" ("account_id", "id") on update cascade on delete restrict;
alter table "customer" add constraint "customer_account_id_merged_into_id_foreign" foreign key ("account_id", "merged_into_id") references "customer" ("account_id", "id") on update cascade on delete restrict;
alter table "customer" add constraint "customer_type" check (type in ('company', 'person'));
alter table "customer" add constraint "customer_autopay_delay" check (autopay_delay_days >= -1);
alter table "customer" add constraint "customer_credit_limit" check (credit_limit >= 0);
alter table "customer" add constraint "customer_parent" check (parent_id <> id);
alter table "customer" add constraint "customer_merged" check (merged_into_id is null or not active);
alter table "customer" enable row level security;
create policy "tenant" on "customer" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "customer" to "perennial_system" using (true);

alter table "task" add constraint "task_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete cascade;
alter table "task" add constraint "task_action" check (action in ('phone', 'letter', 'email', 'review'));
alter table "task" add constraint "task_complete" check (complete = (completed_at is not null));
alter table "task" enable row level security;
create policy "tenant" on "task" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "task" to "perennial_system" using (true);

alter table "subscription" add constraint "subscription_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete restrict;
alter table "subscription" add constraint "subscription_account_id_plan_id_foreign" foreign key ("account_id", "plan_id") references "plan" ("account_id", "id") on update cascade on delete restrict;
alter table "subscription" add constraint "subscription_status" check (status in ('not_started', 'active', 'past_due', 'finished', 'canceled'));
alter table "subscription" add constraint "subscription_quantity" check (quantity >= 0);
alter table "subscription" add constraint "subscription_cycles" check (cycles is null or (cycles > 0 and cycles_billed <= cycles));
alter table "subscription" enable row level security;
create policy "tenant" on "subscription" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "subscription" to "perennial_system" using (true);

alter table "payment_source" add constraint "payment_source_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete restrict;
alter table "payment_source" add constraint "payment_source_type" check (type in ('card', 'bank_account'));
alter table "payment_source" enable row level security;
create policy "tenant" on "payment_source" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "payment_source" to "perennial_system" using (true);

alter table "invoice" add constraint "invoice_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete restrict;
alter table "invoice" add constraint "invoice_account_id_subscription_id_foreign" foreign key ("account_id", "subscription_id") references "subscription" ("account_id", "id") on update cascade on delete restrict;
alter table "invoice" add constraint "invoice_account_id_snapshot_id_foreign" foreign key ("account_id", "snapshot_id") references "snapshot" ("account_id", "id") on update cascade on delete restrict;
alter table "invoice" add constraint "invoice_account_id_consolidated_into_id_foreign" foreign key ("account_id", "consolidated_into_id") references "invoice" ("account_id", "id") on update cascade on delete no action;
alter table "invoice" add constraint "invoice_total" check (total >= 0);
alter table "invoice" add constraint "invoice_balance" check (balance >= 0 and balance <= total);
alter table "invoice" add constraint "invoice_paid" check (not paid or balance = 0);
alter table "invoice" add constraint "invoice_number_key" check ((number is null) = (number_key is null));
alter table "invoice" add constraint "invoice_status" check (status in ('draft', 'not_sent', 'sent', 'viewed', 'past_due', 'pending', 'paid', 'voided'));
alter table "invoice" enable row level security;
create policy "tenant" on "invoice" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "invoice" to "perennial_system" using (true);

alter table "note" add constraint "note_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete cascade;
alter table "note" add constraint "note_account_id_invoice_id_foreign" foreign key ("account_id", "invoice_id") references "invoice" ("account_id", "id") on update cascade on delete cascade;
alter table "note" enable row level security;
create policy "tenant" on "note" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "note" to "perennial_system" using (true);

alter table "estimate" add constraint "estimate_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete restrict;
alter table "estimate" add constraint "estimate_account_id_invoice_id_foreign" foreign key ("account_id", "invoice_id") references "invoice" ("account_id", "id") on update cascade on delete restrict;
alter table "estimate" add constraint "estimate_account_id_snapshot_id_foreign" foreign key ("account_id", "snapshot_id") references "snapshot" ("account_id", "id") on update cascade on delete restrict;
alter table "estimate" add constraint "estimate_total" check (total >= 0);
alter table "estimate" add constraint "estimate_deposit" check (deposit >= 0 and deposit <= total);
alter table "estimate" add constraint "estimate_deposit_left" check (deposit_left >= 0 and deposit_left <= deposit_received);
alter table "estimate" add constraint "estimate_number_key" check ((number is null) = (number_key is null));
alter table "estimate" add constraint "estimate_status" check (status in ('draft', 'not_sent', 'sent', 'approved', 'invoiced', 'declined', 'voided'));
alter table "estimate" enable row level security;
create policy "tenant" on "estimate" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "estimate" to "perennial_system" using (true);

alter table "email" add constraint "email_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete restrict;
alter table "email" add constraint "email_state" check (state in ('queued', 'sent', 'bounced', 'failed'));
alter table "email" enable row level security;
create policy "tenant" on "email" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "email" to "perennial_system" using (true);

alter table "credit_note" add constraint "credit_note_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete restrict;
alter table "credit_note" add constraint "credit_note_account_id_invoice_id_foreign" foreign key ("account_id", "invoice_id") references "invoice" ("account_id", "id") on update cascade on delete restrict;
alter table "credit_note" add constraint "credit_note_account_id_snapshot_id_foreign" foreign key ("account_id", "snapshot_id") references "snapshot" ("account_id", "id") on update cascade on delete restrict;
alter table "credit_note" add constraint "credit_note_total" check (total >= 0);
alter table "credit_note" add constraint "credit_note_balance" check (balance >= 0 and balance <= total);
alter table "credit_note" add constraint "credit_note_paid" check (not paid or balance = 0);
alter table "credit_note" add constraint "credit_note_number_key" check ((number is null) = (number_key is null));
alter table "credit_note" add constraint "credit_note_status" check (status in ('draft', 'open', 'paid', 'closed', 'voided'));
alter table "credit_note" enable row level security;
create policy "tenant" on "credit_note" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "credit_note" to "perennial_system" using (true);

alter table "line_item" add constraint "line_item_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete restrict;
alter table "line_item" add constraint "line_item_account_id_invoice_id_foreign" foreign key ("account_id", "invoice_id") references "invoice" ("account_id", "id") on update cascade on delete cascade;
alter table "line_item" add constraint "line_item_account_id_estimate_id_foreign" foreign key ("account_id", "estimate_id") references "estimate" ("account_id", "id") on update cascade on delete cascade;
alter table "line_item" add constraint "line_item_account_id_credit_note_id_foreign" foreign key ("account_id", "credit_note_id") references "credit_note" ("account_id", "id") on update cascade on delete cascade;
alter table "line_item" add constraint "line_item_place" check (num_nonnulls(customer_id, invoice_id, estimate_id, credit_note_id) = 1);
alter table "line_item" enable row level security;
create policy "tenant" on "line_item" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "line_item" to "perennial_system" using (true);

alter table "attachment" add constraint "attachment_account_id_file_id_foreign" foreign key ("account_id", "file_id") references "file" ("account_id", "id") on update cascade on delete restrict;
alter table "attachment" add constraint "attachment_account_id_invoice_id_foreign" foreign key ("account_id", "invoice_id") references "invoice" ("account_id", "id") on update cascade on delete cascade;
alter table "attachment" add constraint "attachment_account_id_estimate_id_foreign" foreign key ("account_id", "estimate_id") references "estimate" ("account_id", "id") on update cascade on delete cascade;
alter table "attachment" add constraint "attachment_account_id_credit_note_id_foreign" foreign key ("account_id", "credit_note_id") references "credit_note" ("account_id", "id") on update cascade on delete cascade;
alter table "attachment" add constraint "attachment_document" check (num_nonnulls(invoice_id, estimate_id, credit_note_id) = 1);
alter table "attachment" enable row level security;
create policy "tenant" on "attachment" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "attachment" to "perennial_system" using (true);

alter table "credit_balance_adjustment" add constraint "credit_balance_adjustment_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete restrict;
alter table "credit_balance_adjustment" add constraint "credit_balance_adjustment_amount" check (amount <> 0);
alter table "credit_balance_adjustment" enable row level security;
create policy "tenant" on "credit_balance_adjustment" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "credit_balance_adjustment" to "perennial_system" using (true);

alter table "contact" add constraint "contact_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete cascade;
alter table "contact" enable row level security;
create policy "tenant" on "contact" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "contact" to "perennial_system" using (true);

alter table "attempt" add constraint "attempt_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete restrict;
alter table "attempt" add constraint "attempt_account_id_source_id_foreign" foreign key ("account_id", "source_id") references "payment_source" ("account_id", "id") on update cascade on delete restrict;
alter table "attempt" add constraint "attempt_state" check (state in ('open', 'unknown', 'pending', 'succeeded', 'failed', 'abandoned'));
alter table "attempt" add constraint "attempt_kind" check (kind in ('charge', 'vault', 'delete_source'));
alter table "attempt" add constraint "attempt_confirmed" check (reference is not null or state in ('open', 'abandoned'));
alter table "attempt" add constraint "attempt_amount" check ((kind = 'charge') = (amount is not null and currency is not null));
alter table "attempt" enable row level security;
create policy "tenant" on "attempt" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "attempt" to "perennial_system" using (true);

alter table "charge" add constraint "charge_account_id_attempt_id_foreign" foreign key ("account_id", "attempt_id") references "attempt" ("account_id", "id") on update cascade on delete restrict;
alter table "charge" add constraint "charge_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete restrict;
alter table "charge" add constraint "charge_status" check (status in ('succeeded', 'pending', 'failed'));
alter table "charge" add constraint "charge_amount" check (amount > 0);
alter table "charge" enable row level security;
create policy "tenant" on "charge" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "charge" to "perennial_system" using (true);

alter table "payment" add constraint "payment_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete restrict;
alter table "payment" add constraint "payment_account_id_charge_id_foreign" foreign key ("account_id", "charge_id") references "charge" ("account_id", "id") on update cascade on delete restrict;
alter table "payment" add constraint "payment_amount" check (amount >= 0);
alter table "payment" add constraint "payment_balance" check (balance >= 0 and balance <= amount);
alter table "payment" add constraint "payment_credit" check (credit >= 0 and credit <= amount);
alter table "payment" enable row level security;
create policy "tenant" on "payment" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "payment" to "perennial_system" using (true);

alter table "payment_application" add constraint "payment_application_account_id_payment_id_foreign" foreign key ("account_id", "payment_id") references "payment" ("account_id", "id") on update cascade on delete restrict;
alter table "payment_application" add constraint "payment_application_account_id_invoice_id_foreign" foreign key ("account_id", "invoice_id") references "invoice" ("account_id", "id") on update cascade on delete restrict;
alter table "payment_application" add constraint "payment_application_account_id_credit_note_id_foreign" foreign key ("account_id", "credit_note_id") references "credit_note" ("account_id", "id") on update cascade on delete restrict;
alter table "payment_application" add constraint "payment_application_account_id_estimate_id_foreign" foreign key ("account_id", "estimate_id") references "estimate" ("account_id", "id") on update cascade on delete restrict;
alter table "payment_application" add constraint "payment_application_amount" check (amount > 0);
alter table "payment_application" add constraint "payment_application_type" check (type in ('invoice', 'credit', 'estimate', 'applied_credit', 'credit_note', 'deposit'));
alter table "payment_application" add constraint "payment_application_source" check (case type when 'credit_note' then credit_note_id is not null when 'credit' then true else credit_note_id is null end);
alter table "payment_application" add constraint "payment_application_target" check (case type when 'invoice' then invoice_id is not null and estimate_id is null when 'credit' then num_nonnulls(invoice_id, estimate_id) = 0 when 'estimate' then invoice_id is null and estimate_id is not null when 'deposit' then num_nonnulls(invoice_id, estimate_id) = 2 else num_nonnulls(invoice_id, estimate_id) = 1 end);
alter table "payment_application" enable row level security;
create policy "tenant" on "payment_application" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "payment_application" to "perennial_system" using (true);

alter table "credit_balance_change" add constraint "credit_balance_change_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete restrict;
alter table "credit_balance_change" add constraint "credit_balance_change_account_id_application_id_foreign" foreign key ("account_id", "application_id") references "payment_application" ("account_id", "id") on update cascade on delete cascade;
alter table "credit_balance_change" add constraint "credit_balance_change_account_id_adjustment_id_foreign" foreign key ("account_id", "adjustment_id") references "credit_balance_adjustment" ("account_id", "id") on update cascade on delete cascade;
alter table "credit_balance_change" add constraint "credit_balance_change_balance" check (balance >= 0);
alter table "credit_balance_change" add constraint "credit_balance_change_amount" check (amount <> 0);
alter table "credit_balance_change" add constraint "credit_balance_change_cause" check ((application_id is null) <> (adjustment_id is null));
alter table "credit_balance_change" enable row level security;
create policy "tenant" on "credit_balance_change" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "credit_balance_change" to "perennial_system" using (true);

alter table "attempt_invoice" add constraint "attempt_invoice_account_id_attempt_id_foreign" foreign key ("account_id", "attempt_id") references "attempt" ("account_id", "id") on update cascade on delete cascade;
alter table "attempt_invoice" add constraint "attempt_invoice_account_id_invoice_id_foreign" foreign key ("account_id", "invoice_id") references "invoice" ("account_id", "id") on update cascade on delete restrict;
alter table "attempt_invoice" add constraint "attempt_invoice_amount" check (amount > 0);
alter table "attempt_invoice" enable row level security;
create policy "tenant" on "attempt_invoice" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "attempt_invoice" to "perennial_system" using (true);

alter table "attempt_credit" add constraint "attempt_credit_account_id_attempt_id_foreign" foreign key ("account_id", "attempt_id") references "attempt" ("account_id", "id") on update cascade on delete cascade;
alter table "attempt_credit" add constraint "attempt_credit_account_id_invoice_id_foreign" foreign key ("account_id", "invoice_id") references "invoice" ("account_id", "id") on update cascade on delete restrict;
alter table "attempt_credit" add constraint "attempt_credit_account_id_credit_note_id_foreign" foreign key ("account_id", "credit_note_id") references "credit_note" ("account_id", "id") on update cascade on delete restrict;
alter table "attempt_credit" add constraint "attempt_credit_account_id_estimate_id_foreign" foreign key ("account_id", "estimate_id") references "estimate" ("account_id", "id") on update cascade on delete restrict;
alter table "attempt_credit" add constraint "attempt_credit_amount" check (amount > 0);
alter table "attempt_credit" add constraint "attempt_credit_target" check (num_nonnulls(invoice_id, estimate_id) = case type when 'credit' then 0 else 1 end);
alter table "attempt_credit" enable row level security;
create policy "tenant" on "attempt_credit" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "attempt_credit" to "perennial_system" using (true);

alter table "test_clock_step" add constraint "test_clock_step_account_id_test_clock_id_foreign" foreign key ("account_id", "test_clock_id") references "test_clock" ("account_id", "id") on update cascade on delete cascade;
alter table "test_clock_step" enable row level security;
create policy "tenant" on "test_clock_step" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "test_clock_step" to "perennial_system" using (true);

alter table "wakeup" add constraint "wakeup_time_base" check (time_base = 'real' or (time_base = 'clock' and clock_id is not null));
alter table "wakeup" enable row level security;
create policy "tenant" on "wakeup" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "wakeup" to "perennial_system" using (true);

alter table "webhook" enable row level security;
create policy "tenant" on "webhook" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "webhook" to "perennial_system" using (true);

alter table "webhook_attempt" enable row level security;
create policy "tenant" on "webhook_attempt" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "webhook_attempt" to "perennial_system" using (true);

alter table "webhook_delivery" add constraint "webhook_delivery_state" check (state in ('waiting', 'delivered', 'failed'));
alter table "webhook_delivery" enable row level security;
create policy "tenant" on "webhook_delivery" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "webhook_delivery" to "perennial_system" using (true);

alter table "webhook_lane" enable row level security;
create policy "tenant" on "webhook_lane" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "webhook_lane" to "perennial_system" using (true);
