alter table "customer" add "autopay_fallback" boolean not null default false;

alter table "payment_source" add "expiry_noticed_for" varchar(7) null;

alter table "attempt" add "is_fallback" boolean not null default false;
