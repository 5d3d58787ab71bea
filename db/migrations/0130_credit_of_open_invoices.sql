create table "withheld_credit" ("account_id" int not null, "id" serial not null, "invoice_id" int not null, "credit_note_id" int null, "through_change_id" int null, "amount" numeric(18,4) not null, primary key ("account_id", "id"));
comment on table "withheld_credit" is 'Credit that a person took back from an invoice; it does not pay that invoice again by itself';
create unique index "withheld_credit_once" on "withheld_credit" ("account_id", "invoice_id", "credit_note_id") nulls not distinct;
create index "withheld_credit_by_note" on "withheld_credit" (account_id, credit_note_id) where credit_note_id is not null;

alter table "withheld_credit" add constraint "withheld_credit_account_id_invoice_id_foreign" foreign key ("account_id", "invoice_id") references "invoice" ("account_id", "id") on update cascade on delete cascade;
alter table "withheld_credit" add constraint "withheld_credit_account_id_credit_note_id_foreign" foreign key ("account_id", "credit_note_id") references "credit_note" ("account_id", "id") on update cascade on delete cascade;
alter table "withheld_credit" add constraint "withheld_credit_source" check ((credit_note_id is null) <> (through_change_id is null));
alter table "withheld_credit" enable row level security;
create policy "tenant" on "withheld_credit" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "withheld_credit" to "perennial_system" using (true);

alter table "credit_balance_change" add "counts_from_date" boolean not null default false;
alter table "credit_note" add "arrived_at" timestamptz null;
alter table "invoice" add "credit_review_at" timestamptz null;
