create index "invoice_by_promise" on "invoice" ("account_id", "expected_payment_at") where promise = 'promised' and not closed;
