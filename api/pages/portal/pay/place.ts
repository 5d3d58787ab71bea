import { answerToken } from '../../pay/tokens.ts';
import type { Form } from '../../people/site.ts';
import type { Place, PortalVisit, Rest } from '../place.ts';
import { mayPay } from '../rights.ts';
import { NothingThere } from '../site.ts';
import { showChoice, takeChoice } from './choice.ts';
import { leavePortalPayment, showPortalOutcome } from './outcome.ts';
import { showReview } from './review.ts';
import { takePortalPayment } from './taking.ts';
import { currencyIn, type Wanted, wantedIn } from './wanted.ts';

/** What the address asks for. */
async function asked(visit: PortalVisit): Promise<Wanted> {
  const params = new URLSearchParams(visit.ctx.querystring);
  const currency = await currencyIn(visit, params.get('currency') ?? undefined);
  const wanted = wantedIn(params, currency);
  if (!wanted) throw new NothingThere();
  return wanted;
}

async function show(visit: PortalVisit, [part, ...more]: Rest): Promise<void> {
  if (more.length > 0) throw new NothingThere();
  if (part === 'review') return showReview(visit, await asked(visit));
  if (part !== undefined) return showPortalOutcome(visit, part);
  const { currency, chosen } = await asked(visit);
  const ids = chosen.kind === 'some' ? new Set(chosen.ids) : null;
  const amount = chosen.kind === 'amount' ? chosen.amount : '';
  await showChoice(visit, currency, { choice: chosen.kind, amount, ids, problem: null });
}

async function take(visit: PortalVisit, [part, ...more]: Rest, sent: Form): Promise<void> {
  if (more.length > 0) throw new NothingThere();
  if (part === undefined) return takeChoice(visit, sent);
  if (part !== 'review') return leavePortalPayment(visit, part);
  await takePortalPayment(visit, await asked(visit), sent);
}

/** Makes a service token of what the gateway's fields of the page took. Answers with JSON. */
async function makeToken(visit: PortalVisit): Promise<void> {
  const { site, em, account, customer } = visit;
  const { currency } = await asked(visit);
  const payable = { account, customer, document: null, amount: '1', currency };
  await answerToken(visit.ctx, { ...site.deps, reading: em }, payable);
}

/** Paying everything, some invoices or an amount, by one charge. */
export const payPlace: Place = {
  path: 'pay',
  name: null,
  isOpen: mayPay,
  show,
  take: { needs: 'pay', form: take, tokens: makeToken },
};
