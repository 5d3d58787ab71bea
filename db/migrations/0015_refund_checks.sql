alter table "attempt" validate constraint "attempt_amount";
alter table "attempt" validate constraint "attempt_kind";
alter table "charge" validate constraint "charge_refunded";
alter table "payment" validate constraint "payment_refunded";
