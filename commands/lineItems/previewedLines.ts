import { whyUntaxed } from '../../billing/documents/tax.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { buildContent } from '../documents/content.ts';
import { reservePartIds } from '../documents/ids.ts';
import type { RequestedLine } from '../documents/lines.ts';
import { computeContent } from '../documents/rows.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { insertPendingLine } from './pendingLines.ts';

/** Field of the request that has the lines. */
export const PREVIEWED_LINES = 'pending_line_items';

/** A pending line that only a preview has. */
export interface PreviewedLine {
  line: RequestedLine;
  /** Null: that of the preview. */
  currency: string | null;
}

/**
 * Gives a customer pending lines for the rest of a dry run, in a number of queries that does not depend on theirs. They have no events.
 * Refuses what `createLineItem` refuses, and a line in another currency, which the previewed invoice would not contain.
 */
export async function addPreviewedLines(
  em: EntityManager,
  locked: LockedCustomer,
  { lines: asked, currency }: { lines: readonly PreviewedLine[]; currency: string },
): Promise<void> {
  if (asked.length === 0) return;
  checkCurrencies(asked, currency);
  const { customer, moment } = locked;
  const takeId = await reservePartIds(em, asked.length);
  const ids = asked.map(takeId);
  const [first = 0] = ids;
  const content = await buildContent(em, locked, {
    requested: { lines: asked.map(({ line }) => line) },
    currency,
    before: null,
    automaticRates: null,
    untaxed: whyUntaxed(customer, true),
    redeemer: { type: 'line_item', id: first },
    linePath: (index) => `${PREVIEWED_LINES}[${index}]`,
  });
  const how = { before: null, now: moment.now, mayBeNegative: true };
  const { lines } = await computeContent(em, content, how).catch(refuseInPreview);
  for (const [index, line] of lines.entries())
    insertPendingLine(em, locked, { ...line, id: ids[index] ?? first, currency });
  await em.write(); // the next lock of the customer reads its row again
}

function checkCurrencies(asked: readonly PreviewedLine[], wanted: string): void {
  const index = asked.findIndex(({ currency }) => currency !== null && currency !== wanted);
  if (index < 0) return;
  const message = `Currency of a previewed line must be that of the plan, ${wanted}: ${asked[index]?.currency}`;
  throw new Refusal('currency_mismatch', message, `${PREVIEWED_LINES}[${index}][currency]`);
}

/** A Refusal of amounts names the items of a document. Lets it name the preview's field instead. */
function refuseInPreview(error: unknown): never {
  if (!(error instanceof Refusal)) throw error;
  const { message, param } = error;
  throw new Refusal(
    error.code,
    message,
    param?.startsWith('items') ? param.replace('items', PREVIEWED_LINES) : PREVIEWED_LINES,
  );
}
