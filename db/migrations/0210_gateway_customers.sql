create table "gateway_customer" ("account_id" int not null, "id" serial not null, "customer_id" int not null, "gateway" varchar(32) not null, "reference" varchar(255) null, "generation" int not null default 0, primary key ("account_id", "id"));
comment on table "gateway_customer" is 'A customer as a merchant account knows it at its gateway';
alter table "gateway_customer" add constraint "gateway_customer_once" unique ("account_id", "customer_id", "gateway");
alter table "gateway_customer" add constraint "gateway_customer_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete cascade;
alter table "gateway_customer" enable row level security;
create policy "tenant" on "gateway_customer" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "gateway_customer" to "perennial_system" using (true);
