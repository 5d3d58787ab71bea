alter table "credit_note" add "late_fee_review" boolean not null default false;
