import type { NoteFacts } from '../../../billing/documents/creditNoteStory.ts';
import type { AppliedDiscount, AppliedTax } from '../../../billing/documents/document.ts';
import type { SettingsHolder } from '../../../billing/settings.ts';
import { readFacts } from '../credit/noteStories.ts';
import type { Sql } from '../kernel/sql.ts';
import type { ExplainedEntry, ExplainedLine, Named } from './explanation.ts';

export interface ExplainedNote {
  number: string | null;
  customerId: number;
  customer: string;
  /** Number of the invoice that it corrects; null: it corrects none. */
  invoice: string | null;
  /** Why it may exceed its invoice; null: it may not. */
  forceReason: string | null;
  currency: string;
  status: string;
  date: Date;
  timeZone: string;
  discounts: AppliedDiscount[];
  taxes: AppliedTax[];
  subtotal: string;
  total: string;
}

/** All rows from which the amounts of a credit note follow, and what became of it. */
export interface ExplainedNoteFacts {
  account: SettingsHolder;
  note: ExplainedNote;
  lines: ExplainedLine[];
  became: NoteFacts;
  entries: ExplainedEntry[];
}

/** SQL: the entries of a note, those of its applications included: found by its customer, whose former ids were merged into it, and by its payments. */
const ENTRIES = `with recursive merged as (
    select customer_id as id from credit_note where account_id = $1 and id = $2
    union select c.id from merged m join customer c on c.account_id = $1 and c.merged_into_id = m.id)
  select id, posting, posted_at as "postedAt", reason, ledger_account as "ledgerAccount", amount, payment_id as "paymentId"
    from ledger_entry where account_id = $1 and customer_id in (select id from merged) and invoice_id is null and payment_id is null
      and credit_note_id = $2
  union all
  select id, posting, posted_at, reason, ledger_account, amount, payment_id from ledger_entry
    where account_id = $1 and credit_note_id = $2
      and payment_id in (select payment_id from payment_application where account_id = $1 and credit_note_id = $2)
  order by id`;

export async function readNoteFacts(sql: Sql, { accountId, id }: Named): Promise<ExplainedNoteFacts> {
  const key = [accountId, id];
  const [note] = await sql.query<ExplainedNote>(
    `select n.number, c.id as "customerId", c.name as customer, i.number as invoice, n.force_reason as "forceReason", n.currency,
       n.status, n.date, n.time_zone as "timeZone", n.discounts, n.taxes, n.subtotal, n.total
     from credit_note n join customer c on c.account_id = n.account_id and c.id = n.customer_id
     left join invoice i on i.account_id = n.account_id and i.id = n.invoice_id
     where n.account_id = $1 and n.id = $2`,
    key,
  );
  if (!note) throw new Error(`credit note ${id} is gone`);
  const lines = await sql.query<ExplainedLine>(
    `select name, quantity, unit_cost as "unitCost", amount, discountable, discounts, taxable, taxes,
       period_start_at as "periodStartAt", period_end_at as "periodEndAt"
     from line_item where account_id = $1 and credit_note_id = $2 order by position`,
    key,
  );
  const became = (await readFacts(sql, { accountId, ids: [id], until: null })).get(id);
  if (!became) throw new Error(`credit note ${id} is gone`);
  const entries = await sql.query<ExplainedEntry>(ENTRIES, key);
  const [account] = await sql.query<SettingsHolder>('select environment, settings from account where id = $1', [
    accountId,
  ]);
  if (!account) throw new Error(`account ${accountId} is gone`);
  return { account, note, lines, became, entries };
}
