create table "job" ("account_id" int not null, "id" serial not null, "type" varchar(16) not null, "input" jsonb not null, "status" varchar(8) not null, "done" int not null default 0, "total" int null, "refused" jsonb not null, "problem" text null, "member_id" int null, "owner_id" int null, "key_id" int null, "schedule_id" int null, "period" varchar(10) null, "runs" int not null default 0, "file_name" varchar(255) null, "file_type" varchar(255) null, "file_size" bigint null, "store_key" varchar(255) null, "finished_at" timestamptz null, "expires_at" timestamptz null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "job" is 'Work of an account that takes longer than a request, and the file that it wrote';
create unique index "job_running" on "job" ("account_id") where status = 'running';
create index "job_by_status" on "job" ("account_id", "status", "id");
create index "job_by_created" on "job" ("account_id", "created_at", "id");
create index "job_by_updated" on "job" ("account_id", "updated_at", "id");
create index "job_expiry" on "job" ("expires_at");
alter table "job" add constraint "job_of_schedule" unique ("account_id", "schedule_id", "period", "member_id");

create table "report_schedule" ("account_id" int not null, "id" serial not null, "name" varchar(255) not null, "report" varchar(64) not null, "format" varchar(4) not null, "parameters" jsonb not null, "every" varchar(5) not null, "day" int null, "hour" int not null, "zone" varchar(64) not null, "recipients" int[] not null, "member_id" int null, "last_day" date not null, "last_run" jsonb null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "report_schedule" is 'A report that is mailed to members each day, week or month; belongs to the account';
create index "report_schedule_by_created" on "report_schedule" ("account_id", "created_at", "id");
create index "report_schedule_by_updated" on "report_schedule" ("account_id", "updated_at", "id");

alter table "job" add constraint "job_status" check (status in ('queued', 'running', 'done', 'failed', 'canceled'));
alter table "job" add constraint "job_file" check (num_nulls(file_name, file_type, file_size, store_key) in (0, 4));
alter table "job" add constraint "job_end" check ((status in ('queued', 'running')) = (expires_at is null));
alter table "job" enable row level security;
create policy "tenant" on "job" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "job" to "perennial_system" using (true);
create policy "owner" on "job" as restrictive to "perennial_limited" using ((owner_id = (nullif(current_setting('app.owner_id'::text, true), ''::text))::integer));

alter table "report_schedule" add constraint "report_schedule_every" check (every in ('day', 'week', 'month'));
alter table "report_schedule" add constraint "report_schedule_hour" check (hour >= 0 and hour <= 23);
alter table "report_schedule" add constraint "report_schedule_day" check ((every = 'day') = (day is null));
alter table "report_schedule" enable row level security;
create policy "tenant" on "report_schedule" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "report_schedule" to "perennial_system" using (true);
create policy "owner" on "report_schedule" as restrictive to "perennial_limited" using (false) with check (true);
