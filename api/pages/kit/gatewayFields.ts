import { bankForms } from '../../../billing/payments/bankForms.ts';
import type { MountedFields } from '../../../commands/charges/instruments.ts';
import { absolute } from '../../../present/kernel/links.ts';
import { fieldWords } from '../../../words/fields.ts';
import { inLanguage } from '../../../words/languages.ts';
import { pageScripts } from '../tokenize/script.ts';
import { hidden } from './forms.ts';
import { type Html, html } from './html.ts';
import type { PageScript } from './policy.ts';

const NONE: PageScript['gateway'] = { scripts: [], frames: [], requests: [] };

/** Our script and the origins that it needs, by the gateway whose fields it mounts. */
const SCRIPTS: Readonly<Record<string, PageScript> & { test: PageScript }> = {
  test: { src: pageScripts.test.path, gateway: NONE },
  stripe: {
    src: pageScripts.stripe.path,
    gateway: {
      scripts: ['https://js.stripe.com', 'https://*.js.stripe.com'],
      frames: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
      requests: ['https://api.stripe.com'],
    },
  },
};

/** The script of a page with the fields of a gateway. The policy of the page allows it. Null: the page mounts none, but copies values. */
export function scriptOf(gateway: MountedFields['gateway'] | null): PageScript {
  const { src, ...origins } = SCRIPTS[gateway ?? 'test'] ?? SCRIPTS.test;
  return { src: absolute(src), ...origins };
}

export interface GatewayFields {
  mounted: MountedFields;
  method: string;
  currency: string;
  /** Decimal text: the amount that is paid, unless the form has another one. Null: a payment source is only stored. */
  amount: string | null;
  language: string;
  /** Path that makes a service token of what was entered. */
  tokensPath: string;
  /** Text for readers whose browser runs no script. */
  needsScript: string;
}

/** The place in a form where the script mounts the fields of a gateway. The form sends what was entered as `service_token`. */
export function gatewayFields({ mounted, tokensPath, needsScript, ...about }: GatewayFields): Html {
  const { method, currency, amount, language } = about;
  const { gateway, merchantAccountId, publishableKey } = mounted;
  const fields = { gateway, merchant_account: merchantAccountId, publishable_key: publishableKey, currency };
  const words = inLanguage(fieldWords, language);
  const options = JSON.stringify({ method, currency, amount, locale: language, tokensUrl: tokensPath, fields, words });
  const form = method === 'ach' ? (bankForms[currency] ?? 'code') : '';
  return html`<div class="mounted ${gateway} ${form}" data-perennial="${options}"></div>
<noscript><p class="alert">${needsScript}</p></noscript>
${hidden('service_token', '')}`;
}
