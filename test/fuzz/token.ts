import * as oauth from 'openid-client';
import type { Stage } from '../../bench/stage.ts';
import { createClient } from '../../client/index.ts';
import { authorize, CALLBACK, oauthClient } from '../support/oauth.ts';

/** An access token for the sandbox, given by its member to an application that is registered for it. Good for an hour. */
export async function accessToken({ origin, sandboxKey, member }: Stage): Promise<string> {
  const client = createClient({ baseUrl: `${origin}/sandbox/api`, apiKey: sandboxKey });
  const registered = await client.post('/oauth_applications', { name: 'Fuzzer', redirect_uris: [CALLBACK] });
  const here = { origin, deps: { publicUrl: origin } };
  const config = oauthClient(here, { clientId: registered.client_id, secret: registered.client_secret });
  oauth.allowInsecureRequests(config); // over the loopback interface
  return (await authorize(here, config, { credentials: member })).access_token;
}
