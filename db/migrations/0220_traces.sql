alter table "event" add "request_id" varchar(128) null, add "traceparent" varchar(55) null;
alter table "outbox" add "traceparent" varchar(55) null;
