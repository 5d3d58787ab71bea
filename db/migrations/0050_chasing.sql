create table "chasing_cadence" ("account_id" int not null, "id" serial not null, "name" varchar(255) not null, "time_of_day" int not null, "frequency" varchar(12) not null, "run_days" jsonb not null, "paused" boolean not null, "min_balance" numeric(18,4) not null, "assignment_mode" varchar(10) not null, "assignment_conditions" jsonb not null, "steps" jsonb not null, "planning_after" int null, "planned_count" int not null default 0, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "chasing_cadence" is 'The steps in which customers are asked for what they owe, and the days and hour of these steps';
create unique index "chasing_cadence_default" on "chasing_cadence" ("account_id") where assignment_mode = 'default';
create index "chasing_cadence_by_name" on "chasing_cadence" ("account_id", "name", "id");
create index "chasing_cadence_by_created" on "chasing_cadence" ("account_id", "created_at", "id");
create index "chasing_cadence_by_updated" on "chasing_cadence" ("account_id", "updated_at", "id");

create table "reminder" ("account_id" int not null, "id" serial not null, "customer_id" int not null, "day" date not null, "channel" varchar(8) not null, "cadence_id" int not null, "step_id" int not null, "task_id" int null, "created_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "reminder" is 'A step of a cadence that was taken; at most one a day by the same channel';
alter table "reminder" add constraint "reminder_once" unique ("account_id", "customer_id", "day", "channel");

create table "chase" ("account_id" int not null, "id" int not null, "customer_id" int not null, "cadence_id" int null, "taken" int[] not null, "last_step_at" timestamptz null, "last_step_on" date null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "chase" is 'How far a customer is in its cadence; its process has the id of the customer';
create index "chase_by_customer" on "chase" ("account_id", "customer_id");
create index "chase_by_cadence" on "chase" ("account_id", "cadence_id", "id");

alter table "customer" add "chase" boolean not null default true, add "chasing_cadence_id" int null, add "next_chase_step_id" int null;
alter table "customer" add constraint "customer_account_id_chasing_cadence_id_foreign" foreign key ("account_id", "chasing_cadence_id") references "chasing_cadence" ("account_id", "id") on update cascade on delete restrict not valid;

alter table "chasing_cadence" add constraint "chasing_cadence_hour" check (time_of_day >= 0 and time_of_day <= 23);
alter table "chasing_cadence" add constraint "chasing_cadence_minimum" check (min_balance >= 0);
alter table "chasing_cadence" add constraint "chasing_cadence_frequency" check (frequency in ('daily', 'day_of_week', 'day_of_month'));
alter table "chasing_cadence" add constraint "chasing_cadence_assignment_mode" check (assignment_mode in ('none', 'default', 'conditions'));
alter table "chasing_cadence" enable row level security;
create policy "tenant" on "chasing_cadence" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "chasing_cadence" to "perennial_system" using (true);

alter table "reminder" add constraint "reminder_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete restrict;
alter table "reminder" add constraint "reminder_channel" check (channel in ('email', 'sms', 'letter', 'phone', 'escalate'));
alter table "reminder" enable row level security;
create policy "tenant" on "reminder" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "reminder" to "perennial_system" using (true);

alter table "chase" add constraint "chase_account_id_customer_id_foreign" foreign key ("account_id", "customer_id") references "customer" ("account_id", "id") on update cascade on delete restrict;
alter table "chase" add constraint "chase_id" check (id = customer_id);
alter table "chase" enable row level security;
create policy "tenant" on "chase" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "chase" to "perennial_system" using (true);
