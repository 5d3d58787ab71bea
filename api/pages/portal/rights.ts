import { mayDo } from '../../../billing/people/portal.ts';
import { setting } from '../../../billing/settings.ts';
import { canWrite } from '../../../commands/portal/sessions.ts';
import type { PortalVisit } from './place.ts';

type Rights = Pick<PortalVisit, 'account' | 'visitor'>;

/** Whether the place where one pays is there for a visitor. A session that only reads is refused at its forms. */
export const mayPay = ({ account, visitor }: Rights): boolean =>
  setting(account, 'portal_pay') && mayDo(visitor.rights, 'pay');

/** Whether buttons that pay are shown. */
export const paysHere = (visit: Rights): boolean => mayPay(visit) && canWrite(visit.visitor, 'pay');
