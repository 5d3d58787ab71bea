create index "coupon_search" on "coupon" using gin (routine.search_keys(account_id, '', name || ' ' || code)) with (fastupdate = off);
create index "item_search" on "item" using gin (routine.search_keys(account_id, '', name || ' ' || code)) with (fastupdate = off);
create index "payment_link_search" on "payment_link" using gin (routine.search_keys(account_id, '', name)) with (fastupdate = off);
create index "plan_search" on "plan" using gin (routine.search_keys(account_id, '', name || ' ' || code)) with (fastupdate = off);
create index "sign_up_page_search" on "sign_up_page" using gin (routine.search_keys(account_id, '', name)) with (fastupdate = off);
