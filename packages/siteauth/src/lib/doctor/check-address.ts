import { join } from 'node:path'
import { isLoopbackHost } from '@siteauth/core/internal/config'
import { readEnvFiles } from '../project/env-files.ts'
import { readJson } from '../project/files.ts'
import { START_WITHOUT, startScriptWithout } from '../project/start-script.ts'
import type { Finding } from './finding.ts'
import { placeOf, type Subject } from './project-under-test.ts'

/** The address of the site, and what proxies in front of it say. */
export function checkAddress(subject: Subject): readonly Finding[] {
  return [
    ...localAddress(subject),
    ...twoAddresses(subject),
    ...expressBehindProxy(subject),
    ...startsWithout(subject),
  ]
}

function localAddress({ env, mode }: Subject): readonly Finding[] {
  const given = env['AUTH_URL'] || env['NEXTAUTH_URL']
  if (mode !== 'production' || !given || !URL.canParse(given)) return []
  const { hostname } = new URL(given)
  if (!isLoopbackHost(hostname) && hostname !== '0.0.0.0') return []
  return [
    {
      code: 'local-url',
      severity: 'error',
      what: `AUTH_URL is ${hostname}, so in production people are sent back to their own machine.`,
      cure: 'Set AUTH_URL to the address that browsers see, such as https://example.com.',
    },
  ]
}

function startsWithout({ env, project: { folder } }: Subject): readonly Finding[] {
  const { AUTH_URL, NEXTAUTH_URL } = env
  const inFiles = readEnvFiles(folder, 'production').flatMap(each => Object.entries(each.variables))
  const name = startScriptWithout(
    readJson(join(folder, 'package.json')),
    Object.fromEntries([...Object.entries({ AUTH_URL, NEXTAUTH_URL }), ...inFiles]),
  )
  if (name === null) return []
  const { what, cure } = START_WITHOUT
  return [
    {
      code: 'start-without-address',
      severity: 'warning',
      what: `The script "${name}" ${what}`,
      cure,
      where: 'package.json',
    },
  ]
}

function twoAddresses({ env }: Subject): readonly Finding[] {
  const { AUTH_URL: current, NEXTAUTH_URL: old } = env
  if (!current || !old || current === old) return []
  return [
    {
      code: 'two-urls',
      severity: 'warning',
      what: 'AUTH_URL and NEXTAUTH_URL differ. Only AUTH_URL is used on the server.',
      cure: 'Remove NEXTAUTH_URL.',
    },
  ]
}

/** Express calls every request plain http unless it is told whose word about it counts. */
function expressBehindProxy({ configs, env, mode, sources }: Subject): readonly Finding[] {
  const config = configs.find(each => each.for === 'express')
  if (mode !== 'production' || !config || env['AUTH_URL']) return []
  const isConfigured = sources.files.some(file =>
    /['"]trust proxy['"]/.test(sources.text(file) ?? ''),
  )
  if (isConfigured) return []
  return [
    {
      code: 'untrusted-proxy',
      severity: 'warning',
      what: 'Behind a proxy, Express takes every request for plain http: cookies are not Secure, and links lead to http.',
      cure: "Set AUTH_URL, or app.set('trust proxy', 'loopback') to the address of your proxy.",
      where: placeOf(config),
    },
  ]
}
