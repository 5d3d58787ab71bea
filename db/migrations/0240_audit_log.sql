create table "audit_anchor" ("account_id" int not null, "through" timestamptz not null, "position" bigint not null, "mac" varchar(64) not null, "signature" varchar(64) not null, primary key ("account_id", "through"));
comment on table "audit_anchor" is 'What is left of dropped months of an account: their last link';

create table "audit_head" ("account_id" int not null primary key, "position" bigint not null, "mac" varchar(64) not null, "linked_at" timestamptz not null, "signature" varchar(64) not null);
comment on table "audit_head" is 'The last link of the chain of an account';

create table "audit_link" ("account_id" int not null, "position" bigint not null, "created_at" timestamptz not null, "entry_id" bigint not null, "entry_created_at" timestamptz not null, "mac" varchar(64) not null, primary key ("account_id", "position", "created_at")) partition by range ("created_at");
comment on table "audit_link" is 'The chain of an account: one link for each row of its audit log, in the order in which the relay found them';
create index "audit_link_entry" on "audit_link" ("account_id", "entry_id");

create table "audit_log" ("account_id" int not null, "id" bigserial not null, "created_at" timestamptz not null, "kind" varchar(8) not null, "actor" varchar(11) not null, "actor_id" int null, "actor_name" varchar(255) null, "member_id" int null, "operation" varchar(64) not null, "object_type" varchar(32) null, "object_id" varchar(64) null, "ip" varchar(45) null, "user_agent" varchar(255) null, "request_id" varchar(128) null, "reason" varchar(255) null, "before" jsonb null, "after" jsonb null, "count" int not null default 1, primary key ("account_id", "id", "created_at")) partition by range ("created_at");
comment on table "audit_log" is 'Acts: who did what, when and from where; rows are never changed, and are dropped by months';
create index "audit_log_by_kind" on "audit_log" ("account_id", "kind", "id");
create index "audit_log_by_operation" on "audit_log" ("account_id", "operation", "id");
create index "audit_log_by_member" on "audit_log" ("account_id", "member_id", "id") where member_id is not null;
create index "audit_log_by_object" on "audit_log" ("account_id", "object_type", "object_id", "id") where object_id is not null;
create index "audit_log_by_actor" on "audit_log" ("account_id", "actor", "actor_id", "id");

create table "audit_queue" ("account_id" int not null, "entry_id" bigint not null, "created_at" timestamptz not null, "due_at" timestamptz not null, primary key ("account_id", "entry_id"));
comment on table "audit_queue" is 'Rows of the audit log that have no link yet; a trigger adds them, the leading relay deletes them';
create index "audit_queue_due" on "audit_queue" ("due_at");

alter table "deployment" add "sealed_audit_key" text null;

alter table "audit_anchor" enable row level security;
create policy "tenant" on "audit_anchor" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "audit_anchor" to "perennial_system" using (true);

alter table "audit_head" enable row level security;
create policy "tenant" on "audit_head" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "audit_head" to "perennial_system" using (true);

alter table "audit_link" enable row level security;
create policy "tenant" on "audit_link" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "audit_link" to "perennial_system" using (true);

alter table "audit_log" add constraint "audit_log_kind" check (kind in ('change', 'export', 'secret', 'sign_in', 'failure', 'refusal'));
alter table "audit_log" add constraint "audit_log_actor" check (actor in ('member', 'api_key', 'application', 'customer', 'operator', 'visitor', 'system'));
create or replace function audit_log_to_queue() returns trigger as $$begin
  insert into audit_queue (account_id, entry_id, created_at, due_at)
    select account_id, id, created_at,
      case when kind in ('failure', 'refusal') then date_trunc('minute', created_at) + interval '61 s' else created_at end from logged;   return null; end; $$ language plpgsql;
create trigger "audit_log_to_queue" after insert on "audit_log" referencing new table as logged
  for each statement execute function audit_log_to_queue();
alter table "audit_log" enable row level security;
create policy "tenant" on "audit_log" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "audit_log" to "perennial_system" using (true);

alter table "audit_queue" enable row level security;
create policy "tenant" on "audit_queue" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "audit_queue" to "perennial_system" using (true);

-- Months are partitions in a schema that no login may use. Rows outside all months are in the rest.
create schema if not exists audit;
create table audit.log_rest partition of public.audit_log default;
create table audit.link_rest partition of public.audit_link default;
