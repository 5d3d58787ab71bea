alter table "idempotency" add "etag" varchar(64) null;
