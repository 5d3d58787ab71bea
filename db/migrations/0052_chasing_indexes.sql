create index "customer_by_cadence" on "customer" (account_id, chasing_cadence_id, id) where chasing_cadence_id is not null;
create index "payment_unapplied" on "payment" (account_id, customer_id, id) where balance > 0 and not voided;
