create table "custom_field" ("account_id" int not null, "id" serial not null, "object" varchar(16) not null, "code" varchar(40) not null, "name" varchar(255) not null, "type" varchar(8) not null, "choices" text[] not null, "is_external" boolean not null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "custom_field" is 'A key in the metadata of a kind of objects, with the values that it may have';
create index "custom_field_by_object" on "custom_field" ("account_id", "object", "id");
create index "custom_field_by_name" on "custom_field" ("account_id", "name", "id");
create index "custom_field_by_created" on "custom_field" ("account_id", "created_at", "id");
create index "custom_field_by_updated" on "custom_field" ("account_id", "updated_at", "id");
alter table "custom_field" add constraint "custom_field_code" unique ("account_id", "code", "object");

alter table "custom_field" add constraint "custom_field_object" check (object in ('customer', 'invoice', 'estimate', 'credit_note', 'payment', 'subscription', 'line_item', 'item', 'plan', 'coupon', 'tax_rate'));
alter table "custom_field" add constraint "custom_field_type" check (type in ('string', 'boolean', 'integer', 'double', 'money', 'date', 'enum'));
alter table "custom_field" add constraint "custom_field_choices" check ((type = 'enum') = (choices <> '{}'));
alter table "custom_field" enable row level security;
create policy "tenant" on "custom_field" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "custom_field" to "perennial_system" using (true);
