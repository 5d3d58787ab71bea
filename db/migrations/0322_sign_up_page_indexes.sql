create index "customer_by_sign_up_page" on "customer" (account_id, sign_up_page_id, id) where sign_up_page_id is not null;
