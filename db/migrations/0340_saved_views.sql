create table "saved_view" ("account_id" int not null, "id" serial not null, "name" varchar(255) not null, "list" varchar(32) not null, "query" jsonb not null, "columns" jsonb not null, "shared" boolean not null, "member_id" int null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "saved_view" is 'A list with its filters, order and columns as a member wants to find it again; belongs to the account';
create index "saved_view_by_list" on "saved_view" ("account_id", "list", "id");
create index "saved_view_by_name" on "saved_view" ("account_id", "name", "id");
create index "saved_view_by_member" on "saved_view" ("account_id", "member_id", "list", "id");
create index "saved_view_by_created" on "saved_view" ("account_id", "created_at", "id");
create index "saved_view_by_updated" on "saved_view" ("account_id", "updated_at", "id");

alter table "saved_view" add constraint "saved_view_seen" check (shared or member_id is not null);
alter table "saved_view" enable row level security;
create policy "tenant" on "saved_view" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "saved_view" to "perennial_system" using (true);
create policy "owner" on "saved_view" as restrictive to "perennial_limited" using ((shared or (member_id = (nullif(current_setting('app.owner_id'::text, true), ''::text))::integer))) with check ((member_id = (nullif(current_setting('app.owner_id'::text, true), ''::text))::integer));
