-- Reasons of rows that were written in words only.
update "attempt" set "interruption" = case
    when "failure_message" like '%: the payment gateway could not be reached; %' then 'unreachable'
    when "failure_message" like '%: it was interrupted before the payment gateway was told to confirm it; %' then 'interrupted'
    when "failure_message" like '%: the payment gateway was asked and did not do it; %' then 'not_made' end
  where "state" = 'abandoned' and "interruption" is null and "failure_message" is not null;

update "wakeup" set "reason" = 'step_failed', "reason_detail" = substr("step", length('try again: ') + 1), "step" = 'try again'
  where "rule" = 'problem' and "step" like 'try again: %';

update "wakeup" set "reason" = 'latest_date', "step" = 'finish' where "rule" = 'finish' and "step" like 'finish: %';

update "wakeup" set "step" = split_part("step", ': ', 1),
    "reason" = case
      when "step" like '%: soft decline %' then 'soft_decline'
      when "step" like '%: hard decline %' then 'hard_decline'
      when "step" like '%: needs_customer decline %' then 'needs_customer'
      when "step" like '%: the payment gateway could not be reached; %' then 'unreachable'
      when "step" like '%: it was interrupted before the payment gateway was told to confirm it; %' then 'interrupted'
      when "step" like '%: the payment gateway was asked and did not do it; %' then 'not_made' end,
    "reason_detail" = substring("step" from ': (?:soft|hard|needs_customer) decline (.*)$')
  where "rule" = 'attempt' and "step" like 'attempt %: %';

update "problem" set "content" = substring("step" from 'content ([0-9a-f]{16})$')
  where "closed_at" is null and "step" like 'make the PDF of content %';

update "event" set "reason" = found."reason" from (
  select "account_id", "id", case
      when "type" in ('invoice.viewed', 'estimate.viewed', 'credit_note.viewed', 'estimate.approved') then 'on_page'
      when "type" = 'estimate.updated' then case
        when "user_id" = -1 and "previous" -> 'status' is not null and "object" ->> 'status' = 'declined' then case
          when exists (select from "estimate" e where e."account_id" = "event"."account_id"
            and e."id"::text = "event"."subject_id" and e."expired_at" = "event"."occurred_at") then 'expiration_date_passed'
          else 'on_page' end end
      when "type" = 'subscription.updated' then case
        when "previous" -> 'status' is not null and "object" ->> 'status' = 'finished' then
          case when "object" ->> 'cycles' is null then 'latest_date' else 'cycles_billed' end
        when "previous" -> 'status' is not null and "object" ->> 'status' = 'past_due' then 'invoice_past_due'
        when "previous" -> 'period_start' is not null and "object" ->> 'period_start' is not null then 'period_started'
        when "previous" ->> 'status' = 'past_due' and "object" ->> 'status' = 'active' then 'no_invoice_past_due' end
      when "object" ->> 'status' = 'voided' or "previous" -> 'draft' is not null or "previous" -> 'closed' is not null then null
      when "previous" -> 'attempt_count' is not null and "previous" -> 'balance' is null then 'charge_failed'
      when "previous" -> 'balance' is not null or "previous" -> 'status' is null then case
        when "user_id" = -1 and "previous" -> 'due_date' is not null and "previous" -> 'balance' is null
          and "previous" ->> 'next_payment_attempt' is not null and "object" ->> 'next_payment_attempt' is null
          then 'no_payment_source' end
      when "object" ->> 'status' = 'past_due' and "previous" ->> 'status' <> 'pending' then 'due_date_passed'
      when "object" ->> 'status' = 'pending' then 'payment_pending' end as "reason"
    from "event"
    where "reason" is null and "type" in ('invoice.viewed', 'estimate.viewed', 'credit_note.viewed', 'estimate.approved',
      'estimate.updated', 'subscription.updated', 'invoice.updated')
  ) found
  where found."account_id" = "event"."account_id" and found."id" = "event"."id" and found."reason" is not null;
