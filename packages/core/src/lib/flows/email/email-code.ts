import { primitives } from '#crypto'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { CODE_ATTEMPTS, createEmailCodes, type EmailCodes } from '../../email/code.ts'
import type { EmailConfig } from '../../providers/email.ts'
import type { RequestedCode } from '../cookies/email-request.ts'
import { emailRows, emailSecrets } from '../sign-in/email-store.ts'

// A code is sealed in a cookie of the browser that requested it. The number of remaining guesses is in the store
// alone: one row. Each guess takes the row out and puts back one with a guess less, so that of many guesses at once
// one finds it.

/** How the codes of a provider are made. */
export function emailCodesFor(config: ResolvedConfig, provider: EmailConfig): EmailCodes {
  return createEmailCodes(primitives, emailSecrets(config, provider))
}

/** Stores how many guesses there are at a code. */
export async function storeGuesses(
  config: ResolvedConfig,
  { id, until }: Pick<RequestedCode, 'id' | 'until'>,
  left: number = CODE_ATTEMPTS,
): Promise<void> {
  const row = { ...guessRow(id, left), expires: new Date(until) }
  if (left > 0) await emailRows(config).createVerificationToken(row)
}

/** Takes a guess out of the store. Returns how many there were; null if there are none. */
export async function takeGuesses(
  config: ResolvedConfig,
  { id, left }: Pick<RequestedCode, 'id' | 'left'>,
): Promise<number | null> {
  const { useVerificationToken } = emailRows(config)
  // Fewer than in the cookie, if someone guesses with a copy of it.
  for (let count = left; count > 0; count--) {
    const row = guessRow(id, count)
    const used = await useVerificationToken(row)
    if (used?.identifier === row.identifier) return count
  }
  return null
}

function guessRow(id: string, left: number) {
  return { identifier: `code:${id}`, token: `guesses-left-${left}` }
}
