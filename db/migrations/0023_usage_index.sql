create index "usage_record_open" on "usage_record" (account_id, subscription_id, (case when addon_id is null then 0 else addon_id end), used_at, id) where total_id is null;
drop index "usage_record_unbilled";
