import { logoPath } from '../lib/branding/logos/microsoft.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'
import { requestTokens } from '../lib/providers/provider-requests.ts'

/** The profile of a person at Azure DevOps. */
export interface AzureDevOpsProfile {
  id: string
  displayName: string
  emailAddress: string
  coreAttributes?: { Avatar?: { value?: { value?: string } } }
  [claim: string]: unknown
}

/** The options of the Azure DevOps provider beyond the usual. */
export interface AzureDevOpsOptions {
  /** Separated by spaces; `vso.profile` by default. */
  scope?: string
}

/**
 * Sign in with Azure DevOps.
 *
 * @deprecated Azure DevOps takes no new applications and is shutting down; use `microsoft-entra-id`.
 *
 * @example
 * ```ts
 * import AzureDevOps from '@siteauth/core/providers/azure-devops'
 *
 * // AUTH_AZURE_DEVOPS_ID, AUTH_AZURE_DEVOPS_SECRET
 * export const providers = [AzureDevOps]
 * ```
 */
const AzureDevOps: OAuth2Provider<AzureDevOpsProfile, AzureDevOpsOptions> = defineOAuth({
  id: 'azure-devops',
  name: 'Azure DevOps',
  style: { logoPath },
  defaults: { scope: 'vso.profile' },
  consumes: ['scope'],
  scope: '{scope}',
  authorization: {
    url: 'https://app.vssps.visualstudio.com/oauth2/authorize',
    params: { response_type: 'Assertion' },
  },
  token: {
    url: 'https://app.vssps.visualstudio.com/oauth2/token',
    // The type of the token is named `jwt-bearer`, and used as `Bearer`.
    request: async context => ({
      ...(await requestTokens(context, EXCHANGE)),
      token_type: 'bearer',
    }),
  },
  userinfo: {
    url: 'https://app.vssps.visualstudio.com/_apis/profile/profiles/me?details=true&coreAttributes=Avatar&api-version=6.0',
  },
  profile: {
    id: 'id',
    name: 'displayName',
    email: 'emailAddress',
    image: { template: 'data:image/jpeg;base64,{coreAttributes.Avatar.value.value}' },
  },
})

export default AzureDevOps

// The secret itself is the assertion, and the code is the grant.
const EXCHANGE = {
  form: {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: '{clientSecret}',
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: '{callback.code}',
    redirect_uri: '{redirectUri}',
  },
}

export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
