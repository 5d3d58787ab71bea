create table "message_provider" ("account_id" int not null, "id" serial not null, "provider" varchar(16) not null, "name" varchar(255) not null, "account_sid" varchar(34) not null, "sender" varchar(34) not null, "sealed_auth_token" text null, "deleted_at" timestamptz null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "message_provider" is 'An account at a provider that sends text messages, with the credentials that open it';
create index "message_provider_live" on "message_provider" (account_id, id) where deleted_at is null;
create index "message_provider_by_created" on "message_provider" (account_id, created_at, id) where deleted_at is null;
create index "message_provider_by_updated" on "message_provider" (account_id, updated_at, id) where deleted_at is null;
create unique index "message_provider_once" on "message_provider" ("account_id") where deleted_at is null;

create table "sms_event" ("account_id" int not null, "id" bigserial not null, "configuration" varchar(64) not null, "reference" varchar(128) not null, "type" varchar(32) not null, "received_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "sms_event" is 'An event that a provider of texts sent, stored once. It holds no number and no words of a person';
alter table "sms_event" add constraint "sms_event_id" unique ("account_id", "configuration", "reference");

create table "sms_template" ("account_id" int not null, "id" serial not null, "name" varchar(255) not null, "message" text not null, "language" varchar(2) null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "sms_template" is 'Words of a text message, which steps of cadences name';
create index "sms_template_by_name" on "sms_template" ("account_id", "name", "id");
create index "sms_template_by_created" on "sms_template" ("account_id", "created_at", "id");
create index "sms_template_by_updated" on "sms_template" ("account_id", "updated_at", "id");

create table "text_message" ("account_id" int not null, "id" serial not null, "customer_id" int not null, "clock_id" int null, "reminder_id" int not null, "contact_id" int not null, "cause" varchar(64) not null, "number" varchar(16) not null, "message" text not null, "zones" text[] not null, "invoice_ids" int[] not null, "state" varchar(13) not null, "attempts" int not null default 0, "next_attempt_at" timestamptz null, "give_up_at" timestamptz not null, "sending_at" timestamptz null, "provider_id" int null, "reference" varchar(64) null, "failure_reason" text null, "sent_at" timestamptz null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "text_message" is 'A text message: written with its cause, sent by the text pump';
create index "text_message_waiting" on "text_message" ("account_id", "next_attempt_at") where state in ('queued', 'sending') and clock_id is null;
create index "text_message_clock" on "text_message" ("account_id", "clock_id", "next_attempt_at") where state in ('queued', 'sending') and clock_id is not null;
create index "text_message_by_customer" on "text_message" ("account_id", "customer_id", "id");
create index "text_message_by_reminder" on "text_message" ("account_id", "reminder_id");
create index "text_message_by_state" on "text_message" ("account_id", "state", "id");
create index "text_message_by_created" on "text_message" ("account_id", "created_at", "id");
create index "text_message_by_updated" on "text_message" ("account_id", "updated_at", "id");
alter table "text_message" add constraint "text_message_cause" unique ("account_id", "cause");
alter table "text_message" add constraint "text_message_reference" unique ("account_id", "reference");

create table "text_stop" ("account_id" int not null, "id" serial not null, "digest" varchar(64) not null, "stopped_at" timestamptz not null, "resumed_at" timestamptz null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "text_stop" is 'A number that wants no texts from the account. It stays when its customer is anonymized, so only its digest is kept';
alter table "text_stop" add constraint "text_stop_digest" unique ("account_id", "digest");

alter table "message_provider" add constraint "message_provider_provider" check (provider in ('twilio', 'test'));
alter table "message_provider" add constraint "message_provider_sealed" check ((sealed_auth_token is null) = (deleted_at is not null));
alter table "message_provider" enable row level security;
create policy "tenant" on "message_provider" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "message_provider" to "perennial_system" using (true);

alter table "sms_event" enable row level security;
create policy "tenant" on "sms_event" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "sms_event" to "perennial_system" using (true);

alter table "sms_template" enable row level security;
create policy "tenant" on "sms_template" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "sms_template" to "perennial_system" using (true);

alter table "text_message" add constraint "text_message_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete restrict;
alter table "text_message" add constraint "text_message_state" check (state in ('queued', 'sending', 'sent', 'delivered', 'undeliverable', 'failed', 'canceled'));
alter table "text_message" add constraint "text_message_next" check ((state in ('queued', 'sending')) = (next_attempt_at is not null));
alter table "text_message" enable row level security;
create policy "tenant" on "text_message" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "text_message" to "perennial_system" using (true);

alter table "text_stop" enable row level security;
create policy "tenant" on "text_stop" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "text_stop" to "perennial_system" using (true);
