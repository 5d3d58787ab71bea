create unique index "problem_open_once" on "problem" ("account_id", "subject_type", "subject_id", (case when subject_type = 'customer' then step || ' ' || currency else '' end)) where closed_at is null;
drop index "problem_open";
