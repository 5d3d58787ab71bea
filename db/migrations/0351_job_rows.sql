alter table "job" add column "refused_count" int not null default 0;

create table "job_row" ("account_id" int not null, "id" bigserial not null, "job_id" int not null, "position" int not null, "object_id" int not null, "outcome" varchar(8) null, "code" varchar(64) null, "reason" text null, primary key ("account_id", "id"));
comment on table "job_row" is 'An object that a job acts on, and what became of it; deleted when the job is done';
alter table "job_row" add constraint "job_row_position" unique ("account_id", "job_id", "position");

alter table "job_row" add constraint "job_row_account_id_job_id_foreign" foreign key ("account_id", "job_id") references "job" ("account_id", "id") on update cascade on delete cascade;
alter table "job_row" add constraint "job_row_outcome" check (outcome in ('done', 'refused'));
alter table "job_row" enable row level security;
create policy "tenant" on "job_row" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "job_row" to "perennial_system" using (true);
create policy "owner" on "job_row" as restrictive to "perennial_limited" using ((exists ( select 1 from job o where ((o.account_id = job_row.account_id) and (o.id = job_row.job_id)))));
