alter table "attempt" add "interruption" varchar(16) null;
alter table "event" add "reason" varchar(32) null;
alter table "problem" add "content" varchar(16) null;
alter table "wakeup" add "reason" varchar(32) null, add "reason_detail" varchar(255) null;
