create index "customer_by_merged_into" on "customer" (account_id, merged_into_id) where merged_into_id is not null;
