alter table "task" add "outcome" varchar(1000) null, add "next_task_id" int null, add "follows_task_id" int null;
create unique index "task_follow_up" on "task" ("account_id", "follows_task_id") where follows_task_id is not null;
