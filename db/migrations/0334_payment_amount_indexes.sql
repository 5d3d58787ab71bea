create index "payment_by_amount" on "payment" ("account_id", "amount", "id");
create index "payment_by_balance" on "payment" ("account_id", "balance", "id");
