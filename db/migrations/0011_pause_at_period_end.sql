alter table "subscription" add "pause_at_period_end" boolean not null default false;
