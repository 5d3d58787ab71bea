import { claimText, recordTextLook, recordTextResult, type TextJob, type TextKey } from '../commands/texts/sending.ts';
import { failpoint } from '../db/failpoint.ts';
import type { EntityManager } from '../db/orm.ts';
import { dueTexts, nextTextAt } from '../db/queries/texts/texts.ts';
import { inTransaction } from '../db/transaction.ts';
import type { ActivityResult, ProcessInput } from '../workflows/process.ts';
import type { WorkerDeps } from './deps.ts';
import { afterOther, pump, recorded } from './pump.ts';

/** A request to a provider takes at most this time: less than passes until its look-up. */
const REQUEST_MILLISECONDS = 15_000;

/** Sends the queued texts of an account, and looks up those whose request has no known outcome. */
export async function pumpText(deps: WorkerDeps, input: ProcessInput): Promise<ActivityResult> {
  const { accountId } = input;
  const handled = await pump<number>(
    deps,
    { ...input, process: 'text' },
    {
      take: (limit, busy) => dueTexts(deps.em.fork(), { accountId, limit, busy }, deps.systemNow()),
      idOf: (id) => id,
      send: async (id, mayBegin) => {
        await mayBegin();
        await handle(deps, { accountId, id }, mayBegin);
        deps.clocks.ring();
        return false; // a text never makes another one due
      },
    },
  );
  if (handled === null) return afterOther(deps.systemNow());
  const next = await nextTextAt(deps.em.fork(), accountId);
  const did = handled === 0 ? [] : [`handled ${handled} texts`];
  return { did, wakeAt: next?.getTime() ?? null, next: 'next text', more: false, call: null };
}

/** Claims a text, asks its provider, and records the outcome. The request is never made inside a transaction. */
async function handle(deps: WorkerDeps, key: TextKey, mayBegin: () => Promise<void>): Promise<void> {
  const write = <Result>(work: (em: EntityManager) => Promise<Result>) => inTransaction(deps.em, work);
  const job = await write((em) => claimText(em, key, deps.systemNow()));
  await failpoint('text.claimed');
  if (!job) return;
  if (job.does === 'send') await send(deps, key, { ...job, mayBegin });
  else await look(deps, key, job);
  await failpoint('text.recorded');
}

async function send(
  deps: WorkerDeps,
  key: TextKey,
  { text, providerId, attempt, mayBegin }: TextJob & { mayBegin: () => Promise<void> },
): Promise<void> {
  const provider = await deps.textProviders.find(key.accountId, providerId);
  if (!provider) return; // it was deleted since the claim: the look-up ends the text
  await mayBegin(); // if not, the look-up finds nothing, and the text is sent again
  const result = await provider.sender.send(text, AbortSignal.timeout(REQUEST_MILLISECONDS));
  await failpoint('text.sent');
  const told = { ...key, attempt, result };
  await recorded(() => inTransaction(deps.em, (em) => recordTextResult(em, told, deps.systemNow())));
}

async function look(deps: WorkerDeps, key: TextKey, { text, providerId, attempt, since }: TextJob): Promise<void> {
  const provider = await deps.textProviders.find(key.accountId, providerId);
  if (!provider) return;
  const signal = AbortSignal.timeout(REQUEST_MILLISECONDS);
  const found = await provider.sender.look(text, since, signal).catch((error: unknown) => {
    deps.log.warn({ text: key.id, reason: String(error) }, 'a text could not be looked up');
    return 'unanswered' as const;
  });
  if (found === 'unanswered') return; // the claim has planned the next look-up
  await inTransaction(deps.em, (em) => recordTextLook(em, { ...key, attempt, found }, deps.systemNow()));
}
