import { isPublishedSecret } from '@siteauth/core/internal/config'
import { isIgnoredByGit, isTrackedByGit } from '../project/git.ts'
import { isPlaceholder, SECRET_VARIABLES } from '../project/secret.ts'
import type { Finding } from './finding.ts'
import { placeOf, type Subject } from './project-under-test.ts'
import { isStandIn } from './stand-ins.ts'

/** Whether secrets are hard to guess, and kept where only the server sees them. */
export async function checkSecrets(subject: Subject): Promise<readonly Finding[]> {
  return [
    ...guessable(subject),
    ...shadowed(subject),
    ...shownToBrowsers(subject),
    ...writtenInCode(subject),
    ...(await committed(subject)),
  ]
}

function guessable({ env }: Subject): readonly Finding[] {
  return [...SECRET_VARIABLES, 'NEXTAUTH_SECRET'].flatMap(name => {
    const secret = env[name] ?? ''
    // The library reports those that it printed itself.
    if (isPublishedSecret(secret)) return []
    if (isPlaceholder(secret)) {
      return [
        {
          code: 'placeholder-secret',
          severity: 'error' as const,
          what: `${name} is still a placeholder, and anyone can guess it.`,
          cure: 'Run npx siteauth secret, which replaces it.',
        },
      ]
    }
    // The library also reports those that are too short.
    if (secret.length < 32 || !isGuessable(secret)) return []
    return [
      {
        code: 'weak-secret',
        severity: 'error' as const,
        what: `${name} is long, but was not made at random.`,
        cure: 'Run npx siteauth secret --rotate, and remove the old one once nobody needs it.',
      },
    ]
  })
}

const PLACEHOLDER =
  /change.?me|secret|random|your|example|password|placeholder|at-least|0123456789|abcdef(?:gh|$)/i

/** Words, or few different characters: 32 random ones have more than ten that differ. */
function isGuessable(secret: string): boolean {
  return new Set(secret).size < 10 || PLACEHOLDER.test(secret)
}

function shadowed({ env }: Subject): readonly Finding[] {
  const { NEXTAUTH_SECRET: old, AUTH_SECRET: current } = env
  if (!old || !current || old === current) return []
  return [
    {
      code: 'two-secrets',
      severity: 'warning',
      what: 'AUTH_SECRET and NEXTAUTH_SECRET differ. Only AUTH_SECRET is used.',
      cure: 'Remove NEXTAUTH_SECRET.',
    },
  ]
}

function shownToBrowsers({ env, project }: Subject): readonly Finding[] {
  if (project.framework !== 'next') return []
  return Object.keys(env)
    .filter(name => /^NEXT_PUBLIC_(?:\w+_)?(?:SECRET|PRIVATE_KEY|DATABASE_URL)/.test(name))
    .map(name => ({
      code: 'public-secret',
      severity: 'error',
      what: `${name} begins with NEXT_PUBLIC_, so Next sends its value to every browser.`,
      cure: 'Give it another name, and replace the value: count the old one as stolen.',
    }))
}

function writtenInCode({ configs, providers }: Subject): readonly Finding[] {
  const inConfigs = configs.flatMap(config =>
    isWritten(config.options['secret']) && !isFromEnv(config.source.text, 'secret')
      ? [{ option: 'secret', variable: 'AUTH_SECRET', where: placeOf(config) }]
      : [],
  )
  const inProviders = providers.flatMap(({ config, options, resolved }) =>
    isWritten(options['clientSecret']) && !isFromEnv(config.source.text, 'clientSecret')
      ? [
          {
            option: `clientSecret of "${resolved?.id ?? options['id']}"`,
            variable: 'a variable',
            where: placeOf(config),
          },
        ]
      : [],
  )
  return [...inConfigs, ...inProviders].map(({ option, variable, where }) => ({
    code: 'secret-in-code',
    severity: 'error',
    what: `The ${option} is written in the code, for everybody who can read it.`,
    cure: `Move it to ${variable} in the environment, and replace the value.`,
    where,
  }))
}

function isWritten(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && !isStandIn(value)
}

/** Whether every mention of an option in a file takes it from elsewhere. */
function isFromEnv(text: string, option: string): boolean {
  return !new RegExp(`\\b${option}:\\s*['"\`]`).test(text)
}

async function committed({ world, envFiles }: Subject): Promise<readonly Finding[]> {
  const withSecrets = envFiles.filter(({ variables }) =>
    // Those for browsers are public anyway; `shownToBrowsers` finds those that should not be.
    Object.entries(variables).some(
      ([name, value]) => /^(?!NEXT_PUBLIC_).*(?:SECRET|_KEY$)/.test(name) && value,
    ),
  )
  const found = await Promise.all(
    withSecrets.map(async ({ name }): Promise<Finding[]> => {
      if (await isTrackedByGit(world, name)) {
        return [
          {
            code: 'committed-secret',
            severity: 'error',
            what: `${name} holds secrets and is in the Git repository.`,
            cure: `Run git rm --cached ${name}, add it to .gitignore, and replace every secret in it.`,
            where: name,
          },
        ]
      }
      if ((await isIgnoredByGit(world, name)) !== false) return []
      return [
        {
          code: 'unignored-secret',
          severity: 'warning',
          what: `${name} holds secrets, and Git does not ignore it.`,
          cure: `Add ${name} to .gitignore.`,
          where: name,
        },
      ]
    }),
  )
  return found.flat()
}
