-- Cards that AutoPay charges already get the wait for their notice. Those whose notice is over are announced by the next sweep.
insert into "wakeup" ("account_id", "process", "subject_id", "rule", "at", "step", "clock_id", "time_base", "put_at")
select s."account_id", 'payment_source', s."id", 'card_expiring', (s."expired_at" - interval '30 days') at time zone a."time_zone",
    'mails that the card expires, 30 days ahead', c."test_clock_id", case when c."test_clock_id" is null then 'real' else 'clock' end, now()
  from (select *, make_date("exp_year", "exp_month", 1) + interval '1 month' as "expired_at" from "payment_source"
    where "chargeable" and "deleted_at" is null and "exp_year" between 2000 and 2199 and "exp_month" between 1 and 12) s
  join "customer" c on c."account_id" = s."account_id" and c."default_source_id" = s."id" and c."autopay"
  join "account" a on a."id" = s."account_id"
  left join "test_clock" t on t."account_id" = c."account_id" and t."id" = c."test_clock_id"
  where s."expired_at" at time zone a."time_zone" > coalesce(t."frozen_at", now())
  on conflict do nothing;
