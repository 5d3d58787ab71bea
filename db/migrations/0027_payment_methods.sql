create table "payment_method" ("account_id" int not null, "method" varchar(13) not null, "enabled" boolean not null, "position" int not null, "min" numeric(18,4) null, "max" numeric(18,4) null, "currency" varchar(3) null, "instructions" text null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "method"));
comment on table "payment_method" is 'How the pages of an account offer a payment method; a method without a row has the defaults';

alter table "payment_method" add constraint "payment_method_method" check (method in ('ach', 'cash', 'check', 'credit_card', 'eft', 'direct_debit', 'other', 'online_wallet', 'wire_transfer'));
alter table "payment_method" add constraint "payment_method_bounds" check (min >= 0 and max >= 0 and (min is null or max is null or min <= max));
alter table "payment_method" add constraint "payment_method_currency" check ((min is null and max is null) = (currency is null));
alter table "payment_method" enable row level security;
create policy "tenant" on "payment_method" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "payment_method" to "perennial_system" using (true);
