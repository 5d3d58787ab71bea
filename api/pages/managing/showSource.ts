import { randomBytes } from 'node:crypto';
import { isSourceMethod } from '../../../billing/payments/paymentMethods.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { findOutcome } from '../../../commands/charges/attempts.ts';
import { returnFromChallenge, statusOfAttempt } from '../../../commands/charges/challenges.ts';
import { fieldsOf, type MountedFields } from '../../../commands/charges/instruments.ts';
import { type Payable, payableMethods } from '../../../commands/charges/payable.ts';
import { type AddedSource, addedSource, retriedInvoices } from '../../../db/queries/charges/pageSources.ts';
import { writingFor } from '../../../present/emails/writing.ts';
import { type ConsentText, consentText } from '../../../present/printed/consent.ts';
import type { SourceError } from '../../../words/managing/wording.ts';
import { callGateway, hasCallerStopped } from '../../limits/gatewayCalls.ts';
import { answerPage } from '../kit/page.ts';
import { refreshLater } from '../kit/refresh.ts';
import { sourceOutcomePage } from './outcomePage.ts';
import { type OfferedKind, sourcePage } from './sourcePage.ts';
import type { SourceVisit } from './visit.ts';

/** A form that was refused. */
export interface RefusedSource {
  error: SourceError;
  method: string | null;
  isConsentGiven: boolean;
}

/** The methods of a page that adds a source do not depend on an amount. */
export function addable({ account, customer, currency }: SourceVisit): Payable {
  return { account, customer, document: null, amount: '1', currency };
}

/** The kinds of payment sources that a page can add, in the account's order. */
export async function kindsFor(visit: SourceVisit): Promise<OfferedKind[]> {
  const offers = await payableMethods(visit.em, addable(visit));
  return offers.flatMap(({ terms: { method, instructions }, configuration }) =>
    configuration !== null && isSourceMethod(method) ? [{ method, instructions, configuration }] : [],
  );
}

/** The consent that a page shows for a kind of payment source. */
export function consentFor({ account, host }: SourceVisit, { method }: OfferedKind): ConsentText {
  return consentText(account, { language: host.head.language, method });
}

/** Shows the form that adds a payment source. */
export async function showSourcePage(visit: SourceVisit, refused: RefusedSource | null = null): Promise<void> {
  const { ctx, host, address } = visit;
  const kinds = await kindsFor(visit);
  const asked = refused ? refused.method : ctx.query.method;
  const chosen = kinds.find(({ method }) => method === asked) ?? kinds.at(0) ?? null;
  const page = sourcePage({
    host,
    path: address.path,
    kinds,
    chosen,
    mounted: chosen && (await mountedFor(visit, chosen)),
    currency: visit.currency,
    consent: chosen && consentFor(visit, chosen),
    isConsentGiven: refused?.isConsentGiven ?? false,
    form: newForm(),
    refused: refused?.error ?? null,
  });
  answerPage(ctx, page, refused ? 400 : 200);
}

/** The fields of the gateway that takes new sources of a kind. Null: it has none for pages. */
async function mountedFor({ em, account }: SourceVisit, { configuration }: OfferedKind): Promise<MountedFields | null> {
  try {
    return await fieldsOf(em, { accountId: account.id, configuration });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return null;
  }
}

export function newForm(): string {
  return randomBytes(16).toString('hex');
}

/** Shows what became of a payment source and of the invoices charged to it. False: there is no such source. */
export async function showOutcome(
  visit: SourceVisit,
  key: string,
  refused: SourceError | null = null,
): Promise<boolean> {
  const { ctx, deps, account, customer, host, address, currency } = visit;
  const named = { accountId: account.id, customerId: customer.id, key };
  const found = await addedSource(visit.em, named);
  if (!found) return false;
  const added = (await lookAgain(visit, found, key)) ? await addedSource(deps.em.fork(), named) : found;
  if (!added) return false;
  const status = added.state === 'waiting' ? await statusOfAttempt(deps.em.fork(), deps.cipher, named) : null;
  const sourceId = added.source?.chargeable ? added.source.id : null;
  const invoices =
    sourceId === null ? [] : await retriedInvoices(deps.em.fork(), { ...named, sourceId }, deps.systemNow());
  const here = `${address.path}/${key}`;
  const isCharging = invoices.some(({ state, isOpen }) => isOpen && (state === null || isUnanswered(state)));
  if (isUnanswered(added.state) || isCharging) refreshLater(ctx, here);
  const page = sourceOutcomePage({
    host,
    writing: writingFor(account, customer, { currency, timeZone: account.timeZone }),
    accountId: account.id,
    added,
    challenge: status?.status === 'challenge' ? status.url : null,
    invoices,
    paths: { add: address.path, here },
    form: newForm(),
    refused,
  });
  answerPage(ctx, page, refused ? 400 : 200);
  return true;
}

const isUnanswered = (state: string) => state === 'open' || state === 'unknown';

/**
 * Asks the gateway again, for a visitor who comes back from the bank, and for a request that stopped before it recorded an outcome. False:
 * nothing was asked.
 */
async function lookAgain({ deps, account }: SourceVisit, added: AddedSource, key: string): Promise<boolean> {
  const { id, state, startedAt } = added;
  const attempt = { accountId: account.id, id };
  if (state === 'waiting')
    await callGateway(deps, attempt, () => returnFromChallenge(deps, { accountId: account.id, key }));
  else if (isUnanswered(state) && hasCallerStopped(deps, startedAt))
    await callGateway(deps, attempt, () => findOutcome(deps, attempt));
  else return false;
  deps.poke();
  return true;
}
