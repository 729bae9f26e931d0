throw new ReferenceError(
  'There is no "next" sub-path any more. Instead of getServerSession(), call `auth()` of your SiteAuth().',
)

export {}
