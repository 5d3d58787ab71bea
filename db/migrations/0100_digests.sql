create table "digest" ("account_id" int not null, "id" int not null, "last_day" date not null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "digest" is 'How far the days of an account are told in digests to its team; its process has the id of the account';

alter table "digest" add constraint "digest_id" check (id = account_id);
alter table "digest" enable row level security;
create policy "tenant" on "digest" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "digest" to "perennial_system" using (true);
