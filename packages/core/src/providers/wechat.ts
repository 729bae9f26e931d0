import { logoPath } from '../lib/branding/logos/wechat.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** The profile of a person at WeChat. */
export interface WeChatProfile {
  /** The same for all applications of an account at the Open Platform; absent without one. */
  unionid?: string
  openid: string
  nickname?: string
  headimgurl?: string
  [claim: string]: unknown
}

/** The options of the WeChat provider beyond the usual. */
export interface WeChatOptions {
  /** Inside WeChat, which is the default, or on a website, where people scan a code. */
  platformType?: 'OfficialAccount' | 'WebsiteApp'
}

/**
 * Sign in with WeChat.
 *
 * @example
 * ```ts
 * import WeChat from '@siteauth/core/providers/wechat'
 *
 * // AUTH_WECHAT_ID, AUTH_WECHAT_SECRET
 * export const providers = [WeChat]
 * ```
 */
const WeChat: OAuth2Provider<WeChatProfile, WeChatOptions> = defineOAuth(
  ({ platformType = 'OfficialAccount' }) => {
    const inApp = platformType === 'OfficialAccount'
    return {
      id: 'wechat',
      name: 'WeChat',
      consumes: ['platformType'],
      scope: inApp ? 'snsapi_userinfo' : 'snsapi_login',
      scopeSeparator: ',',
      clientIdParam: 'appid',
      authorization: {
        url: `https://open.weixin.qq.com/connect/${inApp ? 'oauth2/authorize' : 'qrconnect'}`,
        fragment: 'wechat_redirect',
      },
      token: {
        url: 'https://api.weixin.qq.com/sns/oauth2/access_token',
        exchange: {
          method: 'GET',
          form: {
            appid: '{clientId}',
            secret: '{clientSecret}',
            code: '{callback.code}',
            grant_type: 'authorization_code',
          },
        },
        // https://developers.weixin.qq.com/doc/offiaccount/OA_Web_Apps/Wechat_webpage_authorization.html
        renewal: {
          method: 'GET',
          url: 'https://api.weixin.qq.com/sns/oauth2/refresh_token',
          form: {
            appid: '{clientId}',
            grant_type: 'refresh_token',
            refresh_token: '{refreshToken}',
          },
          // One that is wrong, and one that has expired.
          ended: ['40030', '42002'],
          busy: ['-1'],
        },
      },
      userinfo: {
        url: 'https://api.weixin.qq.com/sns/userinfo',
        quirks: {
          query: { access_token: '{token.access_token}', openid: '{token.openid}', lang: 'zh_CN' },
          scheme: null,
        },
      },
      // WeChat has no PKCE.
      checks: ['state'],
      profile: {
        id: ['unionid', 'openid'],
        name: 'nickname',
        email: null,
        image: 'headimgurl',
      },
      style: { bg: '#fff', text: '#000', logoPath },
    }
  },
)

export default WeChat
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'
