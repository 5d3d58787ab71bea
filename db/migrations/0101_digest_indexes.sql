create index "attempt_charged" on "attempt" ("account_id", "ended_at") where kind = 'charge' and state in ('succeeded', 'failed');

create index "charge_returned" on "charge" (account_id, returned_at) where returned_at is not null;
