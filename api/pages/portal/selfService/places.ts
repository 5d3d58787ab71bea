import { selfServiceWordsOf } from '../../../../words/selfService/words.ts';
import type { Form } from '../../people/site.ts';
import type { Place, PortalVisit, Rest } from '../place.ts';
import { NothingThere } from '../site.ts';
import { showChange, takeChange } from './change.ts';
import { childrenPlace } from './children.ts';
import { showCancel, showPause, takeCancel, takePause, takeResume, takeUndo } from './ending.ts';
import { invoicePlace } from './invoice.ts';
import { peoplePlace } from './people.ts';
import { plansPlace } from './plans.ts';
import { ownSubscription, PATH, readPath, showSubscription, showSubscriptions } from './subscriptions.ts';

async function show(visit: PortalVisit, rest: Rest): Promise<void> {
  if (rest.length === 0) return showSubscriptions(visit);
  const { id, page } = readPath(rest);
  if (page === '') return showSubscription(visit, id);
  const own = await ownSubscription(visit, id);
  if (page === 'change') return showChange(own);
  if (page === 'cancel') return showCancel(own);
  if (page === 'pause') return showPause(own);
  throw new NothingThere();
}

async function take(visit: PortalVisit, rest: Rest, sent: Form): Promise<void> {
  const { id, page } = readPath(rest);
  const own = await ownSubscription(visit, id);
  if (page === 'change') return takeChange(own, sent);
  if (page === 'cancel') return takeCancel(own, sent);
  if (page === 'pause') return takePause(own, sent);
  if (page === 'resume') return takeResume(own);
  if (page === 'undo') return takeUndo(own, sent);
  throw new NothingThere();
}

const subscriptionsPlace: Place = {
  path: PATH,
  name: (language) => selfServiceWordsOf(language).subscriptions,
  isOpen: () => true,
  show,
  take: { needs: 'manage', form: take },
};

/** The places in which customers look after themselves. */
export const selfServicePlaces: readonly Place[] = [
  subscriptionsPlace,
  plansPlace,
  invoicePlace,
  childrenPlace,
  peoplePlace,
];
