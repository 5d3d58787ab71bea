import { readable } from '../../billing/visibleText.ts';
import { emailHtml } from './html.ts';
import type { EmailParts } from './parts.ts';

export interface RenderedEmail {
  subject: string;
  /** Its paragraphs alone. */
  message: string;
  html: string;
  text: string;
}

/**
 * A kind of mail, written from what it has to know, without what is hidden in the text of that: control characters, what turns other text
 * around, what nobody sees. There is no other way to a mail.
 */
export function mail<Facts extends object>(write: (facts: Facts) => EmailParts): (facts: Facts) => RenderedEmail {
  return (facts) => renderEmail(write(readable(facts)));
}

/** Renders an email; nothing in `parts` is trusted as html. */
function renderEmail(parts: EmailParts): RenderedEmail {
  const message = parts.paragraphs.join('\n\n');
  return { subject: oneLine(parts.subject), message, html: emailHtml(parts), text: text(parts) };
}

/** Header lines end at a line break: none may come from a name. A pair of surrogates is not cut. */
function oneLine(value: string): string {
  return [...value.replace(/[\r\n]+/g, ' ')].slice(0, 500).join('');
}

function text(parts: EmailParts): string {
  const width = Math.max(...parts.rows.map((row) => row.label.length));
  const rows = parts.rows.map((row) => `${row.label.padEnd(width)}  ${row.value}`);
  return [
    parts.seller,
    '',
    parts.heading,
    parts.figure,
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
    '',
  ].join('\n');
}
