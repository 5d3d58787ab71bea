import { resetMemberFactors } from '../../../commands/people/factors.ts';
import { type Invited, inviteMember, resendInvitation } from '../../../commands/people/invitations.ts';
import { changeMember, deactivateMember } from '../../../commands/people/members.ts';
import { lockCountOf } from '../../../db/lock.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { membersOfBusiness } from '../../../db/queries/accounts/roles.ts';
import { liveIdOf } from '../../../db/schema/account.ts';
import { Member, memberStatuses } from '../../../db/schema/member.ts';
import { asSystem } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { presentMember } from '../../../present/accounts/people.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import { column, filtered, type Resource, updatedBetween } from '../../framework/resource.ts';
import { keysOnly, pathId, type Reply, type Route, reply, withBody } from '../../framework/route.ts';
import * as shown from '../../framework/shape.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { logWrite } from '../../writing/logging.ts';
import { write } from '../../writing/write.ts';
import { createRoute, deleteRoute, noFields, updateRoute, withoutFields } from '../../writing/writeRoutes.ts';

const OWNER_LIMITED =
  'True: sees and changes only the customers whose `owner` it is, and never settings, developers or people';

export const member = shown.shape('Member', 'Member: a person who works in your account and its sandbox', {
  id: shown.id('Id of the member', 8),
  email: shown.text('Email address, in lower case, its domain in ASCII', 'ada@example.com'),
  name: shown.nullable(shown.text('Name of the member', 'Ada Lovelace')),
  role: shown.code('Id of its role', 'employee'),
  owner_limited: shown.flag(OWNER_LIMITED, false),
  status: shown.oneOf(
    '`invited`: has not accepted yet; `deactivated`: can do nothing, and neither can its keys and tokens',
    'active',
    memberStatuses,
  ),
  invitation_ends_at: shown.unset(shown.timestamp('When its invitation ends; null: none waits')),
  invited_by: shown.unset(shown.id('Id of the member who invited it; null: the operator did, or a key')),
  last_seen_at: shown.unset(
    shown.timestamp('When it last signed in, or used the account in a browser, to five minutes; null: never'),
  ),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
});

const invited = shown.extended(member, 'InvitedMember', {
  invitation_url: shown.text(
    'Page on which the invitation is accepted, to be copied; who opens it proves the address by a mailed code. Only this answer has it',
    'https://billing.example/invitations/5d41402abc4b2a76b9719d911017c592',
  ),
});

const readOnly = ['id', 'object', 'invitation_ends_at', 'invited_by', 'last_seen_at', 'created_at', 'updated_at'];
const limited = fields.described(fields.boolean, OWNER_LIMITED);

const newMember = object(
  {
    email: fields.required(fields.email),
    name: fields.name,
    role: fields.required(fields.described(fields.code, 'Id of its role; you can give only what you hold yourself')),
    owner_limited: fields.withDefault(limited, false),
  },
  { readOnly: [...readOnly, 'status', 'invitation_url'] },
);

const memberChange = object(
  {
    name: fields.name,
    role: fields.kept(fields.described(fields.code, 'Id of its role; you can give only what you hold yourself')),
    owner_limited: fields.kept(limited),
    status: fields.kept(
      fields.described(fields.choice(...memberStatuses), '`deactivated`: ends its access; `active`: gives it back'),
    ),
  },
  { readOnly: [...readOnly, 'invitation_url'], fixed: ['email'] },
);

export const members: Resource<Member, 'id'> = {
  name: 'Member',
  area: 'people',
  shape: member,
  row: Member,
  from: membersOfBusiness,
  locked:
    ({ account }) =>
    (em) =>
      lockCountOf(em, 'member', liveIdOf(account)),
  idColumn: 'id',
  columns: {
    id: column('id', fields.id),
    email: filtered('email', fields.text()),
    role: filtered('role', fields.code),
    status: filtered('status', fields.choice(...memberStatuses)),
  },
  parameters: updatedBetween,
  present: async (_reading, rows) => rows.map(presentMember),
};

const path = '/members';
const kind = { shape: invited };
const presentInvited = ({ member: row, url }: Invited) => ({ ...presentMember(row), invitation_url: url });

/** Persons belong to no account, so that what is theirs is changed as the system. Repeated, it changes nothing more. */
async function resetFactors(request: ApiRequest): Promise<Reply> {
  const { deps, caller } = request;
  const id = pathId(request, members.name);
  const reset = async (em: EntityManager) => {
    const now = deps.systemNow();
    const body = presentMember(await resetMemberFactors(em, { caller, id }, now));
    logWrite(em, request, { body }, now);
    return reply(200, body);
  };
  const answer = await asSystem(() => inTransaction(deps.em, reset), caller.account.id);
  deps.poke();
  return answer;
}

export const memberRoutes: Route[] = [
  ...keysOnly(
    createRoute({
      path,
      resource: members,
      body: newMember,
      sealed: kind,
      operationId: 'inviteMember',
      summary: 'Invite a person by mail; the invitation works for seven days',
      example: { email: 'new.colleague@example.com', name: 'Grace Hopper', role: 'employee' },
      command: (em, { caller, body }, now) => {
        const { email, name = null, role, owner_limited: isLimited } = body;
        return inviteMember(em, { caller, email, name, role, isLimited }, now);
      },
      present: presentInvited,
    }),
  ),
  listRoute({ path, resource: members, summary: 'List members' }),
  readRoute({ path, resource: members, summary: 'Read a member' }),
  ...keysOnly(
    updateRoute({
      path,
      resource: members,
      summary: 'Change role, limit or name of a member, or deactivate it',
      body: memberChange,
      example: { name: 'Grace B. M. Hopper' },
      command: (em, { caller, id, body }, now) => {
        const { name, role, owner_limited: isLimited, status } = body;
        return changeMember(em, { caller, id, fields: { name, role, isLimited, status } }, now);
      },
      present: presentMember,
    }),
    deleteRoute({
      path,
      resource: members,
      summary: 'Deactivate a member; its keys and tokens end with it',
      command: deactivateMember,
    }),
    withoutFields(
      withBody({
        method: 'POST',
        path: `${path}/:id/invitations`,
        operationId: 'resendInvitation',
        permission: 'people.write',
        summary: 'Send a waiting invitation again; the links from before lead nowhere',
        body: noFields,
        answer: { statusCode: 201, kind },
        handle: (request) => {
          const id = pathId(request, members.name);
          return write(request, {
            statusCode: 201,
            command: (em, caller, now) => resendInvitation(em, { caller, id }, now),
            present: presentInvited,
            sealed: true,
          });
        },
      }),
    ),
    withoutFields(
      withBody({
        method: 'POST',
        path: `${path}/:id/reset_factors`,
        operationId: 'resetFactors',
        permission: 'people.write',
        summary:
          'Remove the second factor of a member with no other account: authenticator app, passkeys and recovery codes; its sessions end',
        body: noFields,
        storesNothing: true,
        answer: { statusCode: 200, kind: members },
        handle: resetFactors,
      }),
    ),
  ),
];
