create table "mail_event" ("account_id" int not null, "id" bigserial not null, "configuration" varchar(64) not null, "reference" varchar(64) not null, "kind" varchar(11) not null, "email_id" int null, "digest" varchar(64) not null, "occurred_at" timestamptz not null, "received_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "mail_event" is 'An event about a mail, stored once. It holds no address and no words of a person';
create index "mail_event_by_digest" on "mail_event" ("account_id", "digest", "occurred_at");
create index "mail_event_by_email" on "mail_event" (account_id, email_id) where email_id is not null;
alter table "mail_event" add constraint "mail_event_id" unique ("account_id", "configuration", "reference");

create table "mail_provider" ("account_id" int not null, "id" serial not null, "provider" varchar(16) not null, "name" varchar(255) not null, "sealed_secret" text null, "deleted_at" timestamptz null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "mail_provider" is 'A sender of events about mails of an account, with the secret that authenticates them';
create index "mail_provider_live" on "mail_provider" (account_id, id) where deleted_at is null;
create index "mail_provider_by_created" on "mail_provider" (account_id, created_at, id) where deleted_at is null;
create index "mail_provider_by_updated" on "mail_provider" (account_id, updated_at, id) where deleted_at is null;

create table "suppression" ("account_id" int not null, "id" serial not null, "digest" varchar(64) not null, "address" varchar(255) null, "reason" varchar(12) not null, "detail" text null, "suppressed_at" timestamptz not null, "lifted_at" timestamptz null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "suppression" is 'An address to which an account sends no mail, or sent none for a time. It stays when its customer is anonymized';
create index "suppression_live" on "suppression" (account_id, id) where lifted_at is null;
create index "suppression_by_address" on "suppression" (account_id, address, id) where lifted_at is null;
create index "suppression_by_reason" on "suppression" (account_id, reason, id) where lifted_at is null;
create index "suppression_by_created" on "suppression" (account_id, created_at, id) where lifted_at is null;
create index "suppression_by_updated" on "suppression" (account_id, updated_at, id) where lifted_at is null;
alter table "suppression" add constraint "suppression_digest" unique ("account_id", "digest");

alter table "task" add "suppression_id" int null;
create index "task_by_suppression" on "task" (account_id, suppression_id) where suppression_id is not null;

alter table "mail_event" add constraint "mail_event_kind" check (kind in ('hard_bounce', 'soft_bounce', 'complaint'));
alter table "mail_event" enable row level security;
create policy "tenant" on "mail_event" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "mail_event" to "perennial_system" using (true);

alter table "mail_provider" add constraint "mail_provider_provider" check (provider in ('ses', 'postmark', 'sendgrid', 'mailbox'));
alter table "mail_provider" add constraint "mail_provider_sealed" check ((sealed_secret is null) = (deleted_at is not null));
alter table "mail_provider" enable row level security;
create policy "tenant" on "mail_provider" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "mail_provider" to "perennial_system" using (true);

alter table "suppression" add constraint "suppression_reason" check (reason in ('hard_bounce', 'complaint', 'soft_bounces'));
alter table "suppression" enable row level security;
create policy "tenant" on "suppression" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "suppression" to "perennial_system" using (true);
