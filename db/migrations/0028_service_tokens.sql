create table "service_token" ("account_id" int not null, "id" serial not null, "hash" varchar(64) not null, "method" varchar(12) not null, "gateway" varchar(32) not null, "sealed_token" text not null, "type" varchar(12) null, "brand" varchar(255) null, "funding" varchar(8) null, "last4" varchar(4) null, "used_at" timestamptz null, "expires_at" timestamptz not null, "created_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "service_token" is 'A page''s token for a card or bank account that its reader entered; pays or is stored once';
create index "service_token_expiry" on "service_token" ("expires_at");
alter table "service_token" add constraint "service_token_hash" unique ("account_id", "hash");

alter table "service_token" add constraint "service_token_method" check (method in ('credit_card', 'ach'));
alter table "service_token" add constraint "service_token_type" check (type in ('card', 'bank_account'));
alter table "service_token" enable row level security;
create policy "tenant" on "service_token" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "service_token" to "perennial_system" using (true);
