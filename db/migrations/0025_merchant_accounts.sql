create table "merchant_account" ("account_id" int not null, "id" serial not null, "gateway" varchar(16) not null, "name" varchar(255) not null, "gateway_account" varchar(255) not null, "publishable_key" varchar(255) null, "sealed_secret_key" text null, "sealed_event_secret" text null, "currencies" text[] not null default '{}', "deleted_at" timestamptz null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "merchant_account" is 'An account at a payment gateway, with the credentials that open it';
create index "merchant_account_live" on "merchant_account" (account_id, id) where deleted_at is null;
create index "merchant_account_by_created" on "merchant_account" (account_id, created_at, id) where deleted_at is null;
create index "merchant_account_by_updated" on "merchant_account" (account_id, updated_at, id) where deleted_at is null;
create unique index "merchant_account_once" on "merchant_account" ("account_id", "gateway", "gateway_account") where deleted_at is null;

alter table "customer" add "card_merchant_account_id" int null, add "bank_merchant_account_id" int null;
alter table "customer" add constraint "customer_account_id_card_merchant_account_id_foreign" foreign key ("account_id", "card_merchant_account_id") references "merchant_account" ("account_id", "id") on update cascade on delete restrict not valid;
alter table "customer" add constraint "customer_account_id_bank_merchant_account_id_foreign" foreign key ("account_id", "bank_merchant_account_id") references "merchant_account" ("account_id", "id") on update cascade on delete restrict not valid;
create index "customer_by_card_merchant" on "customer" (account_id, card_merchant_account_id, id) where card_merchant_account_id is not null;
create index "customer_by_bank_merchant" on "customer" (account_id, bank_merchant_account_id, id) where bank_merchant_account_id is not null;

alter table "merchant_account" add constraint "merchant_account_sealed" check ((sealed_secret_key is null) = (deleted_at is not null));
alter table "merchant_account" enable row level security;
create policy "tenant" on "merchant_account" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "merchant_account" to "perennial_system" using (true);
