import type { CreatedInvitation, InvitationLink, SharedWithMe, ShareSession } from '@datadeck/contract';
import { Client, type TestServer } from './test-server.ts';

/** Paths of sharing between accounts. */
export const INVITATIONS = '/api/data/invitations';
export const SHARED = '/api/data/shared';

/** Returns the two parts of the link of an invitation. */
export function partsOfInvitation(path: string): InvitationLink {
  const [, invitation = '', secret = ''] =
    /^\/dashboard\/shared\/invitation#([\w-]{43})\.([\w-]{43})$/.exec(path) ?? [];
  return { invitation, secret };
}

/** Accepts an invitation. */
export function accept(member: Client, { path }: CreatedInvitation): Promise<SharedWithMe> {
  return member.post<SharedWithMe>(`${INVITATIONS}/accept`, partsOfInvitation(path));
}

/** Returns a client that reads something shared with a member. */
export async function openSharedBy(server: TestServer, member: Client, id: string): Promise<Client> {
  const client = new Client(server);
  client.token = (await member.post<ShareSession>(`${SHARED}/${id}/sessions`)).session;
  return client;
}

/** Returns the status and the code of a refusal. */
export async function refusalOf(response: Response): Promise<[number, string]> {
  return [response.status, ((await response.json()) as { error: { code: string } }).error.code];
}
