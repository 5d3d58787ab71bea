alter table "charge" add "uncertain" boolean not null default false;

alter table "refund" add "uncertain" boolean not null default false;
