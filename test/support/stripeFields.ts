import type { BrowserContext } from 'playwright-core';

/** The options that a page gave to the fields of Stripe, with their later changes. */
export interface FieldsOfStripe {
  key: string;
  options: {
    mode: string;
    currency: string;
    amount?: number;
    setupFutureUsage?: string | null;
    allowedPaymentMethodTypes: string[];
  };
}

/**
 * Answers for https://js.stripe.com/endive/stripe.js in a browser. Its fields make ConfirmationTokens of Visa cards, which the server of the tests
 * (test/adapters/stripe/server.ts) knows: `ctoken_saved_card_visa` of fields that store the card, else `ctoken_card_visa`.
 */
export async function serveStripeFields(context: BrowserContext): Promise<void> {
  await context.route('https://js.stripe.com/endive/stripe.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: SCRIPT }),
  );
}

/** Reads, in a page, the options of its fields as they were when they made a token. */
export const toldToStripe = 'JSON.parse(sessionStorage.getItem("stripe"))';

const SCRIPT = `window.Stripe = (key) => ({
  elements(options) {
    const own = { ...options };
    return {
      own,
      update: (changes) => void Object.assign(own, changes),
      submit: async () => ({}),
      create: () => ({
        mount(place) { place.textContent = 'Fields of Stripe'; },
        destroy() {},
      }),
    };
  },
  async createConfirmationToken({ elements: { own } }) {
    sessionStorage.setItem('stripe', JSON.stringify({ key, options: own }));
    const isSaved = own.mode === 'setup' || own.setupFutureUsage === 'off_session';
    return { confirmationToken: { id: isSaved ? 'ctoken_saved_card_visa' : 'ctoken_card_visa' } };
  },
});`;
