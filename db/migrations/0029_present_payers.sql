alter table "attempt" add "payer" jsonb null, add "sealed_challenge" text null;
alter table "attempt" drop constraint "attempt_state";
alter table "attempt" add constraint "attempt_state" check (state in ('open', 'waiting', 'unknown', 'pending', 'succeeded', 'failed', 'abandoned')) not valid;
alter table "attempt" add constraint "attempt_waiting" check ((state = 'waiting') = (sealed_challenge is not null) and (state <> 'waiting' or payer is not null)) not valid;
create index "attempt_without_outcome" on "attempt" ("account_id", "id") where state in ('open', 'unknown', 'pending', 'waiting');
drop index "attempt_undecided";
