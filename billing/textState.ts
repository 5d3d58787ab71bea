/**
 * queued: waits for its time or for a try. sending: the provider is being asked, or was asked and its answer is not known. sent: the provider
 * took it. delivered: the phone got it. undeliverable: the number can never get it. failed: it was given up, or was lost on its way.
 * canceled: nothing that it asks for was owed any more, or its contact is no longer texted.
 */
export const textStates = ['queued', 'sending', 'sent', 'delivered', 'undeliverable', 'failed', 'canceled'] as const;
export type TextState = (typeof textStates)[number];

/** States in which a text waits for its provider. */
export const WAITING: readonly TextState[] = ['queued', 'sending'];

/** The report of a provider about a text that it took. */
export type TextReport = 'sent' | 'delivered' | 'undeliverable' | 'failed';

/** The state after a report. Reports come repeated and out of order: one that says less than is known changes nothing. */
export function stateAfterReport(state: TextState, report: TextReport): TextState {
  const isFinal = state === 'delivered' || state === 'undeliverable' || state === 'failed' || state === 'canceled';
  return isFinal ? state : report;
}

/** Milliseconds until a text without a known outcome is looked up: longer than a request to the provider may take. */
export const TEXT_LOOK_UP_MILLISECONDS = 60_000;

/** Milliseconds for which a text is tried. A later one would ask for a debt of yesterday. */
export const TEXT_GIVE_UP_MILLISECONDS = 24 * 3_600_000;

/** Milliseconds until the next try: 30 s, doubled to at most 30 min; later if the provider asks for it. */
export function textBackoff(attempts: number, retryAfterSeconds: number | null): number {
  const own = Math.min(30_000 * 2 ** Math.min(attempts - 1, 10), 1_800_000);
  return Math.max(own, Math.min(retryAfterSeconds ?? 0, 3600) * 1000);
}
