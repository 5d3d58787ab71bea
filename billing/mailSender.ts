import { Refusal } from './refusal.ts';

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** The last label of a domain is no number, so that no IP address passes. */
const DOMAIN = new RegExp(`^(?=.{3,253}$)(?:${LABEL}\\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,57}[a-z0-9])$`);
const SELECTOR = new RegExp(`^(?=.{1,63}$)${LABEL}(?:\\.${LABEL})*$`);

/** The address that mails come from, and the name of the key that signs them. */
export interface MailSenderNames {
  address: string;
  /** In lower case. */
  domain: string;
  selector: string;
}

/**
 * Checks a sender's names, which are in lower case. The address must belong to the domain of the key, so that receivers trust the
 * signature.
 */
export function checkSender({ address, domain, selector }: MailSenderNames): void {
  if (!DOMAIN.test(domain))
    throw new Refusal('parameter_invalid', `Domain must be a name such as example.com: ${domain}`, 'domain');
  if (!SELECTOR.test(selector))
    throw new Refusal('parameter_invalid', `Selector must be a name such as mail2027: ${selector}`, 'selector');
  if (address.slice(address.lastIndexOf('@') + 1).toLowerCase() !== domain)
    throw new Refusal(
      'parameter_invalid',
      `Address must be of the domain of the key, ${domain}: ${address}`,
      'address',
    );
}
