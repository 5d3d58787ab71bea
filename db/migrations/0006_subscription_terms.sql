alter table "line_item" add "prorated" boolean not null default false;
alter table "subscription" add "snap_day" int null, add "starts_short" boolean not null default false, add "contract_period" int not null default 0, add "renewal_mode" varchar(10) not null default 'none', add "renewal_cycles" int null, add "pending_renewal" boolean not null default false, add "ship_to" jsonb null;
