/** The form of an email address. */
export const EMAIL = /^[^\s@,;<>"]+@[^\s@,;<>"]+$/;
