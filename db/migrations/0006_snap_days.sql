alter table "line_item" add "prorated" boolean not null default false;
alter table "subscription" add "snap_day" int null, add "starts_short" boolean not null default false;
