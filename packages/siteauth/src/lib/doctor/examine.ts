import type { World } from '../environment.ts'
import { checkAddress } from './check-address.ts'
import { checkConfig } from './check-config.ts'
import { checkCookies } from './check-cookies.ts'
import { checkDiscovery } from './check-discovery.ts'
import { checkFiles } from './check-files.ts'
import { checkNextPaths } from './check-next-paths.ts'
import { checkPackages } from './check-packages.ts'
import { callbackUrl, checkProviders } from './check-providers.ts'
import { checkSecrets } from './check-secrets.ts'
import { checkStore } from './check-store.ts'
import { checkTestKit } from './check-test-kit.ts'
import type { Finding } from './finding.ts'
import { type Examination, readSubject, type Subject } from './project-under-test.ts'

/** What came out of an examination. */
export interface Diagnosis {
  readonly findings: readonly Finding[]
  /** What each provider has to know, by its id. */
  readonly callbackUrls: Readonly<Record<string, string>>
}

type Check = (subject: Subject) => readonly Finding[] | Promise<readonly Finding[]>

const CHECKS: readonly Check[] = [
  checkFiles,
  checkNextPaths,
  checkPackages,
  checkSecrets,
  checkAddress,
  checkConfig,
  checkProviders,
  checkCookies,
  checkStore,
  checkTestKit,
  checkDiscovery,
]

/** Examines a project. Changes nothing, and runs none of its code unless it is to open the store. */
export async function examine(world: World, examination: Examination): Promise<Diagnosis> {
  const subject = await readSubject(world, examination)
  const found = (await Promise.all(CHECKS.map(check => check(subject)))).flat()
  // A configuration that is split for the proxy has most faults twice.
  const unique = new Map(found.map(each => [`${each.code} ${each.what}`, each]))
  const order = { error: 0, warning: 1 }
  return {
    findings: [...unique.values()].sort((a, b) => order[a.severity] - order[b.severity]),
    callbackUrls: Object.fromEntries(
      subject.providers.flatMap(provider => {
        const { resolved } = provider
        const isOAuth = resolved?.type === 'oauth' || resolved?.type === 'oidc'
        return isOAuth ? [[resolved.id, callbackUrl(provider, subject)]] : []
      }),
    ),
  }
}
