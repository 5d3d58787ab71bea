import type { MailView } from '../../billing/mail/mailView.ts';
import { localDay } from '../../billing/time/calendar.ts';
import type { CommonView } from '../variables/declared.ts';
import { brandOf, type Themed } from './brand.ts';
import type { EmailParts, OwnVariables } from './parts.ts';
import type { Sender, Writing } from './writing.ts';

/** The facts of every mail. */
export interface MailFacts {
  seller: Sender;
  customer?: ({ number: string; name?: string } & Themed) | null;
  /** The theme of a mail without a customer. Unset or null: none. */
  theme?: Themed['shownTheme'];
  to?: { name: string };
  /** Subject and message that the sender wrote. */
  subject?: string | null;
  message?: string | null;
}

/** Whose theme a mail has. */
export function themedOf({ customer, theme }: Pick<MailFacts, 'customer' | 'theme'>): Themed {
  return customer ?? { shownTheme: theme ?? null };
}

/** The variables of a mail as plain JSON. */
export function viewOf(parts: EmailParts, facts: MailFacts, own: OwnVariables): MailView {
  const { language, subject, heading, figure, paragraphs, rows, action = null, links = [], footer } = parts;
  const { seller, customer = null, to } = facts;
  const everyMail: CommonView = {
    language,
    subject,
    heading,
    figure,
    message: paragraphs.join('\n\n'),
    rows: rows.map(({ label, value, detail = null, href = null }) => ({ label, value, detail, href })),
    action,
    links,
    footer,
    seller: { name: seller.name },
    recipient: { name: to?.name ?? customer?.name ?? '' },
    customer: customer && { number: customer.number },
  };
  return {
    language,
    country: own.country,
    frame: {
      subject,
      seller: seller.name,
      brand: brandOf(seller, themedOf(facts), language),
      footer,
      optOut: parts.optOut ?? null,
    },
    written: { subject: Boolean(facts.subject), message: Boolean(facts.message) },
    isTest: false,
    variables: { ...own.variables, ...everyMail },
  };
}

/** A template's own variables, written for the country of the mail. */
export function ownOf({ country }: Pick<Writing, 'country'>, variables: object): OwnVariables {
  return { country, variables };
}

/** A day as text, and as `2026-12-31`. */
export function dayOf({ formats }: Pick<Writing, 'formats'>, at: Date, timeZone: string) {
  return { date: formats.day(at), date_on: localDay(at.getTime(), timeZone) };
}
