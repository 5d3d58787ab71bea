create table "pump_lease" ("account_id" int not null, "process" varchar(16) not null, "subject_id" int not null, "shard" int not null, "holder" uuid not null, "held_until" timestamptz not null, primary key ("account_id", "process", "subject_id", "shard"));
comment on table "pump_lease" is 'The pump that sends at present for an account, or for a shard of an endpoint; no row means none';
alter table "pump_lease" enable row level security;
create policy "tenant" on "pump_lease" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "pump_lease" to "perennial_system" using (true);
