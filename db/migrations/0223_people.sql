create table "person" ("id" serial primary key, "email" varchar(255) not null, "name" varchar(255) null, "password_hash" varchar(255) null, "sealed_totp_secret" text null, "totp_step" int null, "created_at" timestamptz not null, "updated_at" timestamptz not null);
comment on table "person" is 'Somebody who signs in; belongs to no account, and is a member of any number of them';
alter table "person" add constraint "person_email" unique ("email");

create table "passkey" ("id" serial primary key, "person_id" int not null, "credential_id" varchar(1400) not null, "public_key" text not null, "counter" bigint not null, "transports" text[] not null, "name" varchar(255) not null, "last_used_at" timestamptz null, "created_at" timestamptz not null);
comment on table "passkey" is 'A WebAuthn credential of a person';
create index "passkey_person" on "passkey" ("person_id");
alter table "passkey" add constraint "passkey_credential" unique ("credential_id");

create table "person_secret" ("id" serial primary key, "person_id" int null, "purpose" varchar(13) not null, "hash" varchar(64) not null, "data" jsonb not null, "tries" int not null default 0, "used_at" timestamptz null, "expires_at" timestamptz not null, "created_at" timestamptz not null);
comment on table "person_secret" is 'A secret that a mail or a browser holds for a short time, and that counts once';
create index "person_secret_person" on "person_secret" ("person_id", "purpose");
create index "person_secret_expiry" on "person_secret" ("expires_at");
alter table "person_secret" add constraint "person_secret_hash" unique ("hash");

create table "person_session" ("id" serial primary key, "person_id" int not null, "hash" varchar(64) not null, "proofs" text[] not null, "proven_at" timestamptz not null, "last_seen_at" timestamptz not null, "ip" varchar(45) not null, "user_agent" varchar(255) null, "created_at" timestamptz not null, "expires_at" timestamptz not null);
comment on table "person_session" is 'A browser in which a person is signed in; without its row it is signed out';
create index "person_session_person" on "person_session" ("person_id");
create index "person_session_expiry" on "person_session" ("expires_at");
alter table "person_session" add constraint "person_session_hash" unique ("hash");

create table "recovery_code" ("id" serial primary key, "person_id" int not null, "hash" varchar(64) not null, "used_at" timestamptz null);
comment on table "recovery_code" is 'A code that replaces the second factor once';
alter table "recovery_code" add constraint "recovery_code_hash" unique ("person_id", "hash");

create table "role" ("account_id" int not null, "id" serial not null, "code" varchar(64) not null, "name" varchar(255) not null, "permissions" text[] not null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "role" is 'A role that a business made besides the built-in ones; belongs to the live account';
alter table "role" add constraint "role_code" unique ("account_id", "code");

alter table "member" add "person_id" int null, add "name" varchar(255) null, add "role" varchar(64) not null default 'administrator', add "is_limited" boolean not null default false, add "status" varchar(11) not null default 'active', add "invitation_hash" varchar(64) null, add "invitation_ends_at" timestamptz null, add "invited_by_id" int null, add "last_seen_at" timestamptz null;
alter table "member" add constraint "member_person_id_foreign" foreign key ("person_id") references "person" ("id") on delete restrict;
alter table "member" alter column "password_hash" drop not null;
create index "member_person" on "member" ("person_id");
create index "member_invitation" on "member" ("invitation_hash");
create index "member_by_role" on "member" ("account_id", "role");
alter table "member" add constraint "member_status" check (status in ('invited', 'active', 'deactivated'));
comment on table "member" is 'A person in a business, in the live account and its sandbox twin; belongs to the live one';

alter table "api_key" add "member_account_id" int null, add "member_id" int null;
alter table "api_key" add constraint "api_key_member_account_id_member_id_foreign" foreign key ("member_account_id", "member_id") references "member" ("account_id", "id") on update cascade on delete cascade;
create index "api_key_member" on "api_key" ("member_account_id", "member_id");

alter table "passkey" add constraint "passkey_person_id_foreign" foreign key ("person_id") references "person" ("id") on delete cascade;

alter table "person_secret" add constraint "person_secret_person_id_foreign" foreign key ("person_id") references "person" ("id") on delete cascade;
alter table "person_secret" add constraint "person_secret_purpose" check (purpose in ('sign_up', 'reset', 'second_factor', 'passkey', 'email_code', 'device', 'console', 'download'));

alter table "person_session" add constraint "person_session_person_id_foreign" foreign key ("person_id") references "person" ("id") on delete cascade;

alter table "recovery_code" add constraint "recovery_code_person_id_foreign" foreign key ("person_id") references "person" ("id") on delete cascade;

alter table "role" enable row level security;
create policy "tenant" on "role" using (((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer) or (account_id = ( select account.twin_id from account where (account.id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer)))));
create policy "system" on "role" to "perennial_system" using (true);

-- Members with one address are one person. Where several passwords led to them, none does: the person sets a new one by mail.
insert into "person" ("email", "password_hash", "created_at", "updated_at")
  select "email", case when count(*) = 1 then min("password_hash") end, min("created_at"), max("updated_at") from "member" group by "email" order by min("id");
update "member" m set "person_id" = p."id", "password_hash" = p."password_hash" from "person" p where p."email" = m."email";
delete from "member_session" s using "member" m where m."account_id" = s."account_id" and m."id" = s."member_id" and m."password_hash" is null;
