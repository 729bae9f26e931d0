/** The request header by which a proxy tells the page behind it which `jwt` callback was asked. */
export const ASKED_HEADER = 'x-siteauth-asked'
