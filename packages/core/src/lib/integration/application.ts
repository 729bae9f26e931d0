import type { AuthConfig } from '../config/options.ts'
import { type ConfigLoader, copyOptions, loadConfig } from '../config/resolution/load-config.ts'
import { type SiteAddress, siteAddressOf } from '../config/site-address.ts'
import type { Platform } from '../config/sources.ts'
import type { FrameworkAdapter } from './framework-adapter.ts'

/** The configuration of an application, which is read once. */
interface Application {
  readonly loader: ConfigLoader
  readonly siteAddress: SiteAddress
}

/** Finds the application. Platforms on which the configuration or variables come with requests need the context of one. */
export type FindApplication<Context> = (context: Context | undefined) => Application

/** Reads the configuration with the first request, or the first call. */
export function applicationFinder<Context extends object, Config extends object>(
  host: Pick<FrameworkAdapter<Context, unknown>, 'env'>,
  config: Config | ((context: Context) => Config),
  platform: Omit<Platform, 'env'>,
): FindApplication<Context> {
  let application: Application | undefined
  return context => {
    application ??= createApplication(configFor(config, context), {
      ...platform,
      ...withEnv(context && host.env?.(context)),
    })
    return application
  }
}

function configFor<Context extends object, Config extends object>(
  config: Config | ((context: Context) => Config),
  context: Context | undefined,
): AuthConfig {
  // The types of its members are about the application's own callbacks, which exchange what they like.
  if (typeof config !== 'function') return config as unknown as AuthConfig
  if (context) return config(context) as unknown as AuthConfig
  throw new TypeError(
    'The configuration is made of a request, and none has come yet. Pass the context of one.',
  )
}

function createApplication(config: AuthConfig, platform: Platform): Application {
  const loader = loadConfig(copyOptions(config), platform)
  return { loader, siteAddress: siteAddressOf(loader.sources) }
}

function withEnv(env: Platform['env']): Pick<Platform, 'env'> {
  return env ? { env } : {}
}
