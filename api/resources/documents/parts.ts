import type { Part, ShownKind } from '../../framework/kind.ts';
import { shownRelation } from '../../reading/expand.ts';
import { items } from '../items/resource.ts';
import { plans } from '../plans/resource.ts';
import { lineItem } from './shape.ts';

/** A line refers to item and plan by the ids that they had when the line was made. */
const line: ShownKind = {
  shape: lineItem,
  relations: {
    catalog_item: shownRelation(() => items, 'catalog_item'),
    plan: shownRelation(() => plans, 'plan'),
  },
};

/** The lines of a document. */
export const lines: Part = { to: () => line };
