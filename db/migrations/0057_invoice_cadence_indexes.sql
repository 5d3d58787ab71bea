create index "invoice_by_cadence" on "invoice" (account_id, chasing_cadence_id, customer_id, id) where chasing_cadence_id is not null;
