import { Overload } from '../../../../billing/failures.ts';
import { Refusal } from '../../../../billing/refusal.ts';
import type { Caller } from '../../../../commands/kernel/caller.ts';
import { callerInPortal, logActInPortal } from '../../../../commands/portal/acting.ts';
import { isUnavailable } from '../../../../db/failure.ts';
import type { EntityManager } from '../../../../db/orm.ts';
import { inTransaction } from '../../../../db/transaction.ts';
import { LARGEST_ID } from '../../../body/readers.ts';
import { html, printed } from '../../kit/html.ts';
import { notice } from '../../kit/parts.ts';
import type { PortalVisit } from '../place.ts';
import { NothingThere } from '../site.ts';

interface ActOnPage {
  /** Such as `cancelInPortal`. */
  operation: string;
  object: { type: string; id: number };
}

/** Runs a command that a visitor asks for, and logs it. Returns its refusal; null: it is done. */
export async function act(
  { site: { deps }, account, visitor }: PortalVisit,
  about: ActOnPage,
  command: (em: EntityManager, caller: Caller, systemNow: Date) => Promise<unknown>,
): Promise<Refusal | null> {
  const now = deps.systemNow();
  try {
    await inTransaction(deps.em, async (em) => {
      await command(em, callerInPortal(account, visitor), now);
      logActInPortal(em, visitor, about, now);
    });
  } catch (error) {
    if (error instanceof Refusal && !(error instanceof Overload) && !isUnavailable(error)) return error;
    throw error;
  }
  deps.poke();
  return null;
}

/** The id in a path. Throws NothingThere for what cannot be one. */
export function idIn(text: string | undefined): number {
  const id = Number(text);
  if (!/^[1-9]\d{0,9}$/.test(text ?? '') || id > LARGEST_ID) throw new NothingThere();
  return id;
}

/** The message above a page after something was done. `texts`: by the word in the address; null: nothing was. */
export function doneNotice(visit: PortalVisit, texts: Readonly<Record<string, string>>) {
  const { done } = visit.ctx.query;
  const text = typeof done === 'string' && Object.hasOwn(texts, done) ? texts[done] : undefined;
  return text === undefined ? null : notice(html`<p>${printed(text)}</p>`);
}
