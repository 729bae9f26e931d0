import type { AdapterUser } from './adapter.ts'
import type { JWT, Session } from './session.ts'

/** Marks what is given to the `session` callback, so that it is known where it is returned as it is. */
type Given = '(given)'

/**
 * Columns of a user that can be read and set by name, but are left out of copies. For TypeScript, these are the
 * accessors of a class.
 */
export declare class HiddenColumns {
  '(given)'?(): never
  get emailVerified(): Date | null
  set emailVerified(value: Date | null)
}

/** The same for the id, if it is not exposed. */
export declare class HiddenId {
  get id(): string
  set id(value: string)
}

/** The same of a session. With JWT sessions neither is there. */
export declare class HiddenSessionColumns {
  '(given)'?(): never
  get sessionToken(): string
  get userId(): string
}

/** The names, where they are known. */
export type Named<Exposed extends string> = string extends Exposed ? never : Exposed

/** The columns that `session.expose` names, with the types that `User` or the token give them. */
export type ExposedColumns<Exposed extends string, Token = JWT> = {
  [Name in Exclude<Exposed, 'id'>]?: Name extends keyof AdapterUser
    ? AdapterUser[Name]
    : Name extends keyof Token
      ? Token[Name]
      : unknown
} & ('id' extends Exposed ? { id: string } : unknown)

/** The user as the `session` callback gets it. Copies have what is exposed, and no more. */
export type CallbackUser<Exposed extends string = never, Token = JWT> = Omit<
  NonNullable<Session['user']>,
  'id' | 'email' | 'emailVerified'
> & { email: string } & HiddenColumns &
  ('id' extends Exposed ? unknown : HiddenId) &
  ExposedColumns<Exposed, Token>

/** The session as the `session` callback gets it. */
export type CallbackSession<Exposed extends string = never, Token = JWT> = Omit<
  Session,
  'user' | 'expires' | 'sessionToken' | 'userId'
> & {
  user: CallbackUser<Exposed, Token>
  /**
   * A text with JWT sessions, a `Date` with a database. A text for everyone who reads the session.
   */
  expires: Date & string
} & HiddenSessionColumns

/** A session with what `session.expose` names. */
export type SessionWithExposed<Exposed extends string, Token = JWT> = [Named<Exposed>] extends [
  never,
]
  ? Session
  : Session & { user: ExposedColumns<Exposed, Token> }

/** The session that callers get, if the `session` callback returns `Sess`. */
export type ExposedSession<Sess, Exposed extends string = never, Token = JWT> = 0 extends 1 & Sess
  ? Sess
  : Sess extends Session
    ? Session extends Sess
      ? SessionWithExposed<Exposed, Token>
      : SeenOf<Sess, Exposed, Token>
    : SeenOf<Sess, Exposed, Token>

/** The argument of the callback is shown without its hidden columns, and its expiry is text. */
type SeenOf<Sess, Exposed extends string, Token> = Given extends keyof Sess
  ? SessionWithExposed<Exposed, Token>
  : Sess extends { user: infer User; expires: unknown }
    ? Given extends keyof User
      ? WithUser<WithTime<Sess>, NonNullable<SessionWithExposed<Exposed, Token>['user']>>
      : WithTime<Sess>
    : WithTime<Sess>

type WithUser<Sess, User> = Omit<Sess, 'user'> & { user: User }
type WithTime<Sess> = Sess extends { expires: Date }
  ? Omit<Sess, 'expires'> & { expires: string }
  : Sess
