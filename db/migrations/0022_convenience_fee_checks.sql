alter table "attempt" validate constraint "attempt_fee";
alter table "charge" validate constraint "charge_fee";
alter table "refund" validate constraint "refund_parts";
alter table "payment_application" validate constraint "payment_application_target";
alter table "payment_application" validate constraint "payment_application_type";
alter table "dispute" validate constraint "dispute_lost";
