create table "mail_sender" ("account_id" int not null, "id" serial not null, "address" varchar(255) not null, "domain" varchar(253) not null, "selector" varchar(63) not null, "sealed_private_key" text null, "public_key" text not null, "deleted_at" timestamptz null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "mail_sender" is 'The address that mails of an account come from, with the DKIM key that signs them';
create index "mail_sender_live" on "mail_sender" (account_id, id) where deleted_at is null;
create index "mail_sender_by_created" on "mail_sender" (account_id, created_at, id) where deleted_at is null;
create index "mail_sender_by_updated" on "mail_sender" (account_id, updated_at, id) where deleted_at is null;
create unique index "mail_sender_once" on "mail_sender" ("account_id") where deleted_at is null;

alter table "mail_sender" add constraint "mail_sender_sealed" check ((sealed_private_key is null) = (deleted_at is not null));
alter table "mail_sender" enable row level security;
create policy "tenant" on "mail_sender" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "mail_sender" to "perennial_system" using (true);
