create index "refund_by_payment" on "refund" ("account_id", "payment_id", "id");
create index "refund_by_adjustment" on "refund" ("account_id", "adjustment_id");
