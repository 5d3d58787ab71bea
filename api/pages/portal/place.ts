import type { PortalRights } from '../../../billing/people/portal.ts';
import type { PortalVisitor } from '../../../commands/portal/sessions.ts';
import type { Customer } from '../../../db/schema/customer.ts';
import type { Form } from '../people/site.ts';
import type { PortalGuest } from './site.ts';

/** A request of somebody who is signed in. */
export interface PortalVisit extends PortalGuest {
  visitor: PortalVisitor;
  customer: Customer;
  /** The customer's time. */
  now: Date;
  /** The currency of the customer, or of the account. */
  currency: string;
  /** Whether its address belongs to other customers, too. */
  hasOthers: boolean;
  /** All places of the portal. */
  places: readonly Place[];
}

/** Segments of a path below that of a place. */
export type Rest = readonly string[];

/**
 * A place of the portal, at `/portal/<account>/<path>`. Whoever comes to it is signed in. A handler throws NothingThere if nothing is at the
 * address.
 */
export interface Place {
  /** The first segment of its path; empty: the overview. */
  path: string;
  /** Its name among the places, in the language of the customer. Null: it is reached by links of other pages. */
  name: ((language: string) => string) | null;
  /** Whether the account has switched it on, and the visitor may see it. Elsewhere it is missing, and so are links to it. */
  isOpen(visit: PortalVisit): boolean;
  show(visit: PortalVisit, rest: Rest): Promise<void>;
  /** Takes a form of its pages. Absent: it has none. */
  take?: {
    /** The rights that a form needs. A visitor without them is refused, and so is a session that only reads; the audit log says so. */
    needs: PortalRights;
    form(visit: PortalVisit, rest: Rest, sent: Form): Promise<void>;
    /** Answers what a script sends as JSON to an address that ends with `tokens`. */
    tokens?(visit: PortalVisit, rest: Rest): Promise<void>;
  };
}
