import { primitives } from '#crypto'
import { type AccountRows, applyLink } from '../account/apply-link.ts'
import { createSignUpMarkers } from '../account/sign-up-marker.ts'
import { type ResolvedConfig, siteOf } from '../config/resolved.ts'
import type { Incoming } from '../http/incoming.ts'
import type { Adapter, AdapterUser } from '../model.ts'
import type { SignedIn } from '../oauth/build-account.ts'
import type { ResolvedOAuthProvider } from '../oauth/resolve-provider.ts'
import type { ProvenIdentity } from '../session/store.ts'
import { currentUserId } from './current-user.ts'

/** Finds or makes the user of a store that an account at a provider belongs to. */
export async function linkAccount(
  config: ResolvedConfig,
  adapter: Readonly<Adapter>,
  request: Incoming,
  provider: ResolvedOAuthProvider,
  { user, account, profile }: SignedIn,
  userByAccount: AdapterUser | null,
): Promise<ProvenIdentity> {
  const linked = await applyLink(adapter as AccountRows, config.events, {
    user,
    account,
    stored: { ...provider.account(account) },
    userByAccount,
    session: siteOf(config, request.origin).sessions.draft(),
    currentUserId: await currentUserId(config, request),
    mayLinkByEmail:
      provider.config.allowDangerousEmailAccountLinking === true &&
      profile.email_verified !== false,
    isVouchedFor: profile.email_verified === true,
    markers: createSignUpMarkers(primitives, config.secrets, config.ports.now),
  })
  return { ...linked, account, profile }
}
