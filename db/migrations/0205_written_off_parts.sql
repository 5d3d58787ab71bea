alter table "payment_plan" add "written_off_parts" jsonb null;
