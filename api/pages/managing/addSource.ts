import { decimalIn } from '../../../billing/money/money.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { runAttempt } from '../../../commands/charges/attempts.ts';
import {
  pageKeyOf,
  type Started,
  startPageSource,
  startPageVerification,
} from '../../../commands/charges/pageSources.ts';
import { brokenUnique } from '../../../db/failure.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { addedSource } from '../../../db/queries/charges/pageSources.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { SourceError } from '../../../words/managing/wording.ts';
import { withoutPlace } from '../../limits/admission.ts';
import { readConsent } from '../kit/consent.ts';
import { readForm, seeOther } from '../kit/posted.ts';
import { answerToken } from '../pay/tokens.ts';
import { addable, consentFor, kindsFor, showOutcome, showSourcePage } from './showSource.ts';
import { type SourceVisit, visitorOf } from './visit.ts';

const FORM = /^[0-9a-f]{32}$/;
const SERVICE_TOKEN = /^svt_[0-9A-Za-z]{1,100}$/;

/** Makes a service token of what the gateway's fields of the page took. Answers with JSON. */
export function makeSourceToken(visit: SourceVisit): Promise<true> {
  return answerToken(visit.ctx, { ...visit.deps, reading: visit.em }, addable(visit));
}

/** Takes the form of the page, which may be read already: starts to store the source, and answers with the page of its outcome, or with what is wrong. */
export async function takeSource(visit: SourceVisit, posted: URLSearchParams | null = null): Promise<void> {
  const { address, account, customer, deps, by } = visit;
  const sent = posted ?? (await readForm(visit.ctx));
  const asked = sent.get('method');
  const isConsentGiven = sent.get('consent') === 'yes';
  const refuse = (error: SourceError) => showSourcePage(visit, { error, method: asked, isConsentGiven });
  const form = sent.get('form') ?? '';
  if (!FORM.test(form)) return refuse('outdated');
  const key = pageKeyOf(address, form);
  const named = { accountId: account.id, customerId: customer.id, key };
  const here = `${address.path}/${key}`;
  if (await addedSource(visit.em, named)) return seeOther(visit.ctx, here);
  const kind = (await kindsFor(visit)).find(({ method }) => method === asked);
  if (!kind) return refuse('outdated');
  const consent = consentFor(visit, kind);
  const given = readConsent(sent, consent);
  if (given !== 'given') return refuse(given === 'missing' ? 'consent' : 'outdated');
  const serviceToken = sent.get('service_token') ?? '';
  if (!SERVICE_TOKEN.test(serviceToken)) return refuse('token');
  const visitor = visitorOf(visit);
  const source = {
    account,
    customerId: customer.id,
    key,
    method: kind.method,
    serviceToken,
    consent: {
      ...consent,
      page: by?.page ?? ('update_source' as const),
      email: by?.email ?? null,
      ip: visitor.ip,
      userAgent: visitor.userAgent || null,
    },
    makeDefault: by?.makeDefault ?? true,
    payer: { returnUrl: `${deps.publicUrl}${here}`, ...visitor },
    lookUpDelay: deps.lookUpDelay,
  };
  const error = await start(visit, (em, now) => startPageSource(em, source, now));
  return error ? refuse(error) : seeOther(visit.ctx, here);
}

/** Takes the amounts of the two deposits. False: there is no such bank account. */
export async function takeAmounts(
  visit: SourceVisit,
  key: string,
  posted: URLSearchParams | null = null,
): Promise<boolean> {
  const { address, account, customer, deps } = visit;
  const added = await addedSource(visit.em, { accountId: account.id, customerId: customer.id, key });
  if (!added?.source) return false;
  const sent = posted ?? (await readForm(visit.ctx));
  const form = sent.get('form') ?? '';
  if (!FORM.test(form)) return showOutcome(visit, key, 'outdated');
  const amounts = ['amount1', 'amount2'].map((name) => amountIn(sent.get(name) ?? ''));
  const [first, second] = amounts;
  if (!first || !second) return showOutcome(visit, key, 'amounts');
  const verification = {
    account,
    customerId: customer.id,
    sourceId: added.source.id,
    key: pageKeyOf(address, form),
    amounts: [first, second],
    cipher: deps.cipher,
    lookUpDelay: deps.lookUpDelay,
  };
  const error = await start(visit, (em, now) => startPageVerification(em, verification, now));
  if (error === 'busy') return showOutcome(visit, key, error);
  seeOther(visit.ctx, `${address.path}/${key}`);
  return true;
}

/** The decimal text of a typed amount, with a point or a comma. Null: it is none. */
function amountIn(typed: string): string | null {
  const text = typed.trim().replace(',', '.');
  if (!/^\d{0,7}(\.\d{1,4})?$/.test(text) || !/[1-9]/.test(text)) return null;
  return decimalIn(text.startsWith('.') ? `0${text}` : text, { maxDecimals: 4, maxSignificant: 15 }).decimal;
}

/** Errors of the page, by the parameter that a refusal names. */
const ERRORS: Readonly<Record<string, SourceError>> = {
  service_token: 'token',
  gateway_token: 'token',
  tries: 'tries',
};

/**
 * The three steps of an attempt. Of two forms with one key at once, the second finds the attempt of the first. A failure after the first step
 * is logged: the page of the outcome tells what became of it.
 */
async function start(
  { deps, account }: SourceVisit,
  command: (em: EntityManager, now: Date) => Promise<Started>,
): Promise<SourceError | null> {
  const once = () => inTransaction(deps.em, (em) => command(em, deps.systemNow()));
  const again = (error: unknown) => {
    if (brokenUnique(error) !== 'attempt_key') throw error;
    return once();
  };
  let started: Started;
  try {
    started = await once().catch(again);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return ERRORS[error.param ?? ''] ?? 'busy';
  }
  const key = { accountId: account.id, id: started.attempt.id };
  if (started.isNew)
    await withoutPlace(() => runAttempt(deps, key)).catch((error: unknown) => {
      deps.log.error(
        { err: error, account: key.accountId, attempt: key.id },
        'adding a payment source was interrupted',
      );
    });
  deps.poke();
  return null;
}
