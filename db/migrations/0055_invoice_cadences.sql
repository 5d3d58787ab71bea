alter table "chasing_cadence" add "kind" varchar(8) not null default 'customer', add "is_default" boolean not null default false;
create unique index "chasing_cadence_invoice_default" on "chasing_cadence" ("account_id") where is_default;
alter table "chasing_cadence" add constraint "chasing_cadence_kind" check (kind in ('customer', 'invoice')) not valid;
alter table "chasing_cadence" add constraint "chasing_cadence_of_invoices" check (kind = 'customer' or assignment_mode = 'none') not valid;
alter table "chasing_cadence" add constraint "chasing_cadence_of_customers" check (kind = 'invoice' or not is_default) not valid;

alter table "invoice" add "chasing_cadence_id" int null, add "taken_steps" jsonb null;
alter table "invoice" add constraint "invoice_account_id_chasing_cadence_id_foreign" foreign key ("account_id", "chasing_cadence_id") references "chasing_cadence" ("account_id", "id") on update cascade on delete restrict not valid;
