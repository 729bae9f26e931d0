import { logoPath } from '../lib/branding/logos/42-school.ts'
import { defineOAuth, type OAuth2Provider } from '../lib/providers/define.ts'

/** A picture of a person, in several sizes. */
export interface Image {
  link: string | null
  versions?: Readonly<Record<string, string | null>>
}

/** Something that belongs to a person. Its other members are as the API documents them. */
export interface OfUser {
  id: number
  user_id?: number
  [member: string]: unknown
}

/** Something that the school has. Its other members are as the API documents them. */
export interface OfSchool {
  id: number
  name?: string
  [member: string]: unknown
}

/** An achievement of a person. */
export interface Achievement extends OfSchool {}

/** A place of the school. */
export interface Campus extends OfSchool {}

/** That a person belongs to a campus. */
export interface CampusUser extends OfUser {}

/** That a person takes part in a course of studies. */
export interface CursusUser extends OfUser {}

/** A skill of a person. */
export interface ExpertisesUser extends OfUser {}

/** A language that a person speaks. */
export interface LanguagesUser extends OfUser {}

/** A project that a person works on. */
export interface ProjectUser extends OfUser {}

/** A title that a person has. */
export interface TitlesUser extends OfUser {}

/** The profile of a person at 42 School. */
export interface FortyTwoProfile {
  id: number
  login: string
  email: string
  usual_full_name: string | null
  displayname?: string
  image: Image
  achievements?: Achievement[]
  campus?: Campus[]
  campus_users?: CampusUser[]
  cursus_users?: CursusUser[]
  expertises_users?: ExpertisesUser[]
  languages_users?: LanguagesUser[]
  projects_users?: ProjectUser[]
  titles_users?: TitlesUser[]
  [claim: string]: unknown
}

/**
 * Sign in with 42 School.
 *
 * @example
 * ```ts
 * import FortyTwo from '@siteauth/core/providers/42-school'
 *
 * // AUTH_42_SCHOOL_ID, AUTH_42_SCHOOL_SECRET
 * export const providers = [FortyTwo]
 * ```
 */
const FortyTwo: OAuth2Provider<FortyTwoProfile> = defineOAuth({
  id: '42-school',
  name: '42 School',
  style: { brandColor: '#000000', logoPath },
  scope: 'public',
  authorization: { url: 'https://api.intra.42.fr/oauth/authorize' },
  token: { url: 'https://api.intra.42.fr/oauth/token' },
  userinfo: { url: 'https://api.intra.42.fr/v2/me' },
  profile: {
    id: 'id',
    name: ['usual_full_name', 'displayname', 'login'],
    email: 'email',
    image: 'image.link',
  },
})

export default FortyTwo
export type { OAuth2Config, OAuth2Provider } from '../lib/providers/define.ts'

/** The same, under its Auth.js name. */
export type UserData = FortyTwoProfile
