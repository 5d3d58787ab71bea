alter table "credit_note" add "early_discount_until" timestamptz null;
alter table "invoice" add "discount_review_at" timestamptz null;
