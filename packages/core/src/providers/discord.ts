import { logoPath } from '../lib/branding/logos/discord.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at Discord. */
export interface DiscordProfile {
  id: string
  username: string
  global_name?: string | null
  /** Zero for accounts with a new user name. */
  discriminator?: string
  avatar?: string | null
  email?: string | null
  verified?: boolean
  [claim: string]: unknown
}

/**
 * Sign in with Discord.
 *
 * @example
 * ```ts
 * import Discord from '@siteauth/core/providers/discord'
 *
 * // AUTH_DISCORD_ID, AUTH_DISCORD_SECRET
 * export const providers = [Discord]
 * ```
 */
const Discord: OAuth2Provider<DiscordProfile> = defineOAuth({
  id: 'discord',
  name: 'Discord',
  scope: 'identify email',
  authorization: { url: 'https://discord.com/oauth2/authorize' },
  token: { url: 'https://discord.com/api/oauth2/token' },
  // https://discord.com/.well-known/oauth-authorization-server
  revocation: 'https://discord.com/api/oauth2/token/revoke',
  userinfo: { url: 'https://discord.com/api/users/@me' },
  // https://discord.com/developers/docs/resources/user#user-object
  emailVerified: 'verified',
  profile: { id: 'id', name: ['global_name', 'username'], email: 'email', image: avatarOf },
  style: { bg: '#5865F2', text: '#fff', logoPath },
})

export default Discord

/** The avatar, or the picture that Discord shows for accounts without one. */
function avatarOf({ id, avatar, discriminator }: DiscordProfile): string {
  if (avatar) {
    const format = avatar.startsWith('a_') ? 'gif' : 'png'
    return `https://cdn.discordapp.com/avatars/${id}/${avatar}.${format}`
  }
  const isOldName = discriminator !== undefined && discriminator !== '0'
  const number = isOldName ? Number(discriminator) % 5 : (BigInt(id) >> 22n) % 6n
  return `https://cdn.discordapp.com/embed/avatars/${number}.png`
}

export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
