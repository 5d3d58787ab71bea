create index "customer_by_lower_email" on "customer" (account_id, lower(email)) where email is not null;
create index "contact_of_portal" on "contact" (account_id, lower(email)) where portal_role is not null;
