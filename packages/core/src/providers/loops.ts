import type { EmailConfig, EmailUserConfig } from '../lib/providers/email.ts'
import { defineEmail } from '../lib/providers/send-email.ts'

/** The required options of Loops beyond those of every email provider. */
export interface LoopsOptions extends EmailUserConfig {
  /** The id of a template there, with a data variable `url`, and one called `code` if you send codes. */
  transactionalId: string
}

/**
 * Signs people in by a link, sent through Loops. Sender, subject and text are those of the template.
 *
 * @example
 * ```ts
 * import Loops from '@siteauth/core/providers/loops'
 *
 * export const mail = Loops({ transactionalId: 'the id of your template' })
 * ```
 */
const Loops: (config?: LoopsOptions) => EmailConfig = defineEmail(
  { id: 'loops', name: 'Loops' },
  ({ apiKey, provider, to, url, code }) => {
    const { transactionalId } = provider as EmailUserConfig & Partial<LoopsOptions> // as it was called
    if (!transactionalId) throw new TypeError('"loops" has no transactionalId: set that option.')
    return {
      url: 'https://app.loops.so/api/v1/transactional',
      headers: { authorization: `Bearer ${apiKey}` },
      body: { transactionalId, email: to, dataVariables: { url, ...(code && { code }) } },
    }
  },
)

export default Loops
export type { EmailConfig } from '../lib/providers/email.ts'

/** The same under the name that applications of Auth.js know. */
export type LoopsUserConfig = LoopsOptions

/** The provider that {@link Loops} returns. */
export type LoopsConfig = EmailConfig
