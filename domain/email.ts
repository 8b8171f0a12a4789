const EMAIL = /^[^\s@<>,;:"]{1,64}@[A-Za-z0-9][A-Za-z0-9.-]{0,253}$/;

/** Whether a text is one plain e-mail address. */
export const isEmail = (text: string): boolean => EMAIL.test(text);
