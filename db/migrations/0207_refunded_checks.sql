alter table "charge" validate constraint "charge_refunded";
