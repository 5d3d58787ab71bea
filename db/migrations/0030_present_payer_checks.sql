alter table "attempt" validate constraint "attempt_state";
alter table "attempt" validate constraint "attempt_waiting";
