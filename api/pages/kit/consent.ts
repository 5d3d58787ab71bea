import { createHash } from 'node:crypto';
import type { ConsentText } from '../../../present/printed/consent.ts';
import { hidden } from './forms.ts';
import { attributes, type Html, html, type Part, printed } from './html.ts';

const [GIVEN, SEEN] = ['consent', 'consent_seen'];

export interface ConsentField {
  consent: ConsentText;
  /** A short label above the text; null: the text itself is the label. */
  label: Part;
  isRequired: boolean;
  isChecked: boolean;
  /** Id of the alert that explains that it is missing; null: it is not. */
  problem: string | null;
}

/** The checkbox by which a visitor consents to automatic payment. The form also says which text was shown. */
export function consentField({ consent, label, isRequired, isChecked, problem }: ConsentField): Html {
  const { text, language } = consent;
  const given = attributes({
    required: isRequired,
    checked: isChecked,
    'aria-describedby':
      [...(problem === null ? [] : [problem]), ...(label === null ? [] : [`${GIVEN}-text`])].join(' ') || null,
    'aria-invalid': problem === null ? null : 'true',
  });
  const shown = printed(text);
  const words =
    label === null
      ? html`<span lang="${language}">${shown}</span>`
      : html`<span><strong>${label}</strong> <span id="${GIVEN}-text" lang="${language}">${shown}</span></span>`;
  return html`${hidden(SEEN, hashOf(consent))}<label class="choice consent"><input type="checkbox" name="${GIVEN}" value="yes"${given}> ${words}</label>`;
}

/**
 * Reads the checkbox. `changed`: it was checked, but the form showed another text, so the page must show the new one first. `shown`: the
 * text that the page would show now.
 */
export function readConsent(form: URLSearchParams, shown: ConsentText): 'given' | 'missing' | 'changed' {
  if (form.get(GIVEN) !== 'yes') return 'missing';
  return form.get(SEEN) === hashOf(shown) ? 'given' : 'changed';
}

function hashOf({ text, language }: ConsentText): string {
  return createHash('sha256').update(`${language}\n${text}`).digest('hex').slice(0, 32);
}
