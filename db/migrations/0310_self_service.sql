alter table "account" add "portal_changes" jsonb null;

alter table "plan" add "portal_changes" jsonb null;

alter table "subscription" add "cancellation_reason" varchar(16) null, add "cancellation_comment" text null, add "customers_choices" jsonb null;
alter table "subscription" add constraint "subscription_cancellation_reason" check (cancellation_reason in ('too_expensive', 'missing_features', 'quality', 'unused', 'switched', 'temporary', 'other')) not valid;

alter table "task" add "disputed_invoice_id" int null;
create index "task_by_disputed_invoice" on "task" (account_id, disputed_invoice_id) where disputed_invoice_id is not null;

alter table "invoice" add "disputed_lines" jsonb null, add "dispute_hold_until" timestamptz null;
