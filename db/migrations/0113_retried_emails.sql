create index "email_retried" on "email" ("id") where state = 'queued' and attempts > 0;
