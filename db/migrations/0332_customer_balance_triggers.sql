create or replace function invoice_balances_insert() returns trigger as $$declare changed record; begin
  for changed in
    select account_id, customer_id, currency, sum(balance) as balance, sum(overdue) as overdue from (
        select account_id, customer_id, currency, balance as balance,
          case when past_due then balance else 0 end as overdue, due_at, true as is_after
        from after_rows where issued_at is not null and not closed
      ) side
      group by account_id, customer_id, currency
      having sum(balance) <> 0 or sum(overdue) <> 0
        or min(due_at) filter (where is_after) is distinct from min(due_at) filter (where not is_after)
      order by account_id, customer_id, currency
  loop
    update customer_balance set balance = balance + changed.balance, overdue = overdue + changed.overdue,
        oldest_due_at = (select min(due_at) from invoice where account_id = changed.account_id and customer_id = changed.customer_id
        and currency = changed.currency and issued_at is not null and not closed)
      where account_id = changed.account_id and customer_id = changed.customer_id and currency = changed.currency;     if not found then
      insert into customer_balance (account_id, customer_id, currency, balance, overdue, oldest_due_at)
      select changed.account_id, changed.customer_id, changed.currency, coalesce(sums.balance, 0), sums.overdue, sums.oldest_due_at
        from (select sum(balance) as balance, coalesce(sum(balance) filter (where past_due), 0) as overdue, min(due_at) as oldest_due_at from invoice where account_id = changed.account_id and customer_id = changed.customer_id
        and currency = changed.currency and issued_at is not null and not closed) sums
      on conflict (account_id, customer_id, currency) do update
        set balance = excluded.balance, overdue = excluded.overdue, oldest_due_at = excluded.oldest_due_at;     end if;   end loop;   return null; end; $$ language plpgsql;
create trigger "invoice_balances_insert" after insert on "invoice" referencing new table as after_rows
  for each statement execute function invoice_balances_insert();
create or replace function invoice_balances_update() returns trigger as $$declare changed record; begin
  for changed in
    select account_id, customer_id, currency, sum(balance) as balance, sum(overdue) as overdue from (
        select account_id, customer_id, currency, balance as balance,
          case when past_due then balance else 0 end as overdue, due_at, true as is_after
        from after_rows where issued_at is not null and not closed
        union all select account_id, customer_id, currency, -balance as balance,
          case when past_due then -balance else 0 end as overdue, due_at, false as is_after
        from before_rows where issued_at is not null and not closed
      ) side
      group by account_id, customer_id, currency
      having sum(balance) <> 0 or sum(overdue) <> 0
        or min(due_at) filter (where is_after) is distinct from min(due_at) filter (where not is_after)
      order by account_id, customer_id, currency
  loop
    update customer_balance set balance = balance + changed.balance, overdue = overdue + changed.overdue,
        oldest_due_at = (select min(due_at) from invoice where account_id = changed.account_id and customer_id = changed.customer_id
        and currency = changed.currency and issued_at is not null and not closed)
      where account_id = changed.account_id and customer_id = changed.customer_id and currency = changed.currency;     if not found then
      insert into customer_balance (account_id, customer_id, currency, balance, overdue, oldest_due_at)
      select changed.account_id, changed.customer_id, changed.currency, coalesce(sums.balance, 0), sums.overdue, sums.oldest_due_at
        from (select sum(balance) as balance, coalesce(sum(balance) filter (where past_due), 0) as overdue, min(due_at) as oldest_due_at from invoice where account_id = changed.account_id and customer_id = changed.customer_id
        and currency = changed.currency and issued_at is not null and not closed) sums
      on conflict (account_id, customer_id, currency) do update
        set balance = excluded.balance, overdue = excluded.overdue, oldest_due_at = excluded.oldest_due_at;     end if;   end loop;   return null; end; $$ language plpgsql;
create trigger "invoice_balances_update" after update on "invoice" referencing new table as after_rows old table as before_rows
  for each statement execute function invoice_balances_update();
create or replace function invoice_balances_delete() returns trigger as $$declare changed record; begin
  for changed in
    select account_id, customer_id, currency, sum(balance) as balance, sum(overdue) as overdue from (
        select account_id, customer_id, currency, -balance as balance,
          case when past_due then -balance else 0 end as overdue, due_at, false as is_after
        from before_rows where issued_at is not null and not closed
      ) side
      group by account_id, customer_id, currency
      having sum(balance) <> 0 or sum(overdue) <> 0
        or min(due_at) filter (where is_after) is distinct from min(due_at) filter (where not is_after)
      order by account_id, customer_id, currency
  loop
    update customer_balance set balance = balance + changed.balance, overdue = overdue + changed.overdue,
        oldest_due_at = (select min(due_at) from invoice where account_id = changed.account_id and customer_id = changed.customer_id
        and currency = changed.currency and issued_at is not null and not closed)
      where account_id = changed.account_id and customer_id = changed.customer_id and currency = changed.currency;     if not found then
      insert into customer_balance (account_id, customer_id, currency, balance, overdue, oldest_due_at)
      select changed.account_id, changed.customer_id, changed.currency, coalesce(sums.balance, 0), sums.overdue, sums.oldest_due_at
        from (select sum(balance) as balance, coalesce(sum(balance) filter (where past_due), 0) as overdue, min(due_at) as oldest_due_at from invoice where account_id = changed.account_id and customer_id = changed.customer_id
        and currency = changed.currency and issued_at is not null and not closed) sums
      on conflict (account_id, customer_id, currency) do update
        set balance = excluded.balance, overdue = excluded.overdue, oldest_due_at = excluded.oldest_due_at;     end if;   end loop;   return null; end; $$ language plpgsql;
create trigger "invoice_balances_delete" after delete on "invoice" referencing old table as before_rows
  for each statement execute function invoice_balances_delete();
