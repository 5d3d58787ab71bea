import type { Context, Middleware } from 'koa';
import { roundMoney } from '../../billing/money/money.ts';
import type { TestChallenge } from '../../billing/payments/presentPayer.ts';
import { Account } from '../../db/schema/account.ts';
import { Customer } from '../../db/schema/customer.ts';
import { withAccount } from '../../db/tenant.ts';
import { directionOf } from '../../present/printed/formats.ts';
import { challengeWordsOf } from '../../words/challenge.ts';
import { labelsOf } from '../../words/labels/words.ts';
import { spokenOf } from '../../words/languages.ts';
import type { ApiDeps } from '../framework/deps.ts';
import type { ApiState } from '../framework/state.ts';
import { createVisitorLimit } from '../limits/visitorLimit.ts';
import { customerStyle, host } from './kit/customerPage.ts';
import { button, form, linkButton } from './kit/forms.ts';
import { type Html, html } from './kit/html.ts';
import { answerPage, kitStyle, type Page } from './kit/page.ts';
import { alert, facts, ribbon } from './kit/parts.ts';
import { seeOther } from './kit/posted.ts';

const ADDRESS = /^\/test_gateway\/challenges\/(tgo_[0-9a-f]{24})(?:\/(authenticate|fail))?$/;
const BRAND = '#16202c';

type Deps = Pick<ApiDeps, 'testChallenges' | 'publicUrl' | 'em' | 'systemNow' | 'trustedProxies'>;

/**
 * Stands for the page on which a bank asks its customer to authenticate a payment, for payments by the test gateway. Knowing the address is
 * the only credential. The answer leads back to the page of the product, and never to another site.
 */
export function testChallenge(deps: Deps): Middleware<ApiState> {
  const limit = createVisitorLimit(deps);
  return async (ctx, next) => {
    if (!ctx.path.startsWith('/test_gateway/')) return next();
    const [, reference, answer] = ADDRESS.exec(ctx.path) ?? [];
    ctx.state.page = `/test_gateway/challenges/:reference${answer ? `/${answer}` : ''}`;
    if (!['GET', 'HEAD', 'POST'].includes(ctx.method)) return next();
    ctx.set('X-Robots-Tag', 'noindex, nofollow');
    await limit(ctx, 'document');
    const challenge = reference ? await deps.testChallenges.read(reference) : null;
    const asked = spokenOf(ctx.acceptsLanguages());
    if (!challenge || !reference || (ctx.method === 'POST') !== (answer !== undefined)) return showMissing(ctx, asked);
    const language = await languageOf(deps, challenge);
    if (ctx.method !== 'POST') return answerPage(ctx, challengePage(ctx.path, { challenge, language }, deps), 200);
    if (isForeign(ctx, deps.publicUrl)) return showForeign(ctx, language);
    await deps.testChallenges.answer(reference, answer === 'authenticate');
    if (!isOwn(challenge.returnUrl, deps.publicUrl)) return showMissing(ctx, language);
    seeOther(ctx, challenge.returnUrl);
  };
}

/** The language in which the payer reads the other pages. */
async function languageOf({ em }: Deps, { accountId, customerId }: TestChallenge): Promise<string> {
  return withAccount(accountId, async () => {
    const fork = em.fork();
    const account = await fork.findOneOrFail(Account, { id: accountId });
    const customer = await fork.findOne(Customer, { accountId, id: customerId });
    return spokenOf([customer?.language ?? account.language]);
  });
}

/** Whether a form was sent by the page of another site. Browsers name the site of each form's page. */
function isForeign(ctx: Context, publicUrl: string): boolean {
  const [origin, site] = [ctx.get('Origin'), ctx.get('Sec-Fetch-Site')];
  return (origin !== '' && origin !== new URL(publicUrl).origin) || (site !== '' && site !== 'same-origin');
}

const isOwn = (returnUrl: string, publicUrl: string): boolean => returnUrl.startsWith(`${publicUrl}/`);

function challengePage(
  path: string,
  { challenge, language }: { challenge: TestChallenge; language: string },
  { publicUrl }: Deps,
): Page {
  const { amount, currency, returnUrl, isOpen } = challenge;
  const words = challengeWordsOf(language);
  if (!isOpen) {
    const back = isOwn(returnUrl, publicUrl) ? linkButton(words.back, returnUrl) : null;
    return page(
      language,
      words.endedTitle,
      html`<h1>${words.endedTitle}</h1>
<p class="lead">${words.endedWhy}</p>
${back}`,
    );
  }
  const what = amount && currency ? `${roundMoney(amount, currency)} ${currency.toUpperCase()}` : words.noCharge;
  return page(
    language,
    words.authenticateTitle,
    html`<h1>${words.question}</h1>
<p class="lead">${words.why}</p>
${facts([{ label: amount ? words.payment : words.saveCard, value: html`<bdi>${what}</bdi>` }])}
${form(`${path}/authenticate`, button(words.authenticate, 'primary'))}
${form(`${path}/fail`, button(words.fail, 'plain'))}`,
  );
}

const page = (language: string, title: string, main: Html): Page => ({
  language,
  direction: directionOf(language),
  title: `${title} · ${challengeWordsOf(language).bank}`,
  style: { css: [kitStyle, customerStyle, `:root{--brand:${BRAND}}`].join('\n') },
  width: 'narrow',
  top: html`${ribbon(labelsOf(language).testPage)}${host(challengeWordsOf(language).bank)}`,
  main,
  foot: null,
  hasPictures: false,
  formTargets: [],
});

function showMissing(ctx: Context, language: string): void {
  const { missingTitle, missingWhy } = challengeWordsOf(language);
  const main = html`<h1>${missingTitle}</h1><p class="lead">${missingWhy}</p>`;
  answerPage(ctx, page(language, missingTitle, main), 404);
}

function showForeign(ctx: Context, language: string): void {
  const { foreignTitle, foreignWhy } = challengeWordsOf(language);
  answerPage(ctx, page(language, foreignTitle, html`<h1>${foreignTitle}</h1>${alert(foreignWhy)}`), 403);
}
