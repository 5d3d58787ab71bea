import { hasVisible, hiddenIn } from '../../billing/look/visibleText.ts';
import { Refusal } from '../../billing/refusal.ts';

const MOST_INITIALS = 10;
const LONGEST_USER_AGENT = 500;

/** The initials that a customer typed. Refuses anything but up to ten visible letters, points, spaces and hyphens. */
export function initialsIn(typed: string): string {
  const initials = typed.trim();
  const isVisible = hasVisible(initials) && hiddenIn(initials) === null;
  if (!isVisible || initials.length > MOST_INITIALS || !/^[\p{L}\p{M}][\p{L}\p{M}. -]*$/u.test(initials)) {
    throw new Refusal('parameter_invalid', `Initials must be up to ${MOST_INITIALS} letters`, 'initials');
  }
  return initials;
}

/** The name of a customer's browser as it is kept. */
export function userAgentIn(userAgent: string | null): string | null {
  return userAgent?.slice(0, LONGEST_USER_AGENT) ?? null;
}
