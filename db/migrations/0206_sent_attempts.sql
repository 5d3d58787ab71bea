alter table "attempt" add "sent_at" timestamptz null;

alter table "charge" drop constraint "charge_refunded";
alter table "charge" add constraint "charge_refunded" check (amount_refunded >= 0 and refund_reserved >= 0) not valid;
