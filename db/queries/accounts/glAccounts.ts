import { numberKey } from '../../../billing/documents/numbering.ts';
import type { EntityManager } from '../../orm.ts';
import { type Condition, condition } from '../kernel/sql.ts';

/** SQL: code of the general ledger account of sums or entries `s` with `ledger_account` and `method`, by today's mapping of the account `a`. */
const GL = `case
    when s.ledger_account like 'revenue:%' then substr(s.ledger_account, 9)
    when s.ledger_account like 'bad_debt:%' then substr(s.ledger_account, 10)
    else coalesce(
      case when s.ledger_account like 'tax_payable:%' then (
        select t.gl_account from tax_rate t where t.account_id = a.id and t.code = substr(s.ledger_account, 13)
        order by t.archived_at desc nulls first limit 1)
      when s.method is not null then (select m.gl_account from payment_method m where m.account_id = a.id and m.method = s.method) end,
      a.gl_mapping ->> s.ledger_account, a.gl_mapping ->> split_part(s.ledger_account, ':', 1)) end`;

/** SQL: the same as the list of general ledger accounts spells it, else as `glJoins` does. */
export const GL_CODE = `coalesce(g.code, ${GL})`;

/** SQL: each ledger account that has entries, found by a step through the index for each. `?`: account, account. */
const LEDGER_ACCOUNTS = `ledger_account (name) as (
    select min(ledger_account) from ledger_entry where account_id = ?
    union all select (select min(ledger_account) from ledger_entry where account_id = ? and ledger_account > l.name)
      from ledger_account l where l.name is not null)`;

/** SQL: the general ledger code of each ledger account with entries, null where it has none. `?`: account. */
const POSTED = `select ${GL} as code, s.ledger_account from account a,
    (select name as ledger_account, null::text as method from ledger_account where name is not null) s where a.id = ?`;

/** SQL: the codes of the items of the catalog, each once, found by a step through the index for each. `?`: account, account. */
const ITEM_CODES = `item_code (code) as (
    select min(gl_account) from item where account_id = ? and archived_at is null
    union all select (select min(gl_account) from item where account_id = ? and archived_at is null and gl_account > c.code)
      from item_code c where c.code is not null)`;

/** What names a general ledger account, in words: "Item support-hour". `isPosted`: entries do, which stay. */
export interface GlUser {
  what: string;
  isPosted: boolean;
}

/** What names the general ledger account with a comparison key. Entries are last. */
export async function usersOfGlAccount(em: EntityManager, accountId: number, codeKey: string): Promise<GlUser[]> {
  const rows = await em.execute<(GlUser & { code: string })[]>(
    `with recursive ${ITEM_CODES}, ${LEDGER_ACCOUNTS}
     select c.code, 'Item ' || (select i.code from item i where i.account_id = ? and i.gl_account = c.code and i.archived_at is null limit 1) as what,
       false as "isPosted" from item_code c where c.code is not null
     union all select gl_account, 'Tax rate ' || code, false from tax_rate where account_id = ? and archived_at is null and gl_account is not null
     union all select gl_account, 'Payment method ' || method, false from payment_method where account_id = ? and gl_account is not null
     union all select m.value, 'Ledger account ' || m.key || ' of gl_mapping', false from account a, jsonb_each_text(a.gl_mapping) m where a.id = ?
     union all select settings ->> 'bad_debt_account', 'Setting bad_debt_account', false from account where id = ? and settings ->> 'bad_debt_account' <> ''
     union all select p.code, 'Ledger account ' || p.ledger_account, true from (${POSTED}) p where p.code is not null`,
    Array(10).fill(accountId),
  );
  const users = rows.filter(({ code }) => numberKey(code) === codeKey);
  return [...users.filter(({ isPosted }) => !isPosted), ...users.filter(({ isPosted }) => isPosted)];
}

/** A spelling of a code in use, with its comparison key, and with the code and name that reports show for it. */
interface Spelling {
  spelling: string;
  key: string;
  code: string;
  name: string | null;
}

/** Each spelling of the codes that entries can have. Spellings with one key have one code: that of the list of general ledger accounts, else the first. */
async function spellings(em: EntityManager, accountId: number): Promise<Spelling[]> {
  const listed = await em.execute<{ key: string; code: string; name: string }[]>(
    'select code_key as key, code, name from gl_account where account_id = ?',
    [accountId],
  );
  const used = await em.execute<{ code: string }[]>(
    `with recursive ${LEDGER_ACCOUNTS}
     select code from (
       select p.code from (${POSTED}) p union select gl_account from payment_method where account_id = ?
       union select m.value from account a, jsonb_each_text(a.gl_mapping) m where a.id = ?
     ) used where code is not null order by code collate "C"`,
    Array(5).fill(accountId),
  );
  const shown = new Map<string, { code: string; name: string | null }>(listed.map(({ key, ...one }) => [key, one]));
  return used.map(({ code: spelling }) => {
    const key = numberKey(spelling);
    const { code, name } = shown.get(key) ?? { code: spelling, name: null };
    shown.set(key, { code, name });
    return { spelling, key, code, name };
  });
}

/** SQL: the account `a` of sums or entries `s`, and the general ledger account `g` of each, with the columns of a `Spelling`. */
export async function glJoins(em: EntityManager, accountId: number): Promise<Condition> {
  return condition(
    `join account a on a.id = ?
     left join jsonb_to_recordset(?::jsonb) g (spelling text, key text, code text, name text) on g.spelling = ${GL}`,
    accountId,
    JSON.stringify(await spellings(em, accountId)),
  );
}

/** SQL: whether entries `s` of `glJoins` have a code, in any spelling; `none`: also whether they have none. */
export function hasGlCode(code: string): Condition {
  return condition(code === 'none' ? `(${GL} is null or g.key = ?)` : 'g.key = ?', numberKey(code));
}
