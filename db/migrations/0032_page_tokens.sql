-- Two statements each: a new column with a random default would rewrite the table.
alter table "customer" add "token" varchar(32) null;
alter table "customer" alter column "token" set default replace((gen_random_uuid())::text, '-'::text, ''::text);
alter table "subscription" add "token" varchar(32) null;
alter table "subscription" alter column "token" set default replace((gen_random_uuid())::text, '-'::text, ''::text);
