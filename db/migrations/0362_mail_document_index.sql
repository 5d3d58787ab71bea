create index "email_by_document" on "email" ("account_id", ("document"->>'type'), ("document"->>'id')) where document is not null;
