update "account" set "settings" = "settings" || '{"email_new_invoices": "none"}' where "settings" -> 'email_new_invoices' is null;
