// An upgrade is data: which names there were, and what they are called now. Another upgrade is another table.

/** The names that changed between two versions. */
export interface NameTable {
  /** What the names are told by, such as `before 1.0`. */
  readonly title: string
  /** Entries that are called otherwise. */
  readonly modules: Readonly<Record<string, string>>
  readonly exports: readonly RenamedExports[]
  readonly removed: readonly RemovedExports[]
  /** What calls of our functions return: by `module#name`, or by `value#member`. */
  readonly returns: Readonly<Record<string, string>>
  /** What values of our types are, by `module#name`. */
  readonly types: Readonly<Record<string, string>>
  /** Frameworks that make the exports of some folders known to all files, with the pattern of these folders. */
  readonly globals: Readonly<Record<string, RegExp>>
  readonly members: readonly RenamedMember[]
  /** Functions that took the configuration, and are methods of an instance now. */
  readonly functions: readonly FunctionToMethod[]
  readonly options: readonly RenamedOption[]
  /** Where options are passed: the function as `module#name`, and which argument. */
  readonly optionsOf: Readonly<Record<string, OptionsArgument>>
  readonly codes: readonly RenamedCodes[]
  readonly remarks: readonly TextRemark[]
}

/** Names that entries export. */
export interface RenamedExports {
  readonly from: readonly string[]
  readonly names: Readonly<Record<string, string>>
  /** The entry that has them now, if it is another. */
  readonly to?: string
}

/** Names that no entry exports any more. */
interface RemovedExports {
  readonly from: readonly string[]
  readonly names: readonly string[]
  readonly advice: string
}

/** A member of one of our values: most are calls of an instance. */
export interface RenamedMember {
  readonly of: readonly string[]
  /** Its path, such as `passwords.ask`. */
  readonly from: string
  readonly to: string
  /** Names of options that are passed in a call. */
  readonly options?: Readonly<Record<string, string>>
  /** Values of these options, by the option's old name. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly change?: CallChange
  /** What a person has to look at in every call. */
  readonly remark?: string
}

/** Other changes of a call. Each has a function of its own in `change-call.ts`. */
export type CallChange =
  /** It is a value now: `session()` → `sessionMiddleware`. */
  | { readonly kind: 'value' }
  /** It is a value if it was called without options, else another call. */
  | { readonly kind: 'value unless options'; readonly otherwise: string }
  /** The options, if there are none or they are an object, get another one: `{ except: [] }`. */
  | { readonly kind: 'add option'; readonly name: string; readonly value: string }
  /** An object at an index becomes positional arguments. */
  | { readonly kind: 'spread'; readonly index: number; readonly order: readonly string[] }
  /** `{ provider, fields, … }` becomes a provider, fields and parameters. */
  | { readonly kind: 'sign-in request'; readonly index: number }
  /** It returned an object with the cookies; now it returns one member of that object, or all but the cookies. */
  | { readonly kind: 'result'; readonly member: string | null }

/** A function that took the configuration as one of its arguments. */
export interface FunctionToMethod {
  readonly from: string
  readonly name: string
  /** Where the configuration is among its arguments. */
  readonly config: number
  /** The arguments that the method does not have besides it. */
  readonly dropped?: readonly number[]
  /** The member of the instance; null if the function stays, and only loses arguments. */
  readonly to: string | null
  readonly isValue?: boolean
  readonly options?: Readonly<Record<string, string>>
  readonly values?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** An object that becomes positional arguments: where it is after arguments were dropped. */
  readonly spread?: { readonly index: number; readonly order: readonly string[] }
  /** What makes an instance of the configuration. */
  readonly instance: string
}

/** An option, by its path: `*` stands for any one key, and for each element of a list. */
export interface RenamedOption {
  readonly of: string
  readonly path: string
  readonly to?: string
  readonly values?: Readonly<Record<string, string>>
}

interface OptionsArgument {
  readonly of: string
  readonly argument: number
}

/** Codes that programs compare: each by the class of the error whose code it is. */
export interface RenamedCodes {
  /** What a file mentions that compares such codes. */
  readonly within: RegExp
  /** What a code is called where it is compared. */
  readonly operand: string
  readonly values: Readonly<Record<string, string>>
}

/** What only a person can judge, found by the text of a file. */
interface TextRemark {
  readonly pattern: RegExp
  /** Only in files whose text matches this, too. */
  readonly within: RegExp
  readonly what: string
}
