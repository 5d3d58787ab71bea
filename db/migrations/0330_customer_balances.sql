create table "customer_balance" ("account_id" int not null, "id" serial not null, "customer_id" int not null, "currency" varchar(3) not null, "balance" numeric(18,4) not null, "overdue" numeric(18,4) not null, "oldest_due_at" timestamptz null, primary key ("account_id", "id"));
comment on table "customer_balance" is 'What a customer owes in a currency: the sums of its open invoices, kept by triggers of the invoices; zero once everything is paid';
create index "customer_balance_by_balance" on "customer_balance" (account_id, currency, balance, customer_id) where balance > 0;
create index "customer_balance_by_overdue" on "customer_balance" (account_id, currency, overdue, customer_id) where balance > 0;
create index "customer_balance_by_oldest" on "customer_balance" (account_id, currency, oldest_due_at, customer_id) where balance > 0;
alter table "customer_balance" add constraint "customer_balance_currency" unique ("account_id", "customer_id", "currency");

alter table "customer_balance" add constraint "customer_balance_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete cascade;
alter table "customer_balance" enable row level security;
create policy "tenant" on "customer_balance" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "customer_balance" to "perennial_system" using (true);
create policy "owner" on "customer_balance" as restrictive to "perennial_limited" using ((exists ( select 1 from customer o where ((o.account_id = customer_balance.account_id) and (o.id = customer_balance.customer_id)))));
