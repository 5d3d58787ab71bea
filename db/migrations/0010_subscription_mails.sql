alter table "subscription" add "contract_end_at" timestamptz null, add "contract_noticed_for" timestamptz null, add "renewal_noticed_for" timestamptz null;

-- Ends of contracts. Those with a snap day get theirs at their next step.
update "subscription" set "contract_end_at" = found."end_at" from (
  select "account_id", "id", case when "cycles_billed" = "cycles" and "period_end_at" is not null then "period_end_at"
      else least('2199-12-31 23:59:59+00', ("anchor_at" at time zone "time_zone" + case "interval"
        when 'year' then make_interval(years => least("intervals", 300))
        when 'month' then make_interval(months => least("intervals", 3600))
        when 'week' then make_interval(weeks => least("intervals", 16000))
        else make_interval(days => least("intervals", 110000)) end) at time zone "time_zone") end as "end_at"
    from (
      select s.*, p."interval", (s."next_period" + s."cycles" - s."cycles_billed") * p."interval_count" as "intervals"
      from "subscription" s join "plan" p on p."account_id" = s."account_id" and p."id" = s."plan_id"
      where s."cycles" is not null and s."snap_day" is null and s."time_zone" in (select name from pg_timezone_names)
    ) contract
  ) found
  where found."account_id" = "subscription"."account_id" and found."id" = "subscription"."id";

create index "subscription_current_by_contract_end" on "subscription" (account_id, contract_end_at, id) where status not in ('canceled', 'finished');
