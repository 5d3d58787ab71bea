create index "contact_by_phone" on "contact" (account_id, reverse(regexp_replace(phone, '\(0\)|[^0-9]', '', 'g'))) where phone is not null;
create index "customer_by_phone" on "customer" (account_id, reverse(regexp_replace(phone, '\(0\)|[^0-9]', '', 'g'))) where phone is not null;
