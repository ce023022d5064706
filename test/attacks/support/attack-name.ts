/** The beginning of the name of every test that is an attack. */
export const ATTACK = "attack: ";
