alter table "sign_up" add "is_hidden" boolean not null default false;
alter table "link_payment" add "is_hidden" boolean not null default false;
