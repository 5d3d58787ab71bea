alter table "attempt" add "receipt_name" varchar(255) null;
