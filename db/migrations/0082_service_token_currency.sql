alter table "service_token" add "currency" varchar(3) null;
