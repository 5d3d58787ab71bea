create index "customer_by_chase" on "customer" ("account_id", "chase", "id");
create index "invoice_by_promise_state" on "invoice" (account_id, promise, id) where promise is not null;
