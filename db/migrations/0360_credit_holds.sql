alter table "customer" add "held_at" timestamptz null, add "held_by_id" int null, add "hold_reason" varchar(255) null;
