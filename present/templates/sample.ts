import type { CustomTemplate } from '../../billing/emailTemplates.ts';
import { mail, type RenderedEmail } from '../emails/layout.ts';
import { directionOf } from '../printed/formats.ts';
import { variablesOf } from '../variables/declared.ts';
import { commonVariables } from '../variables/everyMail.ts';
import { sampleOf } from '../variables/kinds.ts';

/** A mail of a template with sample values, for checks and previews. */
export function sampleEmail(template: CustomTemplate, language: string): RenderedEmail {
  const { seller, recipient, customer, message, ...parts } = sampleOf(commonVariables);
  const { action, rows, links, ...texts } = parts;
  const own = { country: null, variables: sampleOf(variablesOf(template)) };
  const write = mail(() => ({
    ...texts,
    language,
    direction: directionOf(language),
    seller: seller.name,
    tone: 'plain',
    paragraphs: [message],
    rows: rows.map(({ label, value }) => ({ label, value })),
    ...(action ? { action } : {}),
    links,
    own,
  }));
  return write({ seller, to: recipient, customer });
}
