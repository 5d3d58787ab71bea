alter table "invoice" add "last_late_fee_at" timestamptz null, add "late_fee_review_at" timestamptz null;
