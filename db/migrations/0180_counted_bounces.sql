alter table "mail_event" add "counts" boolean null;
alter table "suppression" add "is_checked" boolean not null default false;
