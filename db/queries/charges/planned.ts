import type { EntityDictionary } from '@mikro-orm/core';
import type { EntityManager } from '../../orm.ts';
import { AttemptCredit } from '../../schema/attemptCredit.ts';

/** The planned applications of a charge. */
export interface Planned {
  /** Invoices that its money pays. */
  invoices: { invoiceId: number; amount: string }[];
  /** Credit that pays, and money for deposits or the credit balance. Charges of invoices by Perennial itself plan none. */
  credits: AttemptCredit[];
}

interface PlannedRow extends Pick<Planned, 'invoices'> {
  credits: EntityDictionary<AttemptCredit>[];
}

/** Reads the planned applications of a charge's attempt with one statement. */
export async function plannedApplications(
  em: EntityManager,
  { accountId, id }: { accountId: number; id: number },
): Promise<Planned> {
  const [row] = await em.execute<[PlannedRow]>(
    `select coalesce((select jsonb_agg(jsonb_build_object('invoiceId', invoice_id, 'amount', amount::text))
         from attempt_invoice where account_id = ? and attempt_id = ?), '[]') as invoices,
       coalesce((select jsonb_agg(to_jsonb(c) || jsonb_build_object('amount', c.amount::text) order by c.id)
         from attempt_credit c where c.account_id = ? and c.attempt_id = ?), '[]') as credits`,
    [accountId, id, accountId, id],
  );
  return { invoices: row.invoices, credits: row.credits.map((credit) => em.map(AttemptCredit, credit)) };
}
