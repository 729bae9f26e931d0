// Written by tools/provider-docs.mjs from the providers and providers.data.json.
import type { ProviderFacts } from './provider-facts.ts'

export const CATALOGUE: readonly ProviderFacts[] = [
  {
    "module": "42-school",
    "id": "42-school",
    "name": "FortyTwo",
    "title": "42 School",
    "docs": "https://api.intra.42.fr/apidoc/guides/web_application_flow",
    "notes": [
      "If the full name is missing, the display name or the login is used."
    ]
  },
  {
    "module": "apple",
    "id": "apple",
    "name": "Apple",
    "title": "Apple",
    "docs": "https://developer.apple.com/documentation/signinwithapplerestapi",
    "notes": [
      "The client secret is a token that expires after at most six months. Set `teamId`, `keyId` and `privateKey` instead, and one is created for every sign-in.",
      "The response is a form that the browser posts from Apple's site. It only works over https: Apple refuses `localhost` and `http`.",
      "The name is sent only once, when someone first consents, and is not signed.",
      "Email addresses may be relays; `is_private_email` says so.",
      "Redirect proxies do not work."
    ],
    "options": [
      "teamId",
      "keyId",
      "privateKey"
    ]
  },
  {
    "module": "asgardeo",
    "id": "asgardeo",
    "name": "Asgardeo",
    "title": "Asgardeo",
    "docs": "https://wso2.com/asgardeo/docs/guides/authentication/oidc/",
    "issuer": "https://api.asgardeo.io/t/acme",
    "notes": [
      "The issuer may be the organisation's address; `/oauth2/token` is added if it is missing.",
      "The name may be missing if only a given name is known."
    ]
  },
  {
    "module": "atlassian",
    "id": "atlassian",
    "name": "Atlassian",
    "title": "Atlassian",
    "docs": "https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/",
    "notes": [
      "The application needs the User Identity API.",
      "Add `offline_access` to the scope for a refresh token."
    ]
  },
  {
    "module": "auth0",
    "id": "auth0",
    "name": "Auth0",
    "title": "Auth0",
    "docs": "https://auth0.com/docs/authenticate/protocols/openid-connect-protocol",
    "issuer": "https://acme.eu.auth0.com",
    "notes": [
      "To send people to one connection or organisation, set `connection` or `organization` in `authorization.params`.",
      "Sign-out URLs go in \"Allowed Logout URLs\". Older tenants don't publish where to sign out: for `logout: 'provider'`, set `endSession` to `https://your-tenant.eu.auth0.com/oidc/logout`."
    ]
  },
  {
    "module": "authentik",
    "id": "authentik",
    "name": "Authentik",
    "title": "Authentik",
    "docs": "https://docs.goauthentik.io/docs/add-secure-apps/providers/oauth2/",
    "issuer": "https://id.example.com/application/o/site/",
    "notes": [
      "The issuer contains the application's slug. A trailing slash is added, because authentik identifies itself that way.",
      "Groups are in the `groups` claim."
    ]
  },
  {
    "module": "azure-ad",
    "id": "azure-ad",
    "name": "AzureAD",
    "title": "Azure Active Directory",
    "docs": "https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc",
    "issuer": "https://login.microsoftonline.com/your-tenant-id/v2.0",
    "status": "deprecated",
    "instead": "Use `microsoft-entra-id`, the service's current name.",
    "notes": [
      "The callback URL keeps the old name: existing registrations need no change."
    ],
    "options": [
      "tenantId",
      "profilePhotoSize",
      "disableProfilePhoto"
    ]
  },
  {
    "module": "azure-ad-b2c",
    "id": "azure-ad-b2c",
    "name": "AzureADB2C",
    "title": "Azure AD B2C",
    "docs": "https://learn.microsoft.com/en-us/azure/active-directory-b2c/openid-connect",
    "issuer": "https://acme.b2clogin.com/acme.onmicrosoft.com/B2C_1_signin/v2.0",
    "status": "legacy",
    "notes": [
      "Microsoft directs new customers to Entra External ID.",
      "The email address comes in the `emails` list: add it to the user flow's claims.",
      "Use the issuer that contains the policy. Tokens identify the tenant by its id instead; any tenant on that host is accepted."
    ],
    "options": [
      "tenantName",
      "tenantId",
      "primaryUserFlow"
    ]
  },
  {
    "module": "azure-devops",
    "id": "azure-devops",
    "name": "AzureDevOps",
    "title": "Azure DevOps",
    "docs": "https://learn.microsoft.com/en-us/azure/devops/integrate/get-started/authentication/oauth",
    "status": "closed",
    "instead": "Azure DevOps takes no new applications and is shutting down; use `microsoft-entra-id`.",
    "notes": [
      "Use Microsoft Entra ID with the Azure DevOps API scope instead."
    ],
    "options": [
      "scope"
    ]
  },
  {
    "module": "bankid-no",
    "id": "bankid-no",
    "name": "BankIDNorway",
    "title": "BankID Norge",
    "docs": "https://confluence.bankidnorge.no/confluence/pdoidcl",
    "notes": [
      "For tests, set `issuer` to another realm.",
      "`login_hint` in `authorization.params` chooses the kind of BankID: `BIS` for biometrics, `BIM` for mobile, `BID` for the default.",
      "The profile is a signed token, whose signature is checked."
    ]
  },
  {
    "module": "battlenet",
    "id": "battlenet",
    "name": "BattleNet",
    "title": "Battle.net",
    "docs": "https://develop.battle.net/documentation/guides/using-oauth",
    "notes": [
      "It never provides an email address.",
      "For China, set the issuer to `https://oauth.battlenet.com.cn`."
    ]
  },
  {
    "module": "beyondidentity",
    "id": "beyondidentity",
    "name": "BeyondIdentity",
    "title": "Beyond Identity",
    "docs": "https://docs.beyondidentity.com/",
    "issuer": "https://auth-us.beyondidentity.com/v1/tenants/…/realms/…/applications/…",
    "notes": [
      "The user has a fifth field, `preferred_username`. Your database needs a column for it, or write your own `profile`."
    ]
  },
  {
    "module": "bitbucket",
    "id": "bitbucket",
    "name": "Bitbucket",
    "title": "Bitbucket",
    "docs": "https://support.atlassian.com/bitbucket-cloud/docs/use-oauth-on-bitbucket-cloud/",
    "notes": [
      "It provides no email address. Getting one takes another request, to `/2.0/user/emails`, and the `email` scope."
    ]
  },
  {
    "module": "box",
    "id": "box",
    "name": "Box",
    "title": "Box",
    "docs": "https://developer.box.com/guides/authentication/oauth2/",
    "notes": [
      "You choose at Box what the application may see."
    ]
  },
  {
    "module": "boxyhq-saml",
    "id": "boxyhq-saml",
    "name": "BoxyHQSAML",
    "title": "BoxyHQ SAML",
    "docs": "https://boxyhq.com/docs/jackson/saml-flow",
    "issuer": "https://sso.example.com",
    "notes": [
      "Tenant and product go in `authorization.params`, or in the client id as `tenant=…&product=…`, with `dummy` as the secret.",
      "The software is now called Ory Polis."
    ]
  },
  {
    "module": "bungie",
    "id": "bungie",
    "name": "Bungie",
    "title": "Bungie",
    "docs": "https://github.com/Bungie-net/api/wiki/OAuth-Documentation",
    "notes": [
      "Every request needs the application's API key: set `apiKey`, or `AUTH_BUNGIE_KEY`.",
      "Bungie only accepts https, even in development, and not `localhost`: use `https://127.0.0.1`.",
      "It never provides an email address."
    ],
    "options": [
      "apiKey"
    ]
  },
  {
    "module": "click-up",
    "id": "click-up",
    "name": "ClickUp",
    "title": "ClickUp",
    "docs": "https://developer.clickup.com/docs/authentication",
    "notes": [
      "There are no scopes. People choose workspaces when they consent."
    ]
  },
  {
    "module": "cognito",
    "id": "cognito",
    "name": "Cognito",
    "title": "Cognito",
    "docs": "https://docs.aws.amazon.com/cognito/latest/developerguide/federation-endpoints.html",
    "issuer": "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEf",
    "notes": [
      "The user pool needs a domain; without one, it has no endpoints.",
      "A client without a secret needs `client: { token_endpoint_auth_method: 'none' }`.",
      "Sign-out URLs go in \"Allowed sign-out URLs\"."
    ]
  },
  {
    "module": "coinbase",
    "id": "coinbase",
    "name": "Coinbase",
    "title": "Coinbase",
    "docs": "https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration/overview"
  },
  {
    "module": "concept2",
    "id": "concept2",
    "name": "Concept2",
    "title": "Concept2",
    "docs": "https://log.concept2.com/developers/documentation/"
  },
  {
    "module": "descope",
    "id": "descope",
    "name": "Descope",
    "title": "Descope",
    "docs": "https://docs.descope.com/getting-started/oidc-endpoints",
    "notes": [
      "The client id is the project id, and determines the issuer."
    ]
  },
  {
    "module": "discord",
    "id": "discord",
    "name": "Discord",
    "title": "Discord",
    "docs": "https://discord.com/developers/docs/topics/oauth2",
    "notes": [
      "Accounts without a picture get the one Discord shows for them."
    ]
  },
  {
    "module": "dribbble",
    "id": "dribbble",
    "name": "Dribbble",
    "title": "Dribbble",
    "docs": "https://developer.dribbble.com/v2/oauth/",
    "notes": [
      "Dribbble does not document the email address, so it may be missing."
    ],
    "options": [
      "scope"
    ]
  },
  {
    "module": "dropbox",
    "id": "dropbox",
    "name": "Dropbox",
    "title": "Dropbox",
    "docs": "https://developers.dropbox.com/oauth-guide",
    "notes": [
      "You also get a refresh token, because of `token_access_type=offline`."
    ]
  },
  {
    "module": "duende-identity-server6",
    "id": "duende-identity-server6",
    "name": "DuendeIdentityServer6",
    "title": "DuendeIdentityServer6",
    "docs": "https://docs.duendesoftware.com/identityserver/",
    "issuer": "https://id.example.com",
    "notes": [
      "It works with newer versions of the server, too."
    ]
  },
  {
    "module": "eveonline",
    "id": "eveonline",
    "name": "EVEOnline",
    "title": "EVE Online",
    "docs": "https://developers.eveonline.com/docs/services/sso/",
    "notes": [
      "It never provides an email address."
    ]
  },
  {
    "module": "eventbrite",
    "id": "eventbrite",
    "name": "Eventbrite",
    "title": "Eventbrite",
    "docs": "https://www.eventbrite.com/platform/api#/introduction/authentication",
    "notes": [
      "If there are several email addresses, the primary one is used."
    ]
  },
  {
    "module": "facebook",
    "id": "facebook",
    "name": "Facebook",
    "title": "Facebook",
    "docs": "https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow",
    "notes": [
      "The email address may be missing.",
      "If your application requires `appsecret_proof`, add it in your own `userinfo.request`.",
      "Graph API versions expire about two years after release: set `apiVersion` when you upgrade."
    ],
    "options": [
      "apiVersion"
    ]
  },
  {
    "module": "faceit",
    "id": "faceit",
    "name": "FACEIT",
    "title": "FACEIT",
    "docs": "https://cdn.faceit.com/third_party/docs/FACEIT_Connect_3.0.pdf",
    "notes": [
      "People sign in in a popup window."
    ]
  },
  {
    "module": "figma",
    "id": "figma",
    "name": "Figma",
    "title": "Figma",
    "docs": "https://developers.figma.com/docs/rest-api/authentication/"
  },
  {
    "module": "foursquare",
    "id": "foursquare",
    "name": "Foursquare",
    "title": "Foursquare",
    "docs": "https://docs.foursquare.com/developer/docs/using-oauth-authentication",
    "status": "legacy",
    "notes": [
      "Only for projects created before 18 November 2021.",
      "Set `apiVersion` to the date whose behaviour you want."
    ],
    "options": [
      "apiVersion"
    ]
  },
  {
    "module": "freshbooks",
    "id": "freshbooks",
    "name": "Freshbooks",
    "title": "Freshbooks",
    "docs": "https://www.freshbooks.com/api/authentication"
  },
  {
    "module": "frontegg",
    "id": "frontegg",
    "name": "Frontegg",
    "title": "Frontegg",
    "docs": "https://docs.frontegg.com/docs/how-to-use-our-docs",
    "issuer": "https://acme.frontegg.com"
  },
  {
    "module": "fusionauth",
    "id": "fusionauth",
    "name": "FusionAuth",
    "title": "FusionAuth",
    "docs": "https://fusionauth.io/docs/lifecycle/authenticate-users/oauth/",
    "issuer": "https://id.example.com",
    "notes": [
      "In FusionAuth, choose an asymmetric key for ID tokens. HS256 also works if the client secret has at least 32 bytes.",
      "The issuer is set in the tenant; initially it is `acme.com`: change it there.",
      "You also get a refresh token, because of `offline_access`."
    ],
    "options": [
      "tenantId"
    ]
  },
  {
    "module": "github",
    "id": "github",
    "name": "GitHub",
    "title": "GitHub",
    "docs": "https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps",
    "notes": [
      "If the email address is not public, the primary one is looked up, and used if it is verified.",
      "A GitHub App ignores scopes. Give it permission to read email addresses.",
      "For GitHub Enterprise Server, set `enterprise: { baseUrl: 'https://git.example.com' }`."
    ],
    "options": [
      "enterprise"
    ]
  },
  {
    "module": "gitlab",
    "id": "gitlab",
    "name": "GitLab",
    "title": "GitLab",
    "docs": "https://docs.gitlab.com/api/oauth2/",
    "options": [
      "baseUrl"
    ]
  },
  {
    "module": "google",
    "id": "google",
    "name": "Google",
    "title": "Google",
    "docs": "https://developers.google.com/identity/openid-connect/openid-connect",
    "notes": [
      "For a refresh token, set `access_type: 'offline'` and `prompt: 'consent'` in `authorization.params`.",
      "To admit only one Google Workspace domain, set `hd` in `authorization.params` and check `profile.hd` in the `signIn` callback: the parameter alone enforces nothing.",
      "Google has no page to sign out at. `logout: 'provider'` revokes the tokens, and with them people's consent: they are asked for it at the next sign-in."
    ]
  },
  {
    "module": "gumroad",
    "id": "gumroad",
    "name": "Gumroad",
    "title": "Gumroad",
    "docs": "https://gumroad.com/api#oauth"
  },
  {
    "module": "hubspot",
    "id": "hubspot",
    "name": "HubSpot",
    "title": "HubSpot",
    "docs": "https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/oauth/working-with-oauth",
    "notes": [
      "It only provides an email address, which is also used as the name."
    ]
  },
  {
    "module": "huggingface",
    "id": "huggingface",
    "name": "HuggingFace",
    "title": "Hugging Face",
    "docs": "https://huggingface.co/docs/hub/en/oauth",
    "notes": [
      "Organisations are in the `orgs` claim."
    ]
  },
  {
    "module": "ory-hydra",
    "id": "hydra",
    "name": "OryHydra",
    "title": "Hydra",
    "docs": "https://www.ory.sh/docs/hydra/",
    "issuer": "https://acme.projects.oryapis.com",
    "notes": [
      "The id is `hydra`, also in the callback URL and the variables.",
      "Write the issuer exactly as Hydra identifies itself, often with a trailing slash."
    ]
  },
  {
    "module": "identity-server4",
    "id": "identity-server4",
    "name": "IdentityServer4",
    "title": "IdentityServer4",
    "docs": "https://identityserver4.readthedocs.io/en/latest/",
    "issuer": "https://id.example.com",
    "status": "closed",
    "instead": "IdentityServer4 has had no support since 2022; its successor is Duende IdentityServer."
  },
  {
    "module": "instagram",
    "id": "instagram",
    "name": "Instagram",
    "title": "Instagram",
    "docs": "https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login",
    "notes": [
      "Only professional accounts can sign in.",
      "It never provides an email address.",
      "Instagram only accepts https, even in development."
    ]
  },
  {
    "module": "kakao",
    "id": "kakao",
    "name": "Kakao",
    "title": "Kakao",
    "docs": "https://developers.kakao.com/docs/latest/en/kakaologin/rest-api",
    "notes": [
      "The client id is the REST API key. The secret is only needed if it is switched on.",
      "You choose at Kakao which fields you get; the email address requires a business application."
    ]
  },
  {
    "module": "keycloak",
    "id": "keycloak",
    "name": "Keycloak",
    "title": "Keycloak",
    "docs": "https://www.keycloak.org/securing-apps/oidc-layers",
    "issuer": "https://id.example.com/realms/site",
    "notes": [
      "The issuer contains the realm. Before version 17, it also contains `/auth`: `https://id.example.com/auth/realms/site`.",
      "For logout: \"Valid post logout redirect URIs\", \"Backchannel logout URL\" and \"Backchannel logout session required\" in the client's settings."
    ]
  },
  {
    "module": "kick",
    "id": "kick",
    "name": "Kick",
    "title": "Kick",
    "docs": "https://docs.kick.com/getting-started/generating-tokens-oauth2-flow"
  },
  {
    "module": "kinde",
    "id": "kinde",
    "name": "Kinde",
    "title": "Kinde",
    "docs": "https://docs.kinde.com/",
    "issuer": "https://acme.kinde.com"
  },
  {
    "module": "line",
    "id": "line",
    "name": "LINE",
    "title": "LINE",
    "docs": "https://developers.line.biz/en/docs/line-login/integrate-line-login/",
    "notes": [
      "The email address needs a separate permission.",
      "ID tokens are signed with the channel secret."
    ]
  },
  {
    "module": "linear",
    "id": "linear",
    "name": "Linear",
    "title": "Linear",
    "docs": "https://linear.app/developers/oauth-2-0-authentication"
  },
  {
    "module": "linkedin",
    "id": "linkedin",
    "name": "LinkedIn",
    "title": "LinkedIn",
    "docs": "https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2",
    "notes": [
      "The application needs the “Sign In with LinkedIn using OpenID Connect” product.",
      "PKCE stays off: with it, LinkedIn treats the application as a public client. The nonce stays off too, because LinkedIn does not return it."
    ]
  },
  {
    "module": "logto",
    "id": "logto",
    "name": "Logto",
    "title": "Logto",
    "docs": "https://docs.logto.io/",
    "issuer": "https://acme.logto.app/oidc",
    "notes": [
      "You also get a refresh token, because of `offline_access`."
    ]
  },
  {
    "module": "mailru",
    "id": "mailru",
    "name": "MailRu",
    "title": "Mail.ru",
    "docs": "https://o2.mail.ru/docs"
  },
  {
    "module": "mailchimp",
    "id": "mailchimp",
    "name": "Mailchimp",
    "title": "Mailchimp",
    "docs": "https://mailchimp.com/developer/marketing/guides/access-user-data-oauth-2/",
    "notes": [
      "The name is the account's, not a person's.",
      "Tokens do not expire."
    ]
  },
  {
    "module": "mastodon",
    "id": "mastodon",
    "name": "Mastodon",
    "title": "Mastodon",
    "docs": "https://docs.joinmastodon.org/methods/oauth/",
    "issuer": "https://mastodon.social",
    "notes": [
      "Each server needs its own application, and ids are only unique within one server.",
      "It never provides an email address.",
      "On Mastodon 4.3 and newer, the `profile` scope is enough."
    ]
  },
  {
    "module": "mattermost",
    "id": "mattermost",
    "name": "Mattermost",
    "title": "Mattermost",
    "docs": "https://developers.mattermost.com/integrate/apps/authentication/oauth2/",
    "issuer": "https://chat.example.com"
  },
  {
    "module": "medium",
    "id": "medium",
    "name": "Medium",
    "title": "Medium",
    "docs": "https://github.com/Medium/medium-api-docs",
    "status": "closed",
    "instead": "Medium closed its API to new applications in 2023.",
    "notes": [
      "It never provides an email address."
    ]
  },
  {
    "module": "microsoft-entra-id",
    "id": "microsoft-entra-id",
    "name": "MicrosoftEntraID",
    "title": "Microsoft Entra ID",
    "docs": "https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc",
    "issuer": "https://login.microsoftonline.com/your-tenant-id/v2.0",
    "notes": [
      "Without an issuer, anyone with a Microsoft account can sign in. To allow only one tenant, set its issuer or `tenantId`.",
      "With a domain instead of the tenant's id, the tenant is looked up in the metadata, and only its tokens are accepted.",
      "The email address is neither verified nor permanent. Don't let people into an account because of it.",
      "The picture is stored in the user as a data URI, and in the session cookie too: set `disableProfilePhoto` if cookies get too large.",
      "A client without a secret needs `client: { token_endpoint_auth_method: 'none' }`."
    ],
    "options": [
      "tenantId",
      "profilePhotoSize",
      "disableProfilePhoto"
    ]
  },
  {
    "module": "naver",
    "id": "naver",
    "name": "Naver",
    "title": "Naver",
    "docs": "https://developers.naver.com/docs/login/api/api.md",
    "notes": [
      "You choose at Naver which fields you get."
    ]
  },
  {
    "module": "netlify",
    "id": "netlify",
    "name": "Netlify",
    "title": "Netlify",
    "docs": "https://docs.netlify.com/api/get-started/#authentication"
  },
  {
    "module": "netsuite",
    "id": "netsuite",
    "name": "NetSuite",
    "title": "NetSuite",
    "docs": "https://docs.oracle.com/en/cloud/saas/netsuite/ns-online-help/section_157771281570.html",
    "notes": [
      "NetSuite does not say who signed in: write a RESTlet or Suitelet that returns `{ id, name, email }`, and set its URL as `userinfo`.",
      "A sandbox account may be written `1234567_SB1` or `1234567-sb1`."
    ],
    "options": [
      "accountID",
      "prompt",
      "scope"
    ]
  },
  {
    "module": "nextcloud",
    "id": "nextcloud",
    "name": "Nextcloud",
    "title": "Nextcloud",
    "docs": "https://docs.nextcloud.com/server/latest/admin_manual/configuration_server/oauth2.html",
    "issuer": "https://cloud.example.com"
  },
  {
    "module": "notion",
    "id": "notion",
    "name": "Notion",
    "title": "Notion",
    "docs": "https://developers.notion.com/guides/get-started/authorization",
    "notes": [
      "There are no scopes. The integration needs the capability to read email addresses.",
      "An integration that belongs to a workspace has no user, so people cannot sign in with it."
    ],
    "options": [
      "apiVersion",
      "redirectUri"
    ]
  },
  {
    "module": "okta",
    "id": "okta",
    "name": "Okta",
    "title": "Okta",
    "docs": "https://developer.okta.com/docs/reference/api/oidc/",
    "issuer": "https://dev-123456.okta.com/oauth2/default",
    "notes": [
      "Okta has two kinds of issuer: the organisation's, without a path, and those of its authorization servers, such as `/oauth2/default`.",
      "If the ID token has neither name nor email address, the userinfo endpoint is used. If only one of them is missing, set `idToken: false`.",
      "Sign-out URLs go in \"Sign-out redirect URIs\"."
    ]
  },
  {
    "module": "onelogin",
    "id": "onelogin",
    "name": "OneLogin",
    "title": "OneLogin",
    "docs": "https://developers.onelogin.com/openid-connect",
    "issuer": "https://acme.onelogin.com",
    "notes": [
      "The issuer may be the company's address; `/oidc/2` is added if it is missing."
    ]
  },
  {
    "module": "osso",
    "id": "osso",
    "name": "Osso",
    "title": "Osso",
    "docs": "https://ossoapp.com/docs/configure/overview",
    "issuer": "https://demo.ossoapp.com",
    "status": "closed",
    "instead": "Osso no longer seems to be maintained.",
    "notes": [
      "`domain` or `email` in `authorization.params` chooses the customer."
    ]
  },
  {
    "module": "osu",
    "id": "osu",
    "name": "Osu",
    "title": "osu!",
    "docs": "https://osu.ppy.sh/docs/index.html#authentication",
    "notes": [
      "It never provides an email address."
    ]
  },
  {
    "module": "passage",
    "id": "passage",
    "name": "Passage",
    "title": "Passage",
    "docs": "https://docs.passage.id/",
    "issuer": "https://acme.withpassage.com",
    "status": "closed",
    "instead": "Passage was shut down in January 2026."
  },
  {
    "module": "patreon",
    "id": "patreon",
    "name": "Patreon",
    "title": "Patreon",
    "docs": "https://docs.patreon.com/#oauth"
  },
  {
    "module": "paybin",
    "id": "paybin",
    "name": "Paybin",
    "title": "Paybin",
    "docs": "https://paybin.io"
  },
  {
    "module": "paypal",
    "id": "paypal",
    "name": "PayPal",
    "title": "PayPal",
    "docs": "https://developer.paypal.com/docs/log-in-with-paypal/",
    "notes": [
      "You choose under “Log in with PayPal” what the application may see.",
      "For tests, set `environment: 'sandbox'`."
    ],
    "options": [
      "environment"
    ]
  },
  {
    "module": "ping-id",
    "id": "ping-id",
    "name": "PingId",
    "title": "Ping Identity",
    "docs": "https://docs.pingidentity.com/pingone/",
    "issuer": "https://auth.pingone.eu/your-environment-id/as",
    "notes": [
      "The host ends with the region: `com`, `eu`, `asia`, `ca`."
    ]
  },
  {
    "module": "pinterest",
    "id": "pinterest",
    "name": "Pinterest",
    "title": "Pinterest",
    "docs": "https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/",
    "notes": [
      "It never provides an email address.",
      "Accounts are identified by username, as in Auth.js, and people can change it. In a new application, use `id` instead, with your own `profile`."
    ]
  },
  {
    "module": "pipedrive",
    "id": "pipedrive",
    "name": "Pipedrive",
    "title": "Pipedrive",
    "docs": "https://pipedrive.readme.io/docs/marketplace-oauth-authorization",
    "notes": [
      "You choose at Pipedrive what the application may see."
    ]
  },
  {
    "module": "polar",
    "id": "polar",
    "name": "Polar",
    "title": "Polar",
    "docs": "https://polar.sh/docs/integrate/oauth2/introduction"
  },
  {
    "module": "railway",
    "id": "railway",
    "name": "Railway",
    "title": "Railway",
    "docs": "https://docs.railway.com/reference/oauth"
  },
  {
    "module": "reddit",
    "id": "reddit",
    "name": "Reddit",
    "title": "Reddit",
    "docs": "https://github.com/reddit-archive/reddit/wiki/OAuth2",
    "notes": [
      "It never provides an email address.",
      "An application can only have one callback URL.",
      "For a refresh token, set `duration: 'permanent'` in `authorization.params`."
    ]
  },
  {
    "module": "roblox",
    "id": "roblox",
    "name": "Roblox",
    "title": "Roblox",
    "docs": "https://create.roblox.com/docs/cloud/auth/oauth2-reference",
    "notes": [
      "It never provides an email address."
    ]
  },
  {
    "module": "sailpoint",
    "id": "sailpoint",
    "name": "SailPoint",
    "title": "SailPoint",
    "docs": "https://developer.sailpoint.com/docs/api/authentication",
    "notes": [
      "Set both `baseUrl` and `baseApiUrl`."
    ],
    "options": [
      "baseUrl",
      "baseApiUrl"
    ]
  },
  {
    "module": "salesforce",
    "id": "salesforce",
    "name": "Salesforce",
    "title": "Salesforce",
    "docs": "https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_oauth_web_server_flow.htm",
    "notes": [
      "The account is identified by the `sub` claim, which is a URL; `user_id` is the short form.",
      "If people sign in through My Domain, set `issuer` to its address. For sandboxes, it is `https://test.salesforce.com`."
    ]
  },
  {
    "module": "simplelogin",
    "id": "simplelogin",
    "name": "SimpleLogin",
    "title": "SimpleLogin",
    "docs": "https://simplelogin.io/docs/siwsl/intro/",
    "notes": [
      "Email addresses are usually aliases."
    ]
  },
  {
    "module": "slack",
    "id": "slack",
    "name": "Slack",
    "title": "Slack",
    "docs": "https://docs.slack.dev/authentication/sign-in-with-slack/",
    "notes": [
      "`team` in `authorization.params` chooses a workspace.",
      "The workspace is in claims such as `https://slack.com/team_id`.",
      "Slack only accepts https.",
      "PKCE stays off: switching it on at Slack makes the application a public client, and that cannot be undone."
    ]
  },
  {
    "module": "spotify",
    "id": "spotify",
    "name": "Spotify",
    "title": "Spotify",
    "docs": "https://developer.spotify.com/documentation/web-api/tutorials/code-flow",
    "notes": [
      "Spotify refuses `http` and `localhost`: in development, use `http://127.0.0.1`.",
      "Accounts are identified by `id`, as in Auth.js. Spotify recommends the newer `account_id`: in a new application, use that with your own `profile`."
    ]
  },
  {
    "module": "strava",
    "id": "strava",
    "name": "Strava",
    "title": "Strava",
    "docs": "https://developers.strava.com/docs/authentication/",
    "notes": [
      "It never provides an email address."
    ]
  },
  {
    "module": "threads",
    "id": "threads",
    "name": "Threads",
    "title": "Threads",
    "docs": "https://developers.facebook.com/docs/threads/get-started/get-access-tokens-and-permissions",
    "notes": [
      "It never provides an email address.",
      "Threads only accepts https, even in development."
    ]
  },
  {
    "module": "tiktok",
    "id": "tiktok",
    "name": "TikTok",
    "title": "TikTok",
    "docs": "https://developers.tiktok.com/doc/login-kit-web/",
    "notes": [
      "It never provides an email address.",
      "TikTok only accepts https, and not `localhost`.",
      "`open_id` is different for each application."
    ]
  },
  {
    "module": "todoist",
    "id": "todoist",
    "name": "Todoist",
    "title": "Todoist",
    "docs": "https://developer.todoist.com/api/v1/#tag/Authorization/OAuth"
  },
  {
    "module": "trakt",
    "id": "trakt",
    "name": "Trakt",
    "title": "Trakt",
    "docs": "https://trakt.docs.apiary.io/#reference/authentication-oauth",
    "notes": [
      "It never provides an email address.",
      "Pictures may not be hotlinked: copy them.",
      "Accounts are identified by slug, as in Auth.js, and people can change it. In a new application, use `ids.uuid` instead, with your own `profile`."
    ]
  },
  {
    "module": "twitch",
    "id": "twitch",
    "name": "Twitch",
    "title": "Twitch",
    "docs": "https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/"
  },
  {
    "module": "united-effects",
    "id": "united-effects",
    "name": "UnitedEffects",
    "title": "United Effects",
    "docs": "https://docs.unitedeffects.com/integrations/nextauthjs",
    "issuer": "https://auth.unitedeffects.com/your-group-id",
    "notes": [
      "It deliberately provides no name or picture."
    ]
  },
  {
    "module": "vercel",
    "id": "vercel",
    "name": "Vercel",
    "title": "Vercel",
    "docs": "https://vercel.com/docs/sign-in-with-vercel/authorization-server-api",
    "notes": [
      "Vercel leaves out scopes the application was not granted."
    ]
  },
  {
    "module": "vipps",
    "id": "vipps",
    "name": "Vipps",
    "title": "Vipps",
    "docs": "https://developer.vippsmobilepay.com/docs/APIs/login-api/",
    "notes": [
      "For tests, set `issuer` to `https://apitest.vipps.no/access-management-1.0/access/`."
    ]
  },
  {
    "module": "vk",
    "id": "vk",
    "name": "VK",
    "title": "VK",
    "docs": "https://id.vk.com/about/business/go/docs/ru/vkid/latest/vk-id/connect/start-integration/how-auth-works/auth-flow-web",
    "notes": [
      "The application must be a VK ID application; older ones have to be created again.",
      "Account ids are the same as before."
    ]
  },
  {
    "module": "webex",
    "id": "webex",
    "name": "Webex",
    "title": "Webex",
    "docs": "https://developer.webex.com/docs/login-with-webex",
    "notes": [
      "The `spark:kms` scope is needed, too."
    ],
    "options": [
      "apiBaseUrl"
    ]
  },
  {
    "module": "wechat",
    "id": "wechat",
    "name": "WeChat",
    "title": "WeChat",
    "docs": "https://developers.weixin.qq.com/doc/oplatform/Website_App/WeChat_Login/Wechat_Login.html",
    "notes": [
      "Inside WeChat, leave `platformType` alone. On a website, set it to `WebsiteApp`, and people scan a code.",
      "`unionid` only exists if the application belongs to an Open Platform account; otherwise, `openid` is used.",
      "It never provides an email address."
    ],
    "options": [
      "platformType"
    ]
  },
  {
    "module": "wikimedia",
    "id": "wikimedia",
    "name": "Wikimedia",
    "title": "Wikimedia",
    "docs": "https://www.mediawiki.org/wiki/OAuth/For_Developers",
    "notes": [
      "You choose what the application may see when you register it."
    ]
  },
  {
    "module": "wordpress",
    "id": "wordpress",
    "name": "WordPress",
    "title": "WordPress.com",
    "docs": "https://developer.wordpress.com/docs/oauth2/"
  },
  {
    "module": "workos",
    "id": "workos",
    "name": "WorkOS",
    "title": "WorkOS",
    "docs": "https://workos.com/docs/reference/sso",
    "notes": [
      "It needs one of `connection`, `organization`, `provider` and `domain_hint`: as an option, or per sign-in with `signIn('workos', …, { connection })`.",
      "The client secret is the API key."
    ],
    "options": [
      "connection"
    ]
  },
  {
    "module": "twitter",
    "id": "twitter",
    "name": "Twitter",
    "title": "X",
    "docs": "https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code",
    "notes": [
      "To get an email address, switch on “Request email from users” in the application's settings. Otherwise people sign in without one."
    ]
  },
  {
    "module": "yandex",
    "id": "yandex",
    "name": "Yandex",
    "title": "Yandex",
    "docs": "https://yandex.com/dev/id/doc/en/"
  },
  {
    "module": "zitadel",
    "id": "zitadel",
    "name": "ZITADEL",
    "title": "ZITADEL",
    "docs": "https://zitadel.com/docs/apis/openidoauth/endpoints",
    "issuer": "https://acme.zitadel.cloud",
    "notes": [
      "Name and email address come from the userinfo endpoint. To save that request, switch on “User Info inside ID Token” for the application."
    ]
  },
  {
    "module": "zoho",
    "id": "zoho",
    "name": "Zoho",
    "title": "Zoho",
    "docs": "https://www.zoho.com/accounts/protocol/oauth/web-server-applications.html",
    "notes": [
      "Accounts are stored in several data centers: set `dataCenter` to your users'.",
      "For a refresh token, set `access_type: 'offline'` in `authorization.params`."
    ],
    "options": [
      "dataCenter"
    ]
  },
  {
    "module": "zoom",
    "id": "zoom",
    "name": "Zoom",
    "title": "Zoom",
    "docs": "https://developers.zoom.us/docs/integrations/oauth/",
    "notes": [
      "You choose at Zoom what the application may see."
    ]
  }
]
