alter table "payment" add "matched" boolean not null default false, add "matches_refused" boolean not null default false, add "statement_key" varchar(64) null;

create index "payment_by_matched" on "payment" ("account_id", "matched", "id");
create index "payment_by_sender" on "payment" (account_id, ach_sender_id, customer_id) where ach_sender_id is not null and customer_id is not null and not voided;
create unique index "payment_statement_key" on "payment" (account_id, statement_key) where statement_key is not null;

create index "invoice_open_by_balance" on "invoice" (account_id, currency, balance, id) where not closed and issued_at is not null;

create index "customer_by_lower_name" on "customer" (account_id, lower(name)) where anonymized_at is null and merged_into_id is null;
