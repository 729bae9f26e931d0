import { expect, it } from 'vitest'
import { createTestAuth } from '../visitor.ts'

// Suffixes of platforms that have a region in front of them, as https://publicsuffix.org lists them.
it.each([
  '*.us-east-1.elasticbeanstalk.com',
  '*.eu.ngrok.io',
  '*.eu.pythonanywhere.com',
  '*.us.ngrok.io',
  '*.de.eu.org',
  '*.paris.eu.org',
  '*.eu.org',
  '*.global.ssl.fastly.net',
  '*.spock.replit.dev',
  '*.preview.csb.app',
])('a pattern whose hosts anyone can register is not accepted silently: %s', async host => {
  for (const config of [{ trustHost: [host] }, { trustedOrigins: [`https://${host}`] }]) {
    const auth = createTestAuth(config)
    await auth.handle(new Request('https://app.example.com/auth/csrf'))
    const told = [
      ...auth.errors
        .map(({ message }) => message)
        .filter(each => each.includes('anyone can register')),
      ...auth.warnings.filter(each => each === 'unknown-suffix'),
    ]
    expect(told).not.toEqual([])
  }
})
