import type { Context, Middleware } from 'koa';
import { roundMoney } from '../../billing/money.ts';
import type { TestChallenge } from '../../commands/ports.ts';
import type { ApiDeps } from '../framework/deps.ts';
import type { ApiState } from '../framework/state.ts';
import { createVisitorLimit } from '../limits/visitorLimit.ts';
import { button, form, linkButton } from './kit/forms.ts';
import { type Html, html } from './kit/html.ts';
import { answerPage, kitStyle, type Page } from './kit/page.ts';
import { alert, facts, ribbon } from './kit/parts.ts';

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
    if (!challenge || !reference || (ctx.method === 'POST') !== (answer !== undefined)) return showMissing(ctx);
    if (ctx.method !== 'POST') return answerPage(ctx, challengePage(ctx.path, challenge, deps), 200);
    if (isForeign(ctx, deps.publicUrl)) return showForeign(ctx);
    await deps.testChallenges.answer(reference, answer === 'authenticate');
    leadBack(ctx, deps, challenge);
  };
}

/** Whether a form was sent by the page of another site. Browsers name the site of each form's page. */
function isForeign(ctx: Context, publicUrl: string): boolean {
  const [origin, site] = [ctx.get('Origin'), ctx.get('Sec-Fetch-Site')];
  return (origin !== '' && origin !== new URL(publicUrl).origin) || (site !== '' && site !== 'same-origin');
}

function leadBack(ctx: Context, { publicUrl }: Deps, { returnUrl }: TestChallenge): void {
  if (!isOwn(returnUrl, publicUrl)) {
    showMissing(ctx);
    return;
  }
  ctx.redirect(returnUrl);
  ctx.status = 303;
  ctx.body = null;
  ctx.status = 303;
}

const isOwn = (returnUrl: string, publicUrl: string): boolean => returnUrl.startsWith(`${publicUrl}/`);

function challengePage(
  path: string,
  { amount, currency, returnUrl, isOpen }: TestChallenge,
  { publicUrl }: Deps,
): Page {
  const what = amount && currency ? `${roundMoney(amount, currency)} ${currency.toUpperCase()}` : 'No charge';
  if (!isOpen) {
    const back = isOwn(returnUrl, publicUrl) ? linkButton('Back', returnUrl) : null;
    return page(
      'Answered',
      html`<h1>This request has ended</h1>
<p class="lead">It was answered before, or waited for too long.</p>
${back}`,
    );
  }
  return page(
    'Authenticate',
    html`<h1>Is this you?</h1>
<p class="lead">Here the bank of the card asks its customer to authenticate. This page stands for it.</p>
${facts([{ label: amount ? 'Payment' : 'Save a card', value: what }])}
${form(`${path}/authenticate`, button('Authenticate', 'primary'))}
${form(`${path}/fail`, button('Fail', 'plain'))}`,
  );
}

const page = (title: string, main: Html): Page => ({
  language: 'en',
  direction: 'ltr',
  title: `${title} · Test bank`,
  style: { css: `${kitStyle}\n:root{--brand:${BRAND}}` },
  width: 'narrow',
  top: ribbon('Test gateway: no money moves.'),
  main,
  foot: null,
  hasPictures: false,
  formTargets: [],
});

function showMissing(ctx: Context): void {
  answerPage(
    ctx,
    page('Not found', html`<h1>There is nothing here</h1><p class="lead">The address is not complete.</p>`),
    404,
  );
}

function showForeign(ctx: Context): void {
  answerPage(ctx, page('Refused', html`<h1>Refused</h1>${alert('The answer came from another site.')}`), 403);
}
