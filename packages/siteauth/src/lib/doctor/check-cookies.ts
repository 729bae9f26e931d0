import type { Finding } from './finding.ts'
import { placeOf, type Subject } from './project-under-test.ts'

/** What a configuration takes away from its cookies. Prefixes that cannot work are the library's to report. */
export function checkCookies({ configs, env, mode }: Subject): readonly Finding[] {
  return configs.flatMap(config => {
    const where = placeOf(config)
    const { cookies, useSecureCookies, skipCSRFCheck } = config.options
    const { sessionToken } = Object(cookies) as Record<string, unknown> // whatever was written
    const { options } = Object(sessionToken) as { options?: unknown }
    const { httpOnly, secure, sameSite } = Object(options) as Record<string, unknown>
    const findings: Finding[] = []
    if (httpOnly === false) {
      findings.push({
        code: 'readable-session-cookie',
        severity: 'error',
        what: 'Scripts can read the session cookie, and so can whoever gets one into a page.',
        cure: 'Remove httpOnly: false from cookies.sessionToken.options. Pages learn who is signed in from useSession or auth().',
        where,
      })
    }
    if (sameSite === 'none') {
      findings.push({
        code: 'cross-site-session-cookie',
        severity: 'warning',
        what: 'Browsers send the session cookie along with requests of other sites.',
        cure: "Remove sameSite: 'none' unless your pages are shown in frames of other sites.",
        where,
      })
    }
    const isHttps = String(env['AUTH_URL'] ?? '').startsWith('https:')
    if ((useSecureCookies === false || secure === false) && (mode === 'production' || isHttps)) {
      findings.push({
        code: 'insecure-cookies',
        severity: 'error',
        what: 'The session cookie is also sent over plain http.',
        cure: 'Remove useSecureCookies: false and secure: false: over https, cookies are Secure by themselves.',
        where,
      })
    }
    if (skipCSRFCheck !== undefined) {
      findings.push({
        code: 'csrf-disabled',
        severity: 'warning',
        what: 'The CSRF check is switched off, so other sites can sign visitors in and out.',
        cure: 'Remove skipCSRFCheck, unless something else checks where requests come from.',
        where,
      })
    }
    return findings
  })
}
