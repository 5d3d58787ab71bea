create unique index "payment_receipt_number_key" on "payment" (account_id, receipt_number_key);
