create index "invoice_by_payment_failure" on "invoice" (account_id, payment_failure_code, id) where payment_failure_code is not null;
