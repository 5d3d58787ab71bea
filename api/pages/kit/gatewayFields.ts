import type { MountedFields } from '../../../commands/charges/instruments.ts';
import { absolute } from '../../../present/kernel/links.ts';
import { tokenizePath } from '../tokenize/script.ts';
import { hidden } from './forms.ts';
import { type Html, html } from './html.ts';
import type { PageScript } from './policy.ts';

/** Origins that the fields of gateways need. */
const ORIGINS: Readonly<Record<string, PageScript['gateway']>> = {
  stripe: {
    scripts: ['https://js.stripe.com'],
    frames: ['https://js.stripe.com', 'https://hooks.stripe.com'],
    requests: ['https://api.stripe.com'],
  },
};
const NONE: PageScript['gateway'] = { scripts: [], frames: [], requests: [] };

/** Our script that mounts the fields of a gateway, and the origins that the gateway needs. The policy of the page allows both. */
export function scriptOf({ gateway }: Pick<MountedFields, 'gateway'>): PageScript {
  return { src: absolute(tokenizePath), gateway: ORIGINS[gateway] ?? NONE };
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
  const options = JSON.stringify({ method, currency, amount, locale: language, tokensUrl: tokensPath, fields });
  return html`<div class="mounted" data-perennial="${options}"></div>
<noscript><p class="alert">${needsScript}</p></noscript>
${hidden('service_token', '')}`;
}
