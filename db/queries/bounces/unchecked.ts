import type { SuppressionReason } from '../../../billing/mailEvents.ts';
import type { EntityManager } from '../../orm.ts';
import type { Sql } from '../kernel/sql.ts';

/** A live suppression of an earlier version. `detail`: null: its customer was anonymized. */
export interface UncheckedSuppression {
  accountId: number;
  id: number;
  reason: SuppressionReason;
  detail: string | null;
}

/** Live suppressions of all accounts that earlier versions made and nobody has checked since, at most `limit`. */
export function uncheckedSuppressions(sql: Sql, limit: number): Promise<UncheckedSuppression[]> {
  return sql.query<UncheckedSuppression>(
    `select account_id as "accountId", id, reason, detail from suppression where lifted_at is null and not is_checked
     order by account_id, id limit $1`,
    [limit],
  );
}

/** Notes that suppressions were checked. */
export async function noteChecked(
  em: EntityManager,
  { accountId, ids }: { accountId: number; ids: readonly number[] },
): Promise<void> {
  await em.execute(
    'update suppression set is_checked = true where account_id = ? and id = any(?::int[]) and lifted_at is null and not is_checked',
    [accountId, `{${ids.join()}}`],
  );
}
