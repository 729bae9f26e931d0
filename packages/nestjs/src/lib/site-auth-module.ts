import {
  type DynamicModule,
  Inject,
  type InjectionToken,
  Module,
  type ModuleMetadata,
  type NestModule,
  type OptionalFactoryDependency,
} from '@nestjs/common'
import { HttpAdapterHost } from '@nestjs/core'
import type { AuthConfig } from '@siteauth/core'
import { createIntegration } from '@siteauth/core/integration'
import type { JWT } from '@siteauth/core/jwt'
import type { Session } from '@siteauth/core/types'
import { nestFramework } from './framework-adapter.ts'
import { install } from './install.ts'
import { SiteAuthService } from './site-auth-service.ts'
import type { NestIntegration } from './visit.ts'

const BOUND = Symbol('SiteAuth')

/** A configuration that is made of what others provide, such as a store. */
export interface SiteAuthAsyncOptions<Token = JWT, Sess = Session, Exposed extends string = string>
  extends Pick<ModuleMetadata, 'imports'> {
  readonly inject?: (InjectionToken | OptionalFactoryDependency)[]
  readonly useFactory: (
    ...given: never[]
  ) => AuthConfig<Token, Sess, Exposed> | Promise<AuthConfig<Token, Sess, Exposed>>
}

/**
 * The endpoints, and a {@link SiteAuthService} for all modules. Works on Express and on Fastify, with body
 * parsers or without.
 *
 * @example
 * ```ts
 * import { Module } from '@nestjs/common'
 * import GitHub from '@siteauth/core/providers/github'
 * import { SiteAuthModule } from '@siteauth/nestjs'
 *
 * export class AppModule {}
 * Module({ imports: [SiteAuthModule.forRoot({ providers: [GitHub] })] })(AppModule) // or as @Module()
 * ```
 */
export class SiteAuthModule implements NestModule {
  readonly #host: HttpAdapterHost
  readonly #integration: NestIntegration

  constructor(adapterHost: HttpAdapterHost, integration: NestIntegration) {
    this.#host = adapterHost
    this.#integration = integration
  }

  /** Takes the configuration. */
  static forRoot<Token = JWT, Sess = Session, Exposed extends string = never>(
    config: AuthConfig<Token, Sess, Exposed>,
  ): DynamicModule {
    return SiteAuthModule.forRootAsync({ useFactory: () => config })
  }

  /** Takes a function that makes the configuration, of what others provide. */
  static forRootAsync<Token = JWT, Sess = Session, Exposed extends string = never>(
    options: SiteAuthAsyncOptions<Token, Sess, Exposed>,
  ): DynamicModule {
    const { imports = [], inject = [], useFactory } = options
    return {
      module: SiteAuthModule,
      global: true,
      imports,
      providers: [
        {
          provide: BOUND,
          inject,
          useFactory: async (...given: never[]) =>
            createIntegration(nestFramework, await useFactory(...given)),
        },
        {
          provide: SiteAuthService,
          inject: [BOUND],
          useFactory: (integration: NestIntegration) => new SiteAuthService(integration),
        },
      ],
      exports: [SiteAuthService],
    }
  }

  /** Called by Nest after it has its parsers, and before it has routes. */
  configure(): void {
    install(this.#host.httpAdapter, this.#integration)
  }
}

// Not as decorators: those of Nest are not the ones that JavaScript has, and would need a compiler's help.
Inject(HttpAdapterHost)(SiteAuthModule, undefined, 0)
Inject(BOUND)(SiteAuthModule, undefined, 1)
Module({})(SiteAuthModule)
