create table "gl_account" ("account_id" int not null, "id" serial not null, "code" varchar(255) not null, "code_key" varchar(255) not null, "name" varchar(255) not null, "type" varchar(9) null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "gl_account" is 'An account of the general ledger in the accounting software of the business; others name it by its code';
create index "gl_account_by_code" on "gl_account" ("account_id", "code", "id");
create index "gl_account_by_name" on "gl_account" ("account_id", "name", "id");
create index "gl_account_by_type" on "gl_account" ("account_id", "type", "id");
create index "gl_account_by_created" on "gl_account" ("account_id", "created_at", "id");
create index "gl_account_by_updated" on "gl_account" ("account_id", "updated_at", "id");
alter table "gl_account" add constraint "gl_account_code" unique ("account_id", "code_key");

alter table "account" add "gl_mapping" jsonb null, add "books_closed_through" date null, add "books_open_from" timestamptz null;

alter table "ledger_entry" add "open_from" timestamptz null;
create or replace function "ledger_entry_ledger_entry_open_from_fn"() returns trigger as $$ begin perform pg_advisory_xact_lock_shared(hashtextextended('books', new.account_id));   select books_open_from into new.open_from from account where id = new.account_id;   return new; end; $$ language plpgsql;
create trigger "ledger_entry_open_from" BEFORE INSERT on "ledger_entry" for each ROW execute function "ledger_entry_ledger_entry_open_from_fn"();

alter table "payment_method" add "gl_account" varchar(255) null;

alter table "tax_rate" add "gl_account" varchar(255) null;

alter table "gl_account" add constraint "gl_account_type" check (type in ('asset', 'liability', 'equity', 'income', 'expense'));
alter table "gl_account" enable row level security;
create policy "tenant" on "gl_account" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "gl_account" to "perennial_system" using (true);
