import { portalWordsOf } from '../../../present/printed/portal/words.ts';
import { showHome } from './home.ts';
import { payPlace } from './pay/place.ts';
import type { Place } from './place.ts';
import { selfServicePlaces } from './selfService/places.ts';

/** The places of the portal, in the order of its menu. A further place is a line here, and a file with its pages. */
export const places: readonly Place[] = [
  { path: '', name: (language) => portalWordsOf(language).home, isOpen: () => true, show: showHome },
  payPlace,
  ...selfServicePlaces,
];

/** The place of a path; null: there is none. */
export const placeAt = (path: string): Place | null => places.find((place) => place.path === path) ?? null;
