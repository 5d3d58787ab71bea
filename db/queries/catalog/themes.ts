import type { EntityManager } from '../../orm.ts';
import { Theme } from '../../schema/theme.ts';
import { type Plain, plainReader } from '../kernel/plain.ts';

/** The theme of a customer, else the default one of the account; null: there is neither. Null customer: the default one. */
export async function shownTheme(
  em: EntityManager,
  accountId: number,
  customer: { theme?: { id: number } | null | undefined } | null,
): Promise<Plain<Theme> | null> {
  const [row] = await em.execute<object[]>(
    'select * from theme where account_id = ? and (id = ? or is_default) order by is_default limit 1',
    [accountId, customer?.theme?.id ?? null],
  );
  return row ? plainReader(em, Theme)(row) : null;
}

/** A customer that has a theme; null: none has it. */
export async function customerWithTheme(
  em: EntityManager,
  key: { accountId: number; id: number },
): Promise<number | null> {
  const [row] = await em.execute<{ id: number }[]>(
    'select id from customer where account_id = ? and theme_id = ? order by id limit 1',
    [key.accountId, key.id],
  );
  return row?.id ?? null;
}
