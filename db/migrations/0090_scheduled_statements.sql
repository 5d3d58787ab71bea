create table "scheduled_statement" ("account_id" int not null, "id" serial not null, "customer_id" int not null, "currency" varchar(3) not null, "month" varchar(7) not null, "type" varchar(15) not null, "starts_at" timestamptz null, "ends_at" timestamptz not null, "closing_balance" numeric(18,4) not null, "task_id" int null, "created_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "scheduled_statement" is 'A statement that a customer got by its schedule; at most one a month in a currency';
alter table "scheduled_statement" add constraint "scheduled_statement_once" unique ("account_id", "customer_id", "currency", "month");

create table "statement_planning" ("account_id" int not null, "id" int not null, "planning_after" int null, "planned_count" int not null default 0, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "statement_planning" is 'How far the statements of all customers are planned anew after a change of the settings; its process has the id of the account';

alter table "customer" add "statement_day" varchar(4) null;

alter table "scheduled_statement" add constraint "scheduled_statement_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete restrict;
alter table "scheduled_statement" add constraint "scheduled_statement_type" check (type in ('balance_forward', 'open_item'));
alter table "scheduled_statement" enable row level security;
create policy "tenant" on "scheduled_statement" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "scheduled_statement" to "perennial_system" using (true);

alter table "statement_planning" add constraint "statement_planning_id" check (id = account_id);
alter table "statement_planning" enable row level security;
create policy "tenant" on "statement_planning" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "statement_planning" to "perennial_system" using (true);
