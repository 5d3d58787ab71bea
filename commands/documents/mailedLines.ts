import type { DocumentType } from '../../billing/documents/document.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Account } from '../../db/schema/account.ts';
import type { lineVariables, sumVariables } from '../../present/variables/documents.ts';
import type { ViewOf } from '../../present/variables/kinds.ts';
import { findPrintable } from './printing.ts';

/** The lines and sums of a document, as customized emails show them. */
export interface MailedContent {
  lines: ViewOf<typeof lineVariables>[];
  sums: ViewOf<typeof sumVariables>[];
}

/** The lines and sums of a document for a customized email, in its language; null: it has none, or no longer exists. */
export async function mailedLines(
  em: EntityManager,
  {
    account,
    document,
    language,
  }: { account: Account; document: { type: DocumentType; id: number } | null; language: string },
  systemNow: Date,
): Promise<MailedContent | null> {
  const printable =
    document && document.type !== 'payment'
      ? await findPrintable(em, { account, ...document, language }, systemNow)
      : null;
  const printed = await printable?.print();
  if (!printed) return null;
  return {
    lines: printed.lines.map(({ unitCost, name, quantity, amount, discounts }) => {
      return { name, quantity, unit_cost: unitCost, amount, discounts };
    }),
    sums: printed.sums.map(({ label, value }) => ({ label, value })),
  };
}
