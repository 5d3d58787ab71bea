alter table "invoice" add "payment_failure_code" varchar(32) null, add "payment_failure_message" varchar(255) null, add "payment_failed_at" timestamptz null;
