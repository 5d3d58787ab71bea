import { isReturnAddress } from './portal.ts';

/** The settings of an account for the portal of its customers. */
export interface PortalSettings {
  portal_enabled: boolean;
  portal_pay: boolean;
  portal_edit_details: boolean;
  portal_statements: boolean;
  portal_return_urls: string[];
}

const MOST_RETURN_ADDRESSES = 20;

/** Their defaults and accepted values, in the form of `settingsTable`. */
export const portalSettings = {
  portal_enabled: {
    initial: (): PortalSettings['portal_enabled'] => true,
    meaning: 'Whether customers have a portal, in which they see their documents after they sign in by mail',
    bounds: 'true or false',
    accepts: (value: unknown) => typeof value === 'boolean',
  },
  portal_pay: {
    initial: (): PortalSettings['portal_pay'] => true,
    meaning: 'Whether customers pay, and add and remove payment sources, in their portal',
    bounds: 'true or false',
    accepts: (value: unknown) => typeof value === 'boolean',
  },
  portal_edit_details: {
    initial: (): PortalSettings['portal_edit_details'] => true,
    meaning: 'Whether customers change their name, address, tax id and email in their portal',
    bounds: 'true or false',
    accepts: (value: unknown) => typeof value === 'boolean',
  },
  portal_statements: {
    initial: (): PortalSettings['portal_statements'] => true,
    meaning: 'Whether customers make account statements in their portal',
    bounds: 'true or false',
    accepts: (value: unknown) => typeof value === 'boolean',
  },
  portal_return_urls: {
    initial: (): PortalSettings['portal_return_urls'] => [],
    meaning:
      'Addresses of your product to which `return_url` of portal sessions may lead back: its origin and path have to be those of one of them; its query is free',
    bounds: `at most ${MOST_RETURN_ADDRESSES} https addresses without query and fragment`,
    accepts: (value: unknown) =>
      Array.isArray(value) && value.length <= MOST_RETURN_ADDRESSES && value.every((one) => isReturnAddress(one)),
  },
};
