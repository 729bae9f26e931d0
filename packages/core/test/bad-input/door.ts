import { inspect } from 'node:util'
import type { AuthConfig } from '@siteauth/core'
import { afterAll, beforeAll, expect } from 'vitest'
import {
  ANN,
  type Application,
  createApplication,
  ORIGIN,
  PASSWORD,
  SESSION_COOKIE,
  signIn,
} from '../spec/application.ts'
import { SECRET, type Visitor } from '../visitor.ts'

/** The door of an application, somebody who is inside, and what every answer must be like. */
export interface Door {
  readonly application: Application
  /** Somebody who has signed in, and goes on working whatever others send. */
  readonly ann: Visitor
  /** Sends a request, and checks what holds for every answer to a bad one. */
  knock(path: string, init?: RequestInit): Promise<Response>
}

/**
 * Opens a door for the tests of a file. When they are over, no promise may have been rejected
 * unheard, and no secret may have reached the log.
 */
export function openDoor(config: Partial<AuthConfig> = {}): Door {
  const application = createApplication(config)
  const ann = application.visitor()
  const unheard = watchRejections()

  beforeAll(async () => {
    await signIn(ann)
  })

  afterAll(async () => {
    expect(await unheard()).toEqual([])
    const token = ann.cookies.get(SESSION_COOKIE) ?? PASSWORD
    expectNoSecrets(application, [SECRET, PASSWORD, token])
  })

  return {
    application,
    ann,
    async knock(path, init) {
      const url = path.startsWith('http') ? path : `${ORIGIN}/auth${path}`
      const response = await application.handle(new Request(url, init))
      expectSound(response)
      expect(await ann.session()).toMatchObject({ user: { name: ANN.name } })
      return response
    },
  }
}

/** Fails if anything that was logged contains one of the secrets, or could forge a line. */
function expectNoSecrets(
  { errors, warnings, debugs }: Pick<Application, 'errors' | 'warnings' | 'debugs'>,
  secrets: readonly string[],
): void {
  const logged = inspect([errors, warnings, debugs], { depth: 12, maxStringLength: null })
  for (const secret of secrets) expect(logged).not.toContain(secret)
}

/** What holds for every answer, whatever the request was. */
function expectSound(response: Response): void {
  expect(response.status).toBeLessThan(500)
  expect(response.headers.get('cache-control')).toContain('no-store')
  const location = response.headers.get('location')
  if (response.status === 302) {
    expect(new URL(location ?? '').origin).toBe(ORIGIN)
  } else if (response.body) {
    expect(response.headers.get('content-type')).toMatch(
      /^(application\/json|text\/html; charset=utf-8)$/,
    )
  }
  for (const [, value] of response.headers) expect(value).not.toMatch(forbiddenInHeaders)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
const forbiddenInHeaders = /[\u0000-\u0008\u000a-\u001f\u007f]/

/** Listens for rejections that nobody handles; answers those there were, when asked. */
export function watchRejections(): () => Promise<readonly unknown[]> {
  const unheard: unknown[] = []
  const hear = (reason: unknown) => void unheard.push(reason)
  process.on('unhandledRejection', hear)
  return async () => {
    // Rejections are reported once the microtasks are done.
    await new Promise(resolve => setTimeout(resolve, 5))
    process.off('unhandledRejection', hear)
    return unheard
  }
}
