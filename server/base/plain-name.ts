/** Characters that turn the direction of writing around, and so can show one name as another. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A name without them. Right-to-left scripts find their direction by their own letters. */
export const plainName = (name: string): string => name.replace(DIRECTIONS, '');
