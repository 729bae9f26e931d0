import { equalInConstantTime } from '#crypto'
import { toBase64Url } from '../../crypto/encoding.ts'
import type { CryptoPrimitives } from '../../crypto/primitives.ts'
import type { IssuedSession, SessionStore } from '../store.ts'

/**
 * Sessions in a database that several audiences may share. A row does not name its audience, so the cookie does:
 * behind the name of the row it has a tag that can be made for one audience only.
 *
 * @param secrets those of the audience, the newest first
 */
export function createAudienceStore(
  store: SessionStore,
  primitives: Pick<CryptoPrimitives, 'deriveBits'>,
  secrets: readonly string[],
): SessionStore {
  async function tagOf(row: string, secret: string): Promise<string> {
    return toBase64Url(await primitives.deriveBits(secret, 'siteauth session', row, TAG_BYTES))
  }

  /** The name of the row; null if the cookie was made for others. */
  async function rowOf(token: string): Promise<string | null> {
    const dot = token.lastIndexOf('.')
    const row = token.slice(0, Math.max(dot, 0))
    if (!row || row.length > MAX_NAME_LENGTH) return null
    for (const secret of secrets) {
      if (equalInConstantTime(await tagOf(row, secret), token.slice(dot + 1))) return row
    }
    return null
  }

  async function marked<Issued extends IssuedSession>(
    issued: Issued | null,
  ): Promise<Issued | null> {
    if (!issued) return null
    const tag = await tagOf(issued.token, secrets[0] ?? '')
    return { ...issued, token: `${issued.token}.${tag}` }
  }

  return {
    remembers: store.remembers,
    needsStoredUser: store.needsStoredUser,
    draft: store.draft,
    issue: async identity => marked(await store.issue(identity)),
    async read(token, options) {
      const row = await rowOf(token)
      const active = row === null ? null : await store.read(row, options)
      return active && { ...active, renewal: active.renewal && { ...active.renewal, token } }
    },
    async update(token, changes) {
      const row = await rowOf(token)
      const active = row === null ? null : await store.update(row, changes)
      return active && { ...active, renewal: active.renewal && { ...active.renewal, token } }
    },
    async identify(token, options) {
      const row = await rowOf(token)
      return row === null ? { absence: 'unknown' } : store.identify(row, options)
    },
    sessionIdOf: store.sessionIdOf,
    async userIdOf(token) {
      const row = await rowOf(token)
      return row === null ? null : store.userIdOf(row)
    },
    async revoke(token) {
      const row = await rowOf(token)
      return row === null ? { session: null } : store.revoke(row)
    },
    async endReplaced(token) {
      const row = await rowOf(token)
      if (row !== null) await store.endReplaced(row)
    },
    async rotate(token) {
      const row = await rowOf(token)
      return row === null ? null : marked(await store.rotate(row))
    },
    getLimits: async token => store.getLimits((await rowOf(token)) ?? ''),
    own: store.own,
    // Every member is named, optional ones too: one that is added to the type is not dropped in silence.
  } satisfies Required<SessionStore>
}

/** 128 bits, which cannot be guessed. */
const TAG_BYTES = 16

/** The derivation takes no more than a kilobyte. */
const MAX_NAME_LENGTH = 1000
