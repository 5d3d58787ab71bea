import type { EmailParts } from './parts.ts';
import { type Seller, type Writing, writingFor } from './writing.ts';

/** The words of a mail to the team. They name no customer, because the mail stays when a customer is anonymized. */
type TeamWords = Pick<EmailParts, 'subject' | 'heading' | 'figure' | 'tone' | 'paragraphs' | 'rows'>;

/** The frame of mails to the team of an account: in its language, in its time zone, without buttons. `currency`: of the amounts. */
export function teamMail(seller: Seller, currency: string, write: (writing: Writing) => TeamWords): EmailParts {
  const writing = writingFor(seller, null, { currency, timeZone: seller.timeZone });
  const { language, direction, say } = writing;
  const footer = say('sentByAlone', { seller: seller.name });
  return { language, direction, seller: seller.name, ...write(writing), footer };
}
