create table "mrr_movement" ("account_id" int not null, "id" serial not null, "subscription_id" int not null, "event_id" bigint not null, "currency" varchar(3) not null, "amount" numeric(18,4) not null, "occurred_at" timestamptz not null, "created_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "mrr_movement" is 'A change of the monthly recurring revenue of a subscription, append-only; written by the event of the change';
create index "mrr_movement_by_subscription" on "mrr_movement" ("account_id", "subscription_id", "id");
alter table "mrr_movement" add constraint "mrr_movement_event" unique ("account_id", "event_id");

create or replace function event_to_mrr() returns trigger as $$begin
  if exists (select from recorded where subject_type = 'subscription') then
    insert into mrr_movement (account_id, subscription_id, event_id, currency, amount, occurred_at, created_at)
    select account_id, subscription_id, event_id, currency, earns - earned, occurred_at, created_at from (
      select e.account_id, e.subject_id::int as subscription_id, e.id as event_id, e.occurred_at, e.created_at,
        coalesce(e.object -> 'plan' ->> 'currency', (
          select p.currency from subscription s join plan p on p.account_id = s.account_id and p.id = s.plan_id
          where s.account_id = e.account_id and s.id = e.subject_id::int
        )) as currency,
        case when e.object ->> 'status' in ('active', 'past_due') and not (e.object ->> 'paused')::boolean
          then (e.object ->> 'mrr')::numeric else 0 end as earns, case when f.object ->> 'status' in ('active', 'past_due') and not (f.object ->> 'paused')::boolean
          then (f.object ->> 'mrr')::numeric else 0 end as earned
      from recorded e left join event f on f.account_id = e.account_id and f.subject_type = e.subject_type and f.subject_id = e.subject_id
        and f.sequence = e.sequence - 1
      where e.subject_type = 'subscription'
      order by e.id
    ) change where earns <> earned;
  end if;   return null; end; $$ language plpgsql;
create trigger "event_to_mrr" after insert on "event" referencing new table as recorded
  for each statement execute function event_to_mrr();

alter table "subscription" add "mrr_derived" boolean null;
alter table "subscription" alter column "mrr_derived" set default true;
create index "subscription_underived" on "subscription" (account_id, id) where mrr_derived is null;

alter table "mrr_movement" add constraint "mrr_movement_account_id_subscription_id_foreign" foreign key ("account_id", "subscription_id") references "subscription" ("account_id", "id") on update cascade on delete cascade;
alter table "mrr_movement" add constraint "mrr_movement_amount" check (amount <> 0);
create or replace function "mrr_movement_mrr_movement_append_only_fn"() returns trigger as $$ begin raise exception 'movements of revenue are append-only' using errcode = 'check_violation'; end; $$ language plpgsql;
create trigger "mrr_movement_append_only" BEFORE UPDATE on "mrr_movement" for each STATEMENT execute function "mrr_movement_mrr_movement_append_only_fn"();
alter table "mrr_movement" enable row level security;
create policy "tenant" on "mrr_movement" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "mrr_movement" to "perennial_system" using (true);
create policy "owner" on "mrr_movement" as restrictive to "perennial_limited" using ((exists ( select 1 from subscription o where ((o.account_id = mrr_movement.account_id) and (o.id = mrr_movement.subscription_id)))));
