create index "charge_by_amount" on "charge" ("account_id", "amount", "id");
create index "refund_by_amount" on "refund" ("account_id", "amount", "id");
create index "dispute_by_amount" on "dispute" ("account_id", "amount", "id");
