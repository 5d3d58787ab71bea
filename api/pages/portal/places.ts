import { portalWordsOf } from '../../../words/portal/words.ts';
import { detailsPlace } from './details.ts';
import { showHome } from './home.ts';
import { documentsPlace, paymentsPlace } from './lists.ts';
import { payPlace } from './pay/place.ts';
import type { Place } from './place.ts';
import { selfServicePlaces } from './selfService/places.ts';
import { sourcesPlace } from './sources.ts';
import { statementsPlace } from './statements.ts';

/** The places of the portal, in the order of its menu. A further place is a line here, and a file with its pages. */
export const places: readonly Place[] = [
  { path: '', name: (language) => portalWordsOf(language).home, isOpen: () => true, show: showHome },
  payPlace,
  documentsPlace,
  paymentsPlace,
  statementsPlace,
  ...selfServicePlaces,
  sourcesPlace,
  detailsPlace,
];

/** The place of a path; null: there is none. */
export const placeAt = (path: string): Place | null => places.find((place) => place.path === path) ?? null;
