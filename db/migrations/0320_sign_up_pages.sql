create table "payment_link" ("account_id" int not null, "id" serial not null, "name" varchar(255) not null, "description" text null, "enabled" boolean not null default true, "currency" varchar(3) not null, "amount" numeric(18,4) null, "min_amount" numeric(18,4) null, "max_amount" numeric(18,4) null, "fields" jsonb not null, "tax_codes" text[] not null default '{}', "return_urls" text[] not null default '{}', "token" varchar(32) not null default replace((gen_random_uuid())::text, '-'::text, ''::text), "deleted_at" timestamptz null, "event_count" int not null default 0, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "payment_link" is 'A page on which anybody can pay an amount to the account';
create index "payment_link_live" on "payment_link" (account_id, id) where deleted_at is null;
create index "payment_link_by_name" on "payment_link" (account_id, name, id) where deleted_at is null;
create index "payment_link_by_created" on "payment_link" (account_id, created_at, id) where deleted_at is null;
create index "payment_link_by_updated" on "payment_link" (account_id, updated_at, id) where deleted_at is null;

create table "sign_up_page" ("account_id" int not null, "id" serial not null, "name" varchar(255) not null, "description" text null, "enabled" boolean not null default true, "plans" text[] not null, "addons" jsonb not null, "min_quantity" int not null default 1, "max_quantity" int not null default 1, "trial_days" int not null default 0, "takes_coupons" boolean not null default false, "address" varchar(7) not null, "takes_tax_id" boolean not null default false, "terms_url" varchar(2048) null, "terms" text null, "return_urls" text[] not null default '{}', "token" varchar(32) not null default replace((gen_random_uuid())::text, '-'::text, ''::text), "deleted_at" timestamptz null, "event_count" int not null default 0, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "sign_up_page" is 'A page on which anybody can subscribe to plans of the account';
create index "sign_up_page_live" on "sign_up_page" (account_id, id) where deleted_at is null;
create index "sign_up_page_by_name" on "sign_up_page" (account_id, name, id) where deleted_at is null;
create index "sign_up_page_by_created" on "sign_up_page" (account_id, created_at, id) where deleted_at is null;
create index "sign_up_page_by_updated" on "sign_up_page" (account_id, updated_at, id) where deleted_at is null;

create table "sign_up" ("account_id" int not null, "id" serial not null, "page_id" int not null, "state" varchar(9) not null, "key" uuid not null, "customer_id" int null, "customer_key" int not null, "subscription_id" int null, "invoice_id" int null, "charge_id" int null, "details" jsonb null, "choice" jsonb not null, "seen" varchar(64) not null, "language" varchar(2) not null, "ip" varchar(64) null, "user_agent" varchar(500) null, "consent" jsonb not null, "terms" jsonb null, "accepted_at" timestamptz not null, "trial_key" varchar(64) null, "return_url" varchar(2048) null, "method" varchar(12) not null, "gateway" varchar(32) not null, "sealed_token" text null, "reference" varchar(255) null, "sent_at" timestamptz null, "payer" jsonb null, "sealed_challenge" text null, "stored_reference" varchar(255) null, "failure_code" varchar(64) null, "decline_kind" varchar(14) null, "interruption" varchar(16) null, "refused_param" varchar(64) null, "started_at" timestamptz not null, "ended_at" timestamptz null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "sign_up" is 'A visitor who subscribes on a sign-up page: the stored payment source first, then the customer';
create unique index "sign_up_trial" on "sign_up" ("account_id", "trial_key") where trial_key is not null;
create index "sign_up_by_customer" on "sign_up" (account_id, customer_id, id) where customer_id is not null;
create index "sign_up_by_invoice" on "sign_up" (account_id, invoice_id) where invoice_id is not null;
create index "sign_up_by_subscription" on "sign_up" (account_id, subscription_id) where subscription_id is not null;
create index "sign_up_by_charge" on "sign_up" (account_id, charge_id) where charge_id is not null;
create index "sign_up_by_page" on "sign_up" ("account_id", "page_id", "started_at");
alter table "sign_up" add constraint "sign_up_key" unique ("key");

create table "link_payment" ("account_id" int not null, "id" serial not null, "link_id" int not null, "customer_id" int not null, "invoice_id" int not null, "attempt_id" int not null, "fields" jsonb not null, "language" varchar(2) not null, "return_url" varchar(2048) null, "ip" varchar(64) null, "user_agent" varchar(500) null, "created_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "link_payment" is 'A payment on the page of a payment link, with what the payer typed';
create index "link_payment_by_customer" on "link_payment" ("account_id", "customer_id", "id");
create index "link_payment_by_link" on "link_payment" ("account_id", "link_id", "created_at");
alter table "link_payment" add constraint "link_payment_invoice" unique ("account_id", "invoice_id");
alter table "link_payment" add constraint "link_payment_attempt" unique ("account_id", "attempt_id");

alter table "customer" add "sign_up_page_id" int null;
alter table "customer" add constraint "customer_account_id_sign_up_page_id_foreign" foreign key ("account_id", "sign_up_page_id") references "sign_up_page" ("account_id", "id") on update cascade on delete restrict not valid;

alter table "payment_link" add constraint "payment_link_amount" check (amount > 0 and (amount is null or (min_amount is null and max_amount is null)) and min_amount > 0 and max_amount >= coalesce(min_amount, 0));
alter table "payment_link" enable row level security;
create policy "tenant" on "payment_link" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "payment_link" to "perennial_system" using (true);

alter table "sign_up_page" add constraint "sign_up_page_quantity" check (min_quantity >= 1 and max_quantity >= min_quantity);
alter table "sign_up_page" enable row level security;
create policy "tenant" on "sign_up_page" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "sign_up_page" to "perennial_system" using (true);

alter table "sign_up" add constraint "sign_up_account_id_page_id_foreign" foreign key ("account_id", "page_id") references "sign_up_page" ("account_id", "id") on update cascade on delete restrict;
alter table "sign_up" add constraint "sign_up_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete cascade;
alter table "sign_up" add constraint "sign_up_account_id_subscription_id_foreign" foreign key ("account_id", "subscription_id") references "subscription" ("account_id", "id") on update cascade on delete cascade;
alter table "sign_up" add constraint "sign_up_account_id_invoice_id_foreign" foreign key ("account_id", "invoice_id") references "invoice" ("account_id", "id") on update cascade on delete cascade;
alter table "sign_up" add constraint "sign_up_account_id_charge_id_foreign" foreign key ("account_id", "charge_id") references "attempt" ("account_id", "id") on update cascade on delete cascade;
alter table "sign_up" add constraint "sign_up_state" check (state in ('storing', 'waiting', 'declined', 'abandoned', 'refused', 'charging', 'done', 'given_up'));
alter table "sign_up" add constraint "sign_up_waiting" check ((state = 'waiting') = (sealed_challenge is not null));
alter table "sign_up" add constraint "sign_up_kept" check ((state in ('charging', 'done', 'given_up')) = (subscription_id is not null) and (state <> 'charging' or invoice_id is not null));
alter table "sign_up" enable row level security;
create policy "tenant" on "sign_up" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "sign_up" to "perennial_system" using (true);
create policy "owner" on "sign_up" as restrictive to "perennial_limited" using ((exists ( select 1 from customer o where ((o.account_id = sign_up.account_id) and (o.id = sign_up.customer_id)))));

alter table "link_payment" add constraint "link_payment_account_id_link_id_foreign" foreign key ("account_id", "link_id") references "payment_link" ("account_id", "id") on update cascade on delete restrict;
alter table "link_payment" add constraint "link_payment_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete cascade;
alter table "link_payment" add constraint "link_payment_account_id_invoice_id_foreign" foreign key ("account_id", "invoice_id") references "invoice" ("account_id", "id") on update cascade on delete cascade;
alter table "link_payment" add constraint "link_payment_account_id_attempt_id_foreign" foreign key ("account_id", "attempt_id") references "attempt" ("account_id", "id") on update cascade on delete cascade;
alter table "link_payment" enable row level security;
create policy "tenant" on "link_payment" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "link_payment" to "perennial_system" using (true);
create policy "owner" on "link_payment" as restrictive to "perennial_limited" using ((exists ( select 1 from customer o where ((o.account_id = link_payment.account_id) and (o.id = link_payment.customer_id)))));
