alter table "subscription" validate constraint "subscription_cancellation_reason";
