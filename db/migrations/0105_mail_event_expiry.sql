create index "mail_event_by_received" on "mail_event" ("received_at");
