alter table "credit_balance_adjustment" add "refund_id" int null;
alter table "ledger_entry" add "refund_id" int null;
alter table "payment" add "refunds" jsonb not null default '[]'::jsonb;
alter table "refund" add "payment_id" int null, add "adjustment_id" int null, add "method" varchar(13) null, add "date" timestamptz null, add "reference" varchar(255) null, add "returned" boolean not null default false;
alter table "refund" alter "charge_id" drop not null, alter "attempt_id" drop not null, alter "gateway" drop not null, alter "gateway_id" drop not null;
comment on table "refund" is 'Money that was given back, or is being given back: by the gateway of its charge, or outside the gateways';
alter table "refund" add constraint "refund_account_id_payment_id_foreign" foreign key ("account_id", "payment_id") references "payment" ("account_id", "id") on update cascade on delete cascade;
alter table "refund" add constraint "refund_account_id_adjustment_id_foreign" foreign key ("account_id", "adjustment_id") references "credit_balance_adjustment" ("account_id", "id") on update cascade on delete cascade;
