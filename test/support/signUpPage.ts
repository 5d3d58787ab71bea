import { type SeenPage, type Visited, visitPage } from './payPage.ts';
import { inputsOf } from './sourcePage.ts';

/** What a visitor types on a sign-up page. */
export type Typed = Record<string, string>;

/** A sign-up page as a visitor uses it. */
export interface SignUpVisitor {
  path: string;
  /** Sends the first step. */
  review(typed: Typed): Promise<SeenPage>;
  /** The second step, filled in with a card. */
  filled(typed: Typed, card?: string): Promise<Typed>;
  send(fields: Typed): Promise<SeenPage>;
  /** Both steps. Returns the page that follows. */
  signUp(typed: Typed, card?: string): Promise<SeenPage>;
}

const ADA = { name: 'Ada Lovelace', country: 'US' };
let visitors = 0;

/** A new email address. */
export function newEmail(): string {
  visitors += 1;
  return `visitor${visitors}@example.com`;
}

export function signUpVisitor(
  api: Visited,
  tokenOf: (gatewayToken: string) => Promise<string>,
  url: string,
): SignUpVisitor {
  const path = new URL(url).pathname;
  const send = (fields: Typed) =>
    visitPage(api, path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { 'User-Agent': 'Mozilla/5.0' },
    });
  const typedOn = async (typed: Typed) => ({
    ...inputsOf(await visitPage(api, path)),
    email: newEmail(),
    ...ADA,
    ...typed,
  });
  const review = async (typed: Typed) => send({ ...(await typedOn(typed)), step: 'review' });
  const filled = async (typed: Typed, card = 'tok_4242424242424242') => {
    const all = await typedOn(typed);
    const shown = await send({ ...all, step: 'review' });
    const agreed = {
      consent: 'yes',
      terms: 'yes',
      service_token: await tokenOf(card),
    };
    // The forms that go back to the first step and that choose the way of paying come first.
    return { ...all, ...inputsOf(shown), ...agreed };
  };
  const signUp = async (typed: Typed, card?: string) => {
    const sent = await send(await filled(typed, card));
    return sent.location ? visitPage(api, sent.location) : sent;
  };
  return { path, review, filled, send, signUp };
}
