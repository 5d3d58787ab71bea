alter table "payment" add "receipt_number" varchar(32) null, add "receipt_number_key" text null;
