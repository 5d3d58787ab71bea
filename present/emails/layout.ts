import { readable } from '../../billing/look/visibleText.ts';
import type { MailView } from '../../billing/mail/mailView.ts';
import { type Brand, brandOf } from './brand.ts';
import { emailHtml } from './html.ts';
import type { EmailParts } from './parts.ts';
import { type MailFacts, themedOf, viewOf } from './variables.ts';

export interface RenderedEmail {
  subject: string;
  /** The paragraphs as text, without heading, figure, rows and footer. */
  message: string;
  html: string;
  text: string;
  /** The values for a customized template; null: the mail cannot be customized. */
  view: MailView | null;
}

/**
 * Defines a mail template. Every template is defined this way. First it removes control characters, invisible characters and characters that
 * reverse other text from all facts.
 */
export function mail<Facts extends MailFacts>(write: (facts: Facts) => EmailParts): (facts: Facts) => RenderedEmail {
  return (facts) => {
    const cleaned = readable(facts);
    return renderEmail(write(cleaned), cleaned);
  };
}

/** Renders an email. All values of `parts` are escaped. */
function renderEmail(parts: EmailParts, facts: MailFacts): RenderedEmail {
  const brand = brandOf(facts.seller, themedOf(facts), parts.language);
  const message = parts.paragraphs.join('\n\n');
  const view = parts.own ? viewOf(parts, facts, parts.own) : null;
  return { subject: oneLine(parts.subject), message, html: emailHtml(parts, brand), text: text(parts, brand), view };
}

/** Replaces line breaks, which would end the header, and limits the length. It cuts between characters, not inside a surrogate pair. */
function oneLine(value: string): string {
  return [...value.replace(/[\r\n]+/g, ' ')].slice(0, 500).join('');
}

function text(parts: EmailParts, { address, test }: Brand): string {
  const width = Math.max(...parts.rows.map((row) => row.label.length));
  const rows = parts.rows.flatMap(({ label, value, detail, href }) => [
    `${label.padEnd(width)}  ${value}`,
    ...(detail ? [detail] : []),
    ...(href ? [href, ''] : []),
  ]);
  return [
    ...(test === null ? [] : [test, '']),
    parts.seller,
    '',
    parts.heading,
    parts.figure,
    ...(parts.figureNote ? [parts.figureNote] : []),
    '',
    parts.paragraphs.join('\n\n'),
    '',
    ...rows,
    ...[...(parts.action ? [parts.action] : []), ...(parts.links ?? [])].flatMap(({ label, href }) => [
      '',
      label,
      href,
    ]),
    '',
    parts.footer,
    ...(address === '' ? [] : [address]),
    ...(parts.optOut ? [`${parts.optOut.label}: ${parts.optOut.href}`] : []),
    '',
  ].join('\n');
}
