create unique index "credit_note_early_discount" on "credit_note" ("account_id", "invoice_id") where early_discount_until is not null and voided_at is null;
