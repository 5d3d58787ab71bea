import type { SourceMethod } from '../../../billing/payments/paymentMethods.ts';
import type { MountedFields } from '../../../commands/charges/instruments.ts';
import type { ConsentText } from '../../../present/printed/consent.ts';
import type { SourceError } from '../../../words/managing/wording.ts';
import { payingWordsOf } from '../../../words/paying/words.ts';
import { consentField } from '../kit/consent.ts';
import { optionLinks } from '../kit/customerPage.ts';
import { button, form, hidden } from '../kit/forms.ts';
import { gatewayFields, scriptOf } from '../kit/gatewayFields.ts';
import { type Html, html, printed } from '../kit/html.ts';
import type { Page } from '../kit/page.ts';
import { alert } from '../kit/parts.ts';
import { framed, type Host, sellerIn } from './frame.ts';

/** A kind of payment source that can be added. */
export interface OfferedKind {
  method: SourceMethod;
  /** Configuration of the gateway that stores it. */
  configuration: string;
  /** Account's text for the payer; null: none. */
  instructions: string | null;
}

export interface SourcePage {
  host: Host;
  path: string;
  kinds: readonly OfferedKind[];
  /** Null: nothing can be added. */
  chosen: OfferedKind | null;
  /** The fields of the gateway; null: it has none for pages, so nothing can be added. */
  mounted: MountedFields | null;
  currency: string;
  consent: ConsentText | null;
  isConsentGiven: boolean;
  /** Identifies this form: everything that is sent with it is one source. */
  form: string;
  refused: SourceError | null;
}

const ALERT = 'refused';

/** The page on which a customer adds a payment source. It shows none that is stored. */
export function sourcePage(page: SourcePage): Page {
  const { host, refused, chosen, mounted } = page;
  const { words } = host;
  const problem = refused && alert(printed(sellerIn(host, words.errors[refused])), ALERT);
  const main = html`<h1>${words.sourceTitle}</h1>
<p class="lead">${printed(sellerIn(host, words.sourceWhy))}</p>
${problem}
${kindsOf(page)}
${chosen && mounted ? sourceForm(page, chosen, mounted) : html`<p>${printed(sellerIn(host, words.noKind))}</p>`}`;
  return { ...framed(host, { title: words.sourceTitle, main }), script: mounted && scriptOf(mounted.gateway) };
}

/** Links to the kinds, if there are several. */
function kindsOf({ host, kinds, chosen, path }: SourcePage): Html | null {
  const { card, bankAccount } = payingWordsOf(host.head.language);
  const names = { credit_card: card, ach: bankAccount };
  const options = kinds.map(({ method }) => ({
    name: names[method],
    href: `${path}?method=${method}`,
    hint: null,
    isChosen: method === chosen?.method,
  }));
  return optionLinks(host.words.kinds, options);
}

function sourceForm(page: SourcePage, { method, instructions }: OfferedKind, mounted: MountedFields): Html {
  const { host, path, consent, isConsentGiven, refused, currency } = page;
  const { language } = host.head;
  const tokensPath = `${path}/tokens`;
  const { needsScript } = payingWordsOf(language);
  const fields = gatewayFields({ mounted, method, currency, amount: null, language, tokensPath, needsScript });
  const agreed =
    consent &&
    consentField({
      consent,
      label: null,
      isRequired: true,
      isChecked: isConsentGiven,
      problem: refused === 'consent' ? ALERT : null,
    });
  return form(
    path,
    html`${host.fields ?? null}${hidden('form', page.form)}${hidden('method', method)}
${instructions && html`<p class="instructions">${instructions}</p>`}
${fields}
${agreed}
${button(host.words.save, 'primary')}`,
    'source',
  );
}
