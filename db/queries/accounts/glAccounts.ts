import type { EntityManager } from '../../orm.ts';

/** What names a general ledger account by its code, in words: "Item support-hour". At most one of each kind. */
export async function usersOfGlAccount(em: EntityManager, accountId: number, code: string): Promise<string[]> {
  const rows = await em.execute<{ what: string }[]>(
    `(select 'Item ' || code as what from item where account_id = ? and gl_account = ? and archived_at is null limit 1)
     union all (select 'Tax rate ' || code from tax_rate where account_id = ? and gl_account = ? and archived_at is null limit 1)
     union all (select 'Payment method ' || method from payment_method where account_id = ? and gl_account = ? limit 1)
     union all (select 'Ledger account ' || m.key || ' of gl_mapping' from account a, jsonb_each_text(a.gl_mapping) m where a.id = ? and m.value = ? limit 1)
     union all (select 'Setting bad_debt_account' as what from account where id = ? and settings ->> 'bad_debt_account' = ?)`,
    Array.from({ length: 5 }, () => [accountId, code]).flat(),
  );
  return rows.map(({ what }) => what);
}
