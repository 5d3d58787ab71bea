import type { EntityDictionary } from '@mikro-orm/core';
import type { EntityManager } from '../../orm.ts';
import { Account } from '../../schema/account.ts';
import { Theme } from '../../schema/theme.ts';
import { type Plain, plainReader } from '../kernel/plain.ts';
import type { Reading } from '../kernel/reading.ts';
import { condition } from '../kernel/sql.ts';

/** SQL: a theme of an account as JSON, else the default one of the account. Its times are left out, because JSON has another format. */
export const themeSql = ({ accountId, themeId }: { accountId: string; themeId: string }): string =>
  `(select to_jsonb(t) - 'created_at' - 'updated_at' from theme t where t.account_id = ${accountId} and (t.id = ${themeId} or t.is_default)
  order by t.is_default limit 1)`;

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

/**
 * Locks a theme until the commit: `key share` keeps it from being deleted, `update` also keeps customers from getting it. Null if the account
 * has no such theme.
 */
export async function lockTheme(
  em: EntityManager,
  { accountId, id }: { accountId: number; id: number },
  strength: 'key share' | 'update',
): Promise<Theme | null> {
  const [row] = await em.execute<EntityDictionary<Theme>[]>(
    `select * from theme where account_id = ? and id = ? for ${strength}`,
    [accountId, id],
  );
  return row ? em.map(Theme, row) : null;
}

/** The accent of the account, which its themes without an accent show. */
export async function accountAccent(reading: Pick<Reading, 'slice'>): Promise<string | null> {
  const from = '(select *, id as account_id from account)';
  const [found] = await reading.slice({ row: Account, from, where: condition('true'), order: [], limit: 1, offset: 0 });
  return found?.row.accentColor ?? null;
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
