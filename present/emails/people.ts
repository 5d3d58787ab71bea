import { mail } from './layout.ts';
import type { EmailParts, Link } from './parts.ts';
import { type Seller, writingFor } from './writing.ts';

interface Words {
  subject: string;
  heading: string;
  paragraphs: string[];
  action?: Link;
}

/** The frame of mails to persons about their sign-in. They are in English. */
function personMail(seller: Seller, words: Words): EmailParts {
  const { direction } = writingFor({ ...seller, language: 'en' }, null, { currency: 'usd', timeZone: seller.timeZone });
  const footer = 'You get this mail because of your sign-in. Nobody else got it, and it cannot be switched off.';
  return { language: 'en', direction, seller: seller.name, figure: '', tone: 'plain', rows: [], footer, ...words };
}

interface WithLink {
  seller: Seller;
  href: string;
}

/** Template password_reset_email. */
export const passwordResetEmail = mail(({ seller, href }: WithLink) =>
  personMail(seller, {
    subject: 'Set a new password',
    heading: 'Set a new password',
    paragraphs: [
      'Somebody, probably you, asked for a new password. The link below works once, within an hour.',
      'If it was not you, do nothing: your password stays as it is.',
    ],
    action: { label: 'Set a new password', href },
  }),
);

/** Template sign_up_email. It has no text of whoever asked, so that nobody can send a message to others by it. */
export const signUpEmail = mail(({ seller, href }: WithLink) =>
  personMail(seller, {
    subject: 'Open your account',
    heading: 'Open your account',
    paragraphs: [
      'Somebody, probably you, wants to open an account with this address. The link below works once, within an hour.',
      'If it was not you, do nothing: no account is opened.',
    ],
    action: { label: 'Open the account', href },
  }),
);

/** Template invitation_email. */
export const invitationEmail = mail(
  ({ seller, href, account, inviter }: WithLink & { account: string; inviter: string }) =>
    personMail(seller, {
      subject: `${inviter} invites you to ${account}`,
      heading: `Join ${account}`,
      paragraphs: [`${inviter} invites you to work in the billing of ${account}. The link below works for seven days.`],
      action: { label: 'Accept the invitation', href },
    }),
);

/** Template email_code_email: a code that proves the address to somebody who opened a copied link. */
export const emailCodeEmail = mail(({ seller, code, account }: { seller: Seller; code: string; account: string }) =>
  personMail(seller, {
    subject: `${code} is your code`,
    heading: code,
    paragraphs: [`Type this code on the page of the invitation to ${account}. It works for ten minutes.`],
  }),
);

/** Template person_changed_email: something about the sign-in of a person changed. */
export const personChangedEmail = mail(({ seller, what, from }: { seller: Seller; what: string; from: string }) =>
  personMail(seller, {
    subject: what,
    heading: what,
    paragraphs: [
      `This happened from ${from}.`,
      'If it was not you, set a new password at once, end all other sessions, and tell an administrator of your account.',
    ],
  }),
);
