create table "reminder_address" ("account_id" int not null, "id" serial not null, "customer_id" int not null, "address" varchar(255) not null, "token" varchar(32) not null, "stopped_at" timestamptz null, "resumed_at" timestamptz null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "reminder_address" is 'An address that got reminders about a customer, with the link that stops them. A merged customer may have an address twice';
create index "reminder_address_by_customer" on "reminder_address" ("account_id", "customer_id", "id");

alter table "reminder_address" add constraint "reminder_address_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete cascade;
alter table "reminder_address" add constraint "reminder_address_resumed" check (resumed_at is null or stopped_at is not null);
alter table "reminder_address" enable row level security;
create policy "tenant" on "reminder_address" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "reminder_address" to "perennial_system" using (true);
alter table "email" add "unsubscribe_url" text null;
