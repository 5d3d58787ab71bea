import { SYSTEM_ROLE } from './tenant.ts';

/**
 * The months of the audit log and of its chain are partitions in a schema of their own, which no login may use: in ours, the schema diff would
 * drop them. Only these functions, with the rights of the owner, open and end months. Rows outside all months are in a partition for the rest,
 * so that no write fails because a month was not opened.
 */
export const AUDIT_SCHEMA = 'audit';

/** How long the audit log is kept. */
export const AUDIT_MONTHS = 24;

/** The partitioned tables, and the prefix of their months. */
const months = { log: 'public.audit_log', link: 'public.audit_link' };

const OPEN_MONTHS = 'lookup.open_audit_months(at timestamptz)';
const END_MONTHS = 'lookup.end_audit_months(ended_before timestamptz)';
const COUNT_ACT = `lookup.count_act(account int, kinds varchar, actors varchar, actor_ids int, operations varchar,
  types varchar, ids varchar, addresses varchar, reasons varchar, at timestamptz)`;

const DEFINER = `security definer set search_path = pg_catalog, pg_temp set timezone = 'UTC' set lock_timeout = '2s'`;

/** SQL: the latest time before which months may end, by the clock of the database. */
export const HORIZON = `date_trunc('month', now()) - interval '${AUDIT_MONTHS} months'`;

const openOne = ([name, table]: [string, string]): string => `
    part := '${name}_' || to_char(month, 'YYYY_MM');
    if to_regclass('${AUDIT_SCHEMA}.' || part) is null then
      execute format('create table ${AUDIT_SCHEMA}.%I (like ${table} including defaults including constraints including indexes)', part);
      execute format('with moved as (delete from ${AUDIT_SCHEMA}.${name}_rest where created_at >= %L and created_at < %L returning *)
        insert into ${AUDIT_SCHEMA}.%I select * from moved', month, month + interval '1 month', part);
      execute format('alter table ${table} attach partition ${AUDIT_SCHEMA}.%I for values from (%L) to (%L)', part, month, month + interval '1 month');
    end if;`;

const endOne = ([name]: [string, string]): string => `
    if to_char(ended_before, 'YYYY_MM') > right(part, 7) and part like '${name}\\_2%' then
      execute format('drop table ${AUDIT_SCHEMA}.%I', part);
      ended := ended + 1;
    end if;`;

/** `sessionAccount`: SQL, the account of the session. */
export const auditMonths = (sessionAccount: string) => [
  {
    /** Opens the months of the rows in the rest, the month of `at`, and the two after it. */
    signature: OPEN_MONTHS,
    create: `
      create or replace function ${OPEN_MONTHS} returns void language plpgsql ${DEFINER} as $$
      declare part text; month timestamptz;
      begin
        if exists (select from generate_series(0, 2) ahead cross join unnest(array['log', 'link']) name
          where to_regclass('${AUDIT_SCHEMA}.' || name || '_' || to_char(at + ahead * interval '1 month', 'YYYY_MM')) is null) then
          lock table ${AUDIT_SCHEMA}.log_rest, ${AUDIT_SCHEMA}.link_rest in access exclusive mode;
          for month in
            select date_trunc('month', at) + ahead * interval '1 month' from generate_series(0, 2) ahead
            union select date_trunc('month', created_at) from ${AUDIT_SCHEMA}.log_rest where created_at >= ${HORIZON}
            union select date_trunc('month', created_at) from ${AUDIT_SCHEMA}.link_rest where created_at >= ${HORIZON}
            order by 1
          loop${Object.entries(months).map(openOne).join('')}
          end loop;
        end if;
      end; $$;`,
  },
  {
    /**
     * Drops the months that lie before a time. Returns how many tables it dropped. Refuses a time within the last two years, and months with
     * links of an account that has no anchor, or with rows that have no link.
     */
    signature: END_MONTHS,
    create: `
      create or replace function ${END_MONTHS} returns int language plpgsql ${DEFINER} as $$
      declare part text; ended int := 0;
      begin
        if ended_before > ${HORIZON} or ended_before <> date_trunc('month', ended_before) then
          raise exception 'the audit log is kept for ${AUDIT_MONTHS} months';
        end if;
        if exists (select from (select distinct account_id from public.audit_link where created_at < ended_before) l
            where not exists (select from public.audit_anchor a where a.account_id = l.account_id and a.through = ended_before))
          or exists (select from public.audit_queue where created_at < ended_before) then
          raise exception 'months of the audit log that are not anchored cannot end';
        end if;
        for part in select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where n.nspname = '${AUDIT_SCHEMA}' and c.relkind = 'r' order by 1
        loop${Object.entries(months).map(endOne).join('')}
        end loop;
        delete from ${AUDIT_SCHEMA}.log_rest where created_at < ended_before;
        delete from ${AUDIT_SCHEMA}.link_rest where created_at < ended_before;
        return ended;
      end; $$;`,
  },
  {
    /**
     * Counts a repetition in the row of the same act within the minute, which has no link yet. Returns its id; null: there is none, and the
     * caller adds it. Until the end of the transaction, nobody else counts the same act.
     */
    signature: COUNT_ACT,
    create: `
      create or replace function ${COUNT_ACT} returns bigint language plpgsql ${DEFINER} as $$
      declare found_id bigint; found_at timestamptz;
      begin
        if account is distinct from ${sessionAccount}
            and not pg_has_role(session_user, '${SYSTEM_ROLE}', 'member') then
          raise exception 'another account';
        end if;
        perform pg_advisory_xact_lock(hashtextextended(concat_ws('/', account, kinds, actors, actor_ids, operations, types, ids, addresses), 0));
        select l.id, l.created_at into found_id, found_at from public.audit_log l
          where l.account_id = account and l.kind = kinds and kinds in ('failure', 'refusal')
            and l.created_at >= date_trunc('minute', at) and l.created_at < date_trunc('minute', at) + interval '1 minute'
            and l.actor = actors and l.actor_id is not distinct from actor_ids and l.operation = operations
            and l.object_type is not distinct from types and l.object_id is not distinct from ids
            and l.ip is not distinct from addresses and l.reason is not distinct from reasons
          order by l.id desc limit 1;
        if found_id is null then return null; end if;
        perform from public.audit_queue q where q.account_id = account and q.entry_id = found_id for update;
        if not found then return null; end if;
        update public.audit_log l set count = l.count + 1 where l.account_id = account and l.id = found_id and l.created_at = found_at;
        return found_id;
      end; $$;`,
  },
];
