import { z } from 'zod';
import { id, timestamp } from '../common.ts';

export const inviteRequest = z.object({
  name: z.string().trim().min(1).max(200),
  contact: z.string().max(320).optional(),
  replyTo: z
    .string()
    .max(8192)
    .optional()
    .describe('an invite that could not be used: the new one is for the office that made it'),
});
export const inviteAnswer = z.object({
  nodeID: id,
  uri: z.string(),
  expiresAt: timestamp,
  onlyNearby: z
    .literal(true)
    .optional()
    .describe('all addresses in it are of the own network: of no use to an office elsewhere'),
});
export type InviteAnswer = z.infer<typeof inviteAnswer>;

export const inviteCheckRequest = z.object({ uri: z.string().max(8192) });
export const inviteCheck = z.object({
  partner: z.string(),
  address: z.string().describe('where the partner is'),
  secure: z.boolean(),
  needsOwnNetworkConsent: z.boolean(),
  relay: z.string().optional().describe('host of the relay through which they can be called'),
  reachesElsewhere: z
    .literal(true)
    .optional()
    .describe('they can be called from other networks too, not only at the address'),
  onlyNearby: z.literal(true).optional().describe('no office elsewhere can call this computer'),
  alreadyKnown: id.optional(),
  isReply: z.literal(true).optional().describe('it replies to an invite of ours that they could not use'),
});
export type InviteCheck = z.infer<typeof inviteCheck>;

export const inviteAcceptRequest = z.object({
  uri: z.string().max(8192),
  name: z.string().trim().max(200).optional(),
  ownNetwork: z.boolean().optional(),
  relay: z.boolean().optional().describe('they may be called through the relay that they name'),
});
