create index "email_by_message_id" on "email" ("account_id", "message_id");
