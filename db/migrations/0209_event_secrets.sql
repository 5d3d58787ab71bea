create index "gateway_event_secret" on "gateway_event" (account_id, id) where body ~ '"client_secret"\s*:\s*"';
