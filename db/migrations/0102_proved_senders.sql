alter table "mail_sender" add "found_at" timestamptz null, add "lost_at" timestamptz null, add "misses" int not null default 0, add "looked_at" timestamptz null, add "finding" text null, add "next_look_at" timestamptz not null default '2000-01-01 00:00:00+00';
create index "mail_sender_looks" on "mail_sender" (next_look_at) where deleted_at is null and next_look_at is not null;
