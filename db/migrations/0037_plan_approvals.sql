alter table "payment_plan" add "approval_token" varchar(32) null, add "approval" jsonb null;
