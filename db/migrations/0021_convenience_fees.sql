alter table "attempt" add "convenience_fee" numeric(18,4) not null default '0';
alter table "attempt" add constraint "attempt_fee" check (convenience_fee >= 0 and (convenience_fee = 0 or convenience_fee < amount)) not valid;

alter table "charge" add "convenience_fee" numeric(18,4) not null default '0';
alter table "charge" add constraint "charge_fee" check (convenience_fee >= 0 and convenience_fee < amount) not valid;

alter table "refund" drop constraint "refund_parts";
alter table "refund" add "from_fee" numeric(18,4) not null default '0';
alter table "refund" add constraint "refund_parts" check (least(from_fee, from_unapplied, from_credit, from_deposits, expense) >= 0 and amount = from_fee + from_unapplied + from_credit + from_deposits + expense) not valid;

alter table "payment_application" drop constraint "payment_application_target";
alter table "payment_application" drop constraint "payment_application_type";
alter table "payment_application" add constraint "payment_application_target" check (case type when 'invoice' then invoice_id is not null and estimate_id is null when 'credit' then num_nonnulls(invoice_id, estimate_id) = 0 when 'convenience_fee' then num_nonnulls(invoice_id, estimate_id) = 0 when 'estimate' then invoice_id is null and estimate_id is not null when 'deposit' then num_nonnulls(invoice_id, estimate_id) = 2 else num_nonnulls(invoice_id, estimate_id) = 1 end) not valid;
alter table "payment_application" add constraint "payment_application_type" check (type in ('invoice', 'credit', 'estimate', 'applied_credit', 'credit_note', 'deposit', 'convenience_fee')) not valid;

alter table "dispute" drop constraint "dispute_lost";
alter table "dispute" add "from_fee" numeric(18,4) not null default '0';
alter table "dispute" add constraint "dispute_lost" check (least(amount_lost, from_payment, expense, from_fee) >= 0 and amount_lost = from_payment + expense and from_fee <= from_payment) not valid;
